/** Publishes sections together with changes that name their snapshot, as a run does. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change } from "../../../pipeline/contract/rows/change.ts";
import { type PublishedOptions, type PublishedRows, publishRows } from "./published.ts";
import { headingsOf, sectionRow } from "../worlds/section-rows.ts";

export type ChangeDraft = Omit<Change, "snapshot" | "month">;

/** A changed status of a section of 2024 Fall; `change` says what is different. */
export const changeRow = (change: Partial<ChangeDraft> = {}): ChangeDraft => ({
  year: "2024",
  quarter: "Fall",
  at: "2024-11-01T10:00:00.000Z",
  since: "2024-11-01T09:00:00.000Z",
  sectionCode: "10000",
  department: "DANCE",
  courseNumber: "10",
  instructors: ["AMBERLEY, R."],
  kind: "status",
  field: "status",
  before: "FULL",
  after: "OPEN",
  ...change,
});

let published = 0;

/**
 * Publishes a snapshot with these changes after the `earlier` ones, and a new section, so that the snapshot differs.
 * @param more rows that stand for it
 * @returns all changes, with the snapshots that published them
 */
export async function publishChanges(
  artifacts: string,
  earlier: readonly Change[],
  drafts: readonly ChangeDraft[],
  options: PublishedOptions = {},
  more: PublishedRows = {},
): Promise<{ id: string; all: Change[] }> {
  const sections = [sectionRow({ year: "2026", quarter: "Spring", numRequested: String(++published) })];
  const data = { sections, headings: headingsOf(sections), ...more };
  // The id of a snapshot does not depend on its own changes.
  const rehearsal = await mkdtemp(join(tmpdir(), "rehearsal-"));
  await cp(artifacts, rehearsal, { recursive: true, verbatimSymlinks: true }).catch(() => undefined);
  const { id: snapshot } = await publishRows(rehearsal, data, options);
  await rm(rehearsal, { recursive: true });
  const fresh = drafts.map((draft): Change => ({ ...draft, snapshot, month: draft.at.slice(0, 7) }));
  const all = [...earlier, ...fresh];
  const partitionOf = ({ year, quarter, month }: Change) => `${year} ${quarter} ${month}`;
  const touched = new Set(fresh.map(partitionOf));
  const { id } = await publishRows(
    artifacts,
    { ...data, changes: all.filter((row) => touched.has(partitionOf(row))) },
    options,
  );
  if (id !== snapshot) throw new Error(`the snapshot is ${id}, not ${snapshot} as rehearsed`);
  return { id, all };
}
