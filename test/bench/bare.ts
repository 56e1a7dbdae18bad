/** The ceiling: node:http with a finished answer, the same head and the same bytes as the measured one. */
import http from "node:http";
import { answerMessages } from "./answer-messages.ts";

export interface Recorded {
  readonly status: number;
  /** Names and values in turn, without those that node:http adds itself. */
  readonly head: string[];
  readonly body: Uint8Array;
}

let recorded: Recorded = { status: 503, head: [], body: new Uint8Array() };
const server = http.createServer((_request, response) => {
  response.writeHead(recorded.status, recorded.head);
  response.end(recorded.body.length > 0 ? recorded.body : undefined);
});
const listening = new Promise<string>((resolve) =>
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  }),
);

/** Takes the answer to give from now on; replies with the address. */
answerMessages<{ recorded: Recorded }>((message) => {
  recorded = message.recorded;
  return listening;
});
