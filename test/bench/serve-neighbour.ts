/** Listens on a free port of loopback, tells its address to the benchmark, and ends with it. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export function serveNeighbour(server: Server): void {
  server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  process.on("disconnect", () => process.exit(0));
}
