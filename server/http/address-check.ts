/** Fails startup when HOST and PORT cannot be bound, before a first build or any loading. */
import { once } from "node:events";
import { createServer } from "node:net";
import { UsageError } from "../../pipeline/errors.ts";

const PROBLEMS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) => `PORT: port ${port} is in use`,
  EACCES: (_, port) => `PORT: this user may not listen on port ${port}`,
  EADDRNOTAVAIL: (host) => `HOST: ${host} is not an address of this machine`,
  ENOTFOUND: (host) => `HOST: the name ${host} cannot be resolved`,
  EAI_AGAIN: (host) => `HOST: the name ${host} cannot be resolved`,
};

/** Binds and releases the port. @throws UsageError */
export async function checkAddress({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port, ...(host === "" ? {} : { host }) });
    await once(server, "listening");
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new UsageError(PROBLEMS[code]?.(host, port) ?? `HOST, PORT: cannot listen there (${code})`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
