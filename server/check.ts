/** `--check`: would a server that starts now serve what is published? One is started that nobody finds, and ended. */
import type { ServerConfig } from "../pipeline/settings/server.ts";
import { startServer } from "./server.ts";

/**
 * It follows nothing, so that nothing is written, and listens on a free port of `HOST`: the configured one may be that of a running server.
 * @returns why it would not, in a sentence; undefined when it would
 * @throws UsageError for an unusable configuration
 */
export async function checkServing(config: ServerConfig): Promise<string | undefined> {
  const server = await startServer({ ...config, port: 0, followUrl: undefined, logLevel: "silent", isLogWanted: true });
  try {
    return await server.notServed();
  } finally {
    await server.close();
  }
}
