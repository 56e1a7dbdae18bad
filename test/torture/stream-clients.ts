/**
 * Many clients of event streams in a separate process: `stream-clients.ts <port> <clients> <changes>`. Writes `open`
 * once all of them are, and for each publication of that many changes when the first and the last client had all
 * requested events (milliseconds of the day's clock).
 */
import { connect } from "node:net";

const [port = 0, clients = 0, changes = 0] = process.argv.slice(2).map(Number);
/** Connections that are being opened at a time. */
const AT_ONCE = 100;
/** One in a hundred hears everything, a fifth a department, all others a section each. */
const queryOf = (n: number): { query: string; events: number } => {
  if (n % 100 === 0) return { query: "", events: changes };
  if (n % 5 === 0) return { query: `department=D${n % 100}`, events: changes / 100 };
  return { query: `sectionCodes=${10_000 + (n % changes)}`, events: 1 };
};

let open = 0;
let [arrived, first] = [0, 0];
function arrive(): void {
  const now = Date.now();
  if (arrived++ === 0) first = now;
  if (arrived < clients) return;
  process.stdout.write(`${first} ${now}\n`);
  arrived = 0;
}

function listen(n: number): Promise<void> {
  const { query, events: expected } = queryOf(n);
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET /v1/rest/changes?${query} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`),
    );
    let text = "";
    let events = 0;
    let isOpen = false;
    socket.on("data", (part) => {
      text += part.toString("latin1");
      if (!isOpen && text.includes("Z@")) {
        isOpen = true;
        open++;
        resolve();
      }
      const parts = text.split("data: {");
      // It may be cut in two.
      text = (parts.at(-1) ?? "").slice(-10);
      events += parts.length - 1;
      if (events < expected) return;
      events -= expected;
      arrive();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`stream ${n} of ${open} was closed`)));
  });
}

const left = Array.from({ length: clients }, (_, n) => n);
const openAll = async () => {
  for (let n = left.pop(); n !== undefined; n = left.pop()) await listen(n);
};
await Promise.all(Array.from({ length: AT_ONCE }, openAll));
process.stdout.write("open\n");
