/**
 * Sends a stream the changes that its client missed. Replays take turns, so that no client keeps those of others
 * waiting.
 */
import type { Pool } from "../../duckdb/pool.ts";
import type { Queue } from "../../duckdb/queue.ts";
import type { ChangeRange } from "../../endpoints/changes/change-range.ts";
import { piecesOf } from "../../endpoints/changes/change-pieces.ts";
import { findChanges, readEvents } from "../../endpoints/changes/change-rows.ts";
import { slices } from "./change-delivery.ts";
import type { EventStream, EventStreams } from "./event-streams.ts";

/** Replays that hold rows at once: of all clients, and of each. */
export const REPLAY_LIMITS = { running: 8, runningOfClient: 2 };
/** Changes that are sent in one turn: about a second of a fast client. */
const ROWS_PER_TURN = 32_768;
/** A client that does not read for so long gives its turn to others that wait. */
const SLOW_MS = 100;

interface ReplayParts {
  /** Ends with the stream. */
  readonly pool: Pool;
  readonly queue: Queue;
  readonly client: string;
  readonly streams: Pick<EventStreams, "send" | "drained">;
}

/** Between two turns nothing is held but how far it came. @throws the stream's signal's reason */
export async function replay(stream: EventStream, range: ChangeRange, parts: ReplayParts): Promise<void> {
  const { pool, queue, client, streams } = parts;
  for (const piece of piecesOf(range)) {
    for (let [next, total] = [0, Infinity]; next < total;) {
      const end = await queue.enqueue(client, stream.signal);
      try {
        const found = await findChanges(pool, piece);
        total = found.row.length;
        next = await sendSome(stream, readEvents(pool, found, next, Math.min(next + ROWS_PER_TURN, total)), next);
      } finally {
        end();
      }
      while (!(await streams.drained(stream, SLOW_MS)));
    }
  }

  /** Returns the position behind what was sent. */
  async function sendSome(to: EventStream, batches: AsyncIterable<readonly string[]>, from: number): Promise<number> {
    let sent = from;
    for await (const events of batches)
      for (const some of slices(events, (event) => event)) {
        streams.send(to, Buffer.from(some.join("")));
        sent += some.length;
        while (!(await streams.drained(to, SLOW_MS))) if (queue.waiting > 0) return sent;
      }
    return sent;
  }
}
