/**
 * The courses of a term that filled first, for the home view. The server reads them from the recorded history, because
 * a term of a large campus has thousands of records.
 */
import type { Page } from "../pages/page.ts";
import { sendJson } from "../pages/content.ts";
import { oncePerSnapshot } from "../pages/once-per-snapshot.ts";
import { nothingServed, Problem, shown } from "../response/problem.ts";
import { firstToFill, type Filled, RECORDED_FIELDS, type RecordedStatus } from "./app/home/first-to-fill.ts";
import { termQuery } from "./app/data/term-names.ts";
import { type AskApi, coursesIn, type ScheduleTree } from "./titles.ts";

const MAX_COURSES = 5;

interface FirstToFillOptions {
  readonly ask: AskApi;
  readonly snapshotId: () => string | undefined;
  /** Returns the terms with a schedule, such as `2026 Fall`. */
  readonly terms: () => readonly string[];
}

/** Serves `/first-to-fill?term=2026 Fall`, and reads each term once per snapshot. */
export function createFirstToFill({ ask, snapshotId, terms }: FirstToFillOptions): Page {
  const read = oncePerSnapshot(async (_snapshot, term): Promise<readonly Filled[]> => {
    const query = termQuery(term);
    const [records, schedule] = await Promise.all([
      ask(`/enrollmentHistory?${new URLSearchParams({ ...query, fields: RECORDED_FIELDS })}`),
      ask(`/schedule?${new URLSearchParams({ ...query, cacheOnly: "true", fields: "courses.deptCode,courseNumber" })}`),
    ]);
    const courses = coursesIn(schedule as ScheduleTree | undefined);
    const held = new Set(courses.map(({ deptCode, courseNumber }) => `${deptCode} ${courseNumber}`));
    return firstToFill((records ?? []) as readonly RecordedStatus[], held).slice(0, MAX_COURSES);
  });

  return async (request) => {
    const term = request.event.url.searchParams.get("term") ?? "";
    const id = snapshotId();
    if (id === undefined) throw nothingServed(undefined);
    if (!terms().includes(term)) throw new Problem(404, `There is no schedule of ${shown(term)}.`);
    return sendJson(request, id, await read(id, term));
  };
}
