/** A unit's report entries are stored in its landing file, so that a resumed crawl reports them too. */
import { z } from "zod";
import { unknownField } from "../contract/source-fields.ts";
import type { Tally } from "../contract/documents/tally.ts";

const named = z.array(z.object({ reason: z.string(), name: z.string() }));

export const unitMemo = z.object({
  /** The section codes of the unit (a department, a GE category). */
  codes: z.array(z.string()),
  read: z.int(),
  dropped: named,
  noted: named,
  /** Unknown fields in the pages. */
  unknown: z.array(unknownField),
  /** A hash of the digests of its pages. */
  received: z.string(),
  /** A hash of its pages with their encodings: equal ones are the same unit again. Absent if other units matter. */
  content: z.string().exactOptional(),
  /** True if its only page needed no other to confirm it. */
  isClear: z.boolean(),
});
export type UnitMemo = z.infer<typeof unitMemo>;

/** How the pages of a unit are recognized. */
export type UnitPages = Pick<UnitMemo, "received" | "content" | "isClear">;

/** Creates an empty memo of these pages, and a tally that records into it. */
export function createMemo(pages: UnitPages): {
  memo: UnitMemo;
  tally: Pick<Tally, "read" | "keep" | "drop" | "note">;
} {
  const memo: UnitMemo = { codes: [], read: 0, dropped: [], noted: [], unknown: [], ...pages };
  return {
    memo,
    tally: {
      read: (count = 1) => void (memo.read += count),
      keep: () => {},
      drop: (reason, name) => void memo.dropped.push({ reason, name }),
      note: (reason, name) => void memo.noted.push({ reason, name }),
    },
  };
}

/** Adds the memo's entries to the report. */
export function replayMemo(memo: UnitMemo, tally: Tally): void {
  tally.read(memo.read);
  tally.keep(memo.codes.length);
  for (const { reason, name } of memo.dropped) tally.drop(reason, name);
  for (const { reason, name } of memo.noted) tally.note(reason, name);
}
