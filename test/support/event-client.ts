/** A plain client of server-sent events. */
import { request, type IncomingMessage } from "node:http";

export interface Received {
  readonly id: string;
  readonly data: unknown;
}

export interface EventClient {
  readonly response: IncomingMessage;
  /** The changes. */
  readonly events: Received[];
  /** The ids of the snapshots that it was told. */
  readonly snapshots: string[];
  /** Blocks that no client should see: without data, or of an unknown kind. */
  readonly strange: string[];
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
      const [snapshots, strange]: [string[], string[]] = [[], []];
      const comments: number[] = [];
      let text = "";
      let lastId: string | undefined;
      response.setEncoding("utf8").on("data", (part: string) => {
        // A comment is a line between two blocks.
        text += part;
        text = text.replace(/^:.*\n/gm, () => {
          comments.push(performance.now());
          return "";
        });
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          const fields = new Map(
            block.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]),
          );
          const id = fields.get("id");
          lastId = id ?? lastId;
          const [kind, data] = [fields.get("event"), fields.get("data")];
          if (kind === "snapshot" && data !== undefined) snapshots.push(JSON.parse(data) as string);
          else if (kind === undefined && id !== undefined && data !== undefined)
            events.push({ id, data: JSON.parse(data) as unknown });
          else strange.push(block);
        }
      });
      const ended = new Promise<boolean>((done) => response.on("close", () => done(response.complete)));
      response.on("error", () => undefined);
      resolve({
        response,
        events,
        snapshots,
        strange,
        comments,
        ended,
        lastId: () => lastId,
        close: () => asked.destroy(),
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}
