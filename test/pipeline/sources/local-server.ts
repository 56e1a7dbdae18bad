/** A server of one test: it answers as the test says, and counts. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

/** Call it where the tests are declared; `serve` returns the address and the requests so far. */
export function openLocalServers(): (answer: RequestListener) => Promise<{ url: URL; paths: string[] }> {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  return async (answer) => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? "");
      answer(request, response);
    });
    servers.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), paths };
  };
}
