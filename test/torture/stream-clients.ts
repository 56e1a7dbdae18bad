/**
 * Many clients of event streams in a process of their own: `stream-clients.ts <port> <clients>`. Writes `open` once all of them are; for each id in a line of
 * the standard input, when the first and the last of them had everything that this snapshot published (milliseconds of the day's clock).
 */
import { connect } from "node:net";
import { createInterface } from "node:readline";

const [port, clients] = process.argv.slice(2).map(Number);
/** Connections that are being opened at a time. */
const AT_ONCE = 100;
/** An id may be cut in two. */
const TAIL = 100;

/** One in a hundred hears everything, a fifth a department, the others one section each. */
const queryOf = (n: number): string =>
  n % 100 === 0 ? "" : n % 5 === 0 ? `department=D${n % 100}` : `sectionCodes=${10_000 + (n % 50_000)}`;

let open = 0;
let awaited = "";
/** By snapshot: how many have it, and when the first and the last one got it. */
const arrivals = new Map<string, { count: number; first: number; last: number }>();

function report(): void {
  const { count = 0, first = 0, last = 0 } = arrivals.get(awaited) ?? {};
  if (count === clients) process.stdout.write(`${awaited} ${first} ${last}\n`);
}

function arrived(id: string): void {
  const now = Date.now();
  const one = arrivals.get(id) ?? { count: 0, first: now, last: now };
  arrivals.set(id, { ...one, count: one.count + 1, last: now });
  if (id === awaited) report();
}

function listen(n: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port ?? 0, "127.0.0.1", () =>
      socket.write(
        `GET /v1/rest/changes?${queryOf(n)} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`,
      ),
    );
    let tail = "";
    let isOpen = false;
    socket.on("data", (part) => {
      // Event ids at the end of what came; the data itself is not looked at.
      tail = (tail + part.toString("latin1")).slice(-TAIL);
      const [, id] = /Z@([0-9a-f]{16})\n\n/.exec(tail) ?? [];
      if (id === undefined) return;
      tail = "";
      if (isOpen) return arrived(id);
      isOpen = true;
      open++;
      resolve();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`stream ${n} of ${open} was closed`)));
  });
}

const left = Array.from({ length: clients ?? 0 }, (_, n) => n);
const openAll = async () => {
  for (let n = left.pop(); n !== undefined; n = left.pop()) await listen(n);
};
await Promise.all(Array.from({ length: AT_ONCE }, openAll));
process.stdout.write("open\n");
for await (const line of createInterface({ input: process.stdin })) {
  awaited = line.trim();
  report();
}
process.exit();
