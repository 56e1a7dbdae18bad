/** Replays the changes that a client missed. Replays take turns, so that none blocks the others. */
import type { Pool } from "../../duckdb/pool.ts";
import type { Queue } from "../../duckdb/queue.ts";
import type { ChangeRange } from "../../endpoints/changes/change-range.ts";
import { EVENT, readMonth } from "../../endpoints/changes/change-rows.ts";
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
  for (const month of range.months) {
    let isEnd = false;
    for (let cursor: string | undefined; !isEnd;) {
      const end = await queue.enqueue(client, stream.signal);
      try {
        [cursor, isEnd] = await sendSome(readMonth(pool, month, EVENT, { after: cursor }), cursor);
      } finally {
        end();
      }
      while (!(await streams.drained(stream, SLOW_MS)));
    }
  }

  /** Sends rows until the turn ends or a slow client gives it up; returns the cursor of the last row sent. */
  async function sendSome(batches: AsyncIterable<unknown[][]>, first: string | undefined) {
    let [sent, cursor] = [0, first];
    for await (const [cursors = [], events = []] of batches) {
      let row = 0;
      for (const slice of slices(events as string[], (event) => event)) {
        streams.send(stream, Buffer.from(slice.join("")));
        row += slice.length;
        cursor = cursors[row - 1] as string;
        while (!(await streams.drained(stream, SLOW_MS))) if (queue.waiting > 0) return [cursor, false] as const;
      }
      sent += row;
      if (sent >= ROWS_PER_TURN) return [cursor, false] as const;
    }
    return [cursor, true] as const;
  }
}
