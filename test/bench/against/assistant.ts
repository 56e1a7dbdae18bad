/** Calls the `sql` tool as an assistant does. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const CALLS = 12;

/** Returns the milliseconds of each call but the first two: those start what later ones use. */
export async function callSQL(base: string): Promise<number[]> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
  const times: number[] = [];
  try {
    for (let index = 0; index < CALLS; index++) {
      const began = performance.now();
      const statement = `select count(*) + ${index} from sections`;
      const { isError } = await client.callTool({ name: "sql", arguments: { statement } });
      if (isError) throw new Error("a statement has failed");
      times.push(performance.now() - began);
    }
  } finally {
    await client.close();
  }
  return times.slice(2);
}
