/**
 * Sends new changes to the event streams whose filters they match. Streams with equal filters form a group and share
 * buffers.
 */
import { setImmediate } from "node:timers/promises";
import { type ChangeValues, indexChanges, toSelector } from "../../endpoints/changes/change-filters.ts";
import type { NewChange } from "../../endpoints/changes/change-rows.ts";
import { createPacer } from "../../snapshot/event-loop-yielder.ts";
import type { EventStream, EventStreams } from "./event-streams.ts";

interface Group {
  readonly select: ReturnType<typeof toSelector<NewChange>>;
  readonly streams: ReadonlySet<EventStream>;
}

export function createGroups(keyOf: (filters: ChangeValues) => string) {
  const groups = new Map<string, Group & { streams: Set<EventStream> }>();
  const keys = new Map<EventStream, string>();
  return {
    add(stream: EventStream, filters: ChangeValues): void {
      const key = keyOf(filters);
      const group = groups.get(key) ?? { select: toSelector<NewChange>(filters), streams: new Set() };
      groups.set(key, group);
      group.streams.add(stream);
      keys.set(stream, key);
    },
    remove(stream: EventStream): void {
      const key = keys.get(stream);
      const group = key === undefined ? undefined : groups.get(key);
      keys.delete(stream);
      if (key !== undefined && group?.streams.delete(stream) && group.streams.size === 0) groups.delete(key);
    },
    /** Returns a copy of the current groups: streams that are added later are not in it. */
    members: (): Group[] => [...groups.values()].map((group) => ({ ...group, streams: new Set(group.streams) })),
  };
}

/** The size of a chunk, in bytes; small enough that a client which keeps reading is never far behind. */
const SLICE_LENGTH = 64 * 1024;

export function* slices<T>(rows: readonly T[], eventOf: (row: T) => { readonly length: number }): Generator<T[]> {
  let slice: T[] = [];
  let length = 0;
  for (const row of rows) {
    slice.push(row);
    length += eventOf(row).length;
    if (length < SLICE_LENGTH) continue;
    yield slice;
    slice = [];
    length = 0;
  }
  if (slice.length > 0) yield slice;
}

/**
 * The pacer's ratio of idle to busy time; high because clients on the same machine compete with requests for the CPU.
 */
const REST = 9;

const eventOf = ({ event }: NewChange): Buffer => event;
const toBytes = (rows: readonly NewChange[]): Buffer[] =>
  [...slices(rows, eventOf)].map((slice) =>
    slice.length === 1 ? (slice[0] as NewChange).event : Buffer.concat(slice.map(eventOf)),
  );

export async function sendMatching(
  rows: readonly NewChange[],
  members: readonly Group[],
  { send }: Pick<EventStreams, "send">,
): Promise<void> {
  const index = indexChanges(rows);
  const pace = createPacer(REST);
  let all: Buffer[] | undefined;
  for (const { select, streams } of members) {
    const matching = select(index);
    await pace();
    if (matching.length === 0) continue;
    const chunks = matching.length === rows.length ? (all ??= toBytes(rows)) : toBytes(matching);
    for (const [i, bytes] of chunks.entries()) {
      // Let sockets flush before more bytes count as unread.
      if (i > 0) await setImmediate();
      for (const stream of streams) {
        send(stream, bytes);
        await pace();
      }
    }
  }
}
