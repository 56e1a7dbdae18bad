/** An assistant: the protocol's own client, and requests as they stand on the wire. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Result } from "../../../server/mcp/answer.ts";
import { ask, type Asking } from "../http/wire.ts";

export async function openAssistant(url: string) {
  const client = new Client({ name: "a test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  const call = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  return {
    tools,
    version: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    /** @throws Error with the tool's error */
    async result(name: string, args: Record<string, unknown> = {}): Promise<Result> {
      const { isError, structuredContent, content } = await call(name, args);
      if (isError || !structuredContent) throw new Error(`${name}: ${JSON.stringify(content)}`);
      return structuredContent as unknown as Result;
    },
    async error(name: string, args: Record<string, unknown>): Promise<string> {
      const { isError, content } = await call(name, args);
      const [first] = content as { text: string }[];
      if (!isError) throw new Error(`${name} is no error: ${first?.text}`);
      return first?.text ?? "";
    },
    close: () => client.close(),
  };
}

export const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export interface Message {
  readonly id?: unknown;
  readonly result?: { readonly isError?: boolean; readonly content: readonly { text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends a body as it is. */
export async function post(url: string, body: string, asking: Asking = {}) {
  const headers = { ...HEADERS, ...asking.headers };
  const answer = await ask(`${url}/mcp`, { method: "POST", undocumented: true, ...asking, headers, body });
  const [, data] = /^data: (.*)$/m.exec(answer.text) ?? [];
  const text = data ?? answer.text;
  return { ...answer, message: (text.startsWith("{") ? JSON.parse(text) : {}) as Message };
}

export const toMessage = (name: string, args: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
