/** Replays the changes that a client missed. Replays take turns, so that none blocks the others. */
import type { Pool } from "../../duckdb/pool.ts";
import type { Queue } from "../../duckdb/queue.ts";
import type { ChangeRange } from "../../endpoints/changes/change-range.ts";
import { piecesOf } from "../../endpoints/changes/change-pieces.ts";
import { findChanges, readEvents } from "../../endpoints/changes/change-rows.ts";
import { slices } from "./change-delivery.ts";
import type { EventStream, EventStreams } from "./event-streams.ts";

/** The most replays that hold rows at the same time: in total and per client. */
export const REPLAY_LIMITS = { running: 8, runningOfClient: 2 };
/** The most changes sent per turn: about one second for a fast client. */
const ROWS_PER_TURN = 32_768;
/** After this long without a read, a client gives its turn to waiting ones. */
const SLOW_MS = 100;

interface ReplayParts {
  /** A pool whose queries are cancelled when the stream ends. */
  readonly pool: Pool;
  readonly queue: Queue;
  readonly client: string;
  readonly streams: Pick<EventStreams, "send" | "drained">;
}

/**
 * Sends a range of changes; between two turns it holds nothing but its position.
 * @throws the reason of the stream's signal
 */
export async function replay(stream: EventStream, range: ChangeRange, parts: ReplayParts): Promise<void> {
  const { pool, queue, client, streams } = parts;
  for (const piece of piecesOf(range)) {
    for (let [next, total] = [0, Infinity]; next < total;) {
      const end = await queue.enqueue(client, stream.signal);
      try {
        const match = await findChanges(pool, piece);
        total = match.row.length;
        next = await sendSome(stream, readEvents(pool, match, next, Math.min(next + ROWS_PER_TURN, total)), next);
      } finally {
        end();
      }
      while (!(await streams.drained(stream, SLOW_MS)));
    }
  }

  /** Sends rows until a slow client gives up its turn; returns the position after the last row sent. */
  async function sendSome(to: EventStream, batches: AsyncIterable<readonly string[]>, from: number): Promise<number> {
    let sent = from;
    for await (const events of batches)
      for (const slice of slices(events, (event) => event)) {
        streams.send(to, Buffer.from(slice.join("")));
        sent += slice.length;
        while (!(await streams.drained(to, SLOW_MS))) if (queue.waiting > 0) return sent;
      }
    return sent;
  }
}
