/**
 * The baseline that bounds what is possible: node:http, which sends a recorded response, headers and bytes, to every
 * request.
 */
import http from "node:http";
import { serveNeighbour } from "./serve-neighbour.ts";

export interface Recorded {
  readonly status: number;
  /** Names and values in turn, without those that node:http adds itself. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

let recorded: Recorded = { status: 503, headers: [], body: new Uint8Array() };
process.on("message", (message: Recorded) => {
  recorded = message;
  process.send?.("recorded");
});
serveNeighbour(
  http.createServer((_request, response) => {
    response.writeHead(recorded.status, [...recorded.headers]);
    response.end(recorded.body.length > 0 ? recorded.body : undefined);
  }),
);
