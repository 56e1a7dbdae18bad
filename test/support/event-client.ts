/** A plain client of server-sent events. */
import { request, type IncomingMessage } from "node:http";

export interface Received {
  readonly id: string;
  /** Undefined for an event without data. */
  readonly data: unknown;
}

export interface EventClient {
  readonly response: IncomingMessage;
  readonly events: Received[];
  readonly comments: number[];
  /** The id to resume from. */
  lastId(): string | undefined;
  close(): void;
  /** Resolves when the server has ended the stream, or the connection broke; true when it was complete. */
  readonly ended: Promise<boolean>;
}

export function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { Accept: "text/event-stream", ...headers }, agent: false }, (response) => {
      const events: Received[] = [];
      const comments: number[] = [];
      let text = "";
      let lastId: string | undefined;
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          if (block.startsWith(":")) comments.push(performance.now());
          const fields = new Map(
            block.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]),
          );
          const id = fields.get("id");
          if (id === undefined) continue;
          lastId = id;
          const data = fields.get("data");
          if (data !== undefined) events.push({ id, data: JSON.parse(data) as unknown });
        }
      });
      const ended = new Promise<boolean>((done) => response.on("close", () => done(response.complete)));
      response.on("error", () => undefined);
      resolve({ response, events, comments, ended, lastId: () => lastId, close: () => asked.destroy() });
    });
    asked.on("error", reject);
    asked.end();
  });
}
