/** What a client of an event stream has not seen yet. */
import type { ChangeValues } from "../../endpoints/changes/change-filters.ts";
import { type ChangeRange, changesBehind, type Parts, rangeOf } from "../../endpoints/changes/change-range.ts";
import { type Position, readEventId } from "../../endpoints/changes/cursor.ts";
import { Problem, shown } from "../../response/problem.ts";
import type { Generation } from "../../snapshot/generation.ts";
import type { RequestQuery } from "../../response/query.ts";

export interface Missed {
  readonly generation: Generation;
  /** Undefined = nothing. */
  readonly range: ChangeRange | undefined;
}

/** The position to resume from. @throws Problem (400) */
export function checkStream({ values, page, asOf }: RequestQuery, lastEventId: string | null): Position | undefined {
  const refused = [
    ...(page ? ["limit", "offset"] : []),
    ...(asOf === undefined ? [] : ["asOf"]),
    ...((values as ChangeValues).until === undefined ? [] : ["until"]),
  ];
  if (refused.length > 0) throw new Problem(400, `A stream of events has no ${refused.join(", ")}`);
  if (!lastEventId) return undefined;
  const position = readEventId(lastEventId);
  if (!position) throw new Problem(400, `Invalid Last-Event-ID provided: ${shown(lastEventId)}`);
  return position;
}

/** What the client has not seen of a generation. @throws Problem (404) */
export async function missedRange(
  generation: Generation,
  values: ChangeValues,
  position: Position | undefined,
  parts: Parts,
): Promise<ChangeRange | undefined> {
  const { since, ...filters } = values;
  if (!position) return since === undefined ? undefined : rangeOf(generation, values, parts);
  const isUpToDate = position.snapshot === generation.manifest.id && !position.cursor.includes("_");
  if (isUpToDate) return undefined;
  const seen = (await parts.history.retained()).find(({ id }) => id === position.snapshot);
  // Without it, changes behind the position are found by their times alone.
  const known = seen && (await parts.history.readGeneration(seen).catch(() => undefined));
  return changesBehind(generation, position, known, filters);
}
