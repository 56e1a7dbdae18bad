/**
 * Compares what a run staged with what is published and with the retained snapshots of the last seven days. Published data may grow, shrink a little
 * and vary; it may not be emptied. An upstream that changes its form would empty columns without an error anywhere else.
 */
import type { Tally } from "../../contract/documents/tally.ts";
import { columnMeasures, type Measure } from "../../contract/measures.ts";
import { type KnownField, type UnknownField, unknownFieldText } from "../../contract/source-fields.ts";
import { quoteIdentifier } from "../../contract/sql-text.ts";
import type { Table } from "../../contract/table.ts";
import { TABLES } from "../../contract/tables.ts";
import { GuardError } from "../../errors.ts";
import { partitionTitle } from "../../generations/layout.ts";
import type { RunContext } from "../context.ts";
import { type Profile, profileOf } from "./profile.ts";
import {
  comparableOf,
  isOfLastDays,
  type PublishedPart,
  type Reference,
  referencesOf,
  retainedFiles,
} from "./references.ts";
import { shrinks, shrinkText } from "./shrink.ts";

/** Rows may fall by this much against the largest of the seven days; against the last run by less (`shrinks`). */
const MOST_SHRINK_IN_DAYS = 0.1;
const MOST_GROWTH = 1 / 3;
/** A column is guarded when it was filled in this many rows and this share of them. */
const LEAST_FILLED = 20;
const LEAST_FILLED_SHARE = 0.05;
/** In a smaller table: when most rows had a value, and none has one now. */
const FEW_FILLED = 3;
const MOST_FILLED_SHARE = 0.5;
/** It may not fall below this part of its share. */
const LEAST_LEFT = 0.5;
/** A column that had several values in this many rows may not become constant. */
const VARIED_ROWS = 50;
const VARIED_VALUES = 3;
/** Beside unknown fields or unreadable texts it may not fall below this part, when there are half as many of these as values are lost. */
const LEAST_LEFT_BESIDE_UNKNOWN = 0.95;
/** Two versions of a table are of the same things when they share this part of their keys. */
const SAME_KEYS = 0.95;
/** Breaches named in one message. */
const NAMED = 6;

export interface StagedRows {
  /** In messages: `2019 Fall, in sections,`. */
  readonly what: string;
  /** Whose columns are measured; they are among those of `published`. */
  readonly table: Table;
  readonly published: PublishedPart;
  /** The staged rows, as a relation. */
  readonly from: string;
  /** What the parser knows, and what it met besides. */
  readonly known: readonly KnownField[];
  readonly unknown: readonly UnknownField[];
  /** How the number of rows is compared; without it, it is not. `before` is a count that takes the place of those of the files. */
  readonly rows?: { readonly before?: number; readonly isGrowthGuarded?: boolean };
}

interface Breach {
  readonly text: string;
  /** How far a version is from the staged one in what is breached. */
  readonly distance: (a: Profile, b: Profile) => number;
}

/**
 * Notes what empties by its nature. With ALLOW_SHRINK=1, or when the rows return to what a retained snapshot held, breaches are noted
 * and accepted.
 * @throws GuardError that names every breach and its likely cause
 */
export async function guardFields(context: RunContext, staged: StagedRows, tally: Tally): Promise<void> {
  const { connection } = context.database;
  const references = await referencesOf(context, staged.published);
  const comparable = references.length > 0 ? [] : comparableOf(context, staged.published);
  if (references.length + comparable.length === 0) return;
  if (references.length === 0 && staged.unknown.length === 0) return;
  const now = await profileOf(connection, staged.table, staged.from);
  const breaches: Breach[] = [];
  if (references.length > 0 && staged.rows) breaches.push(...(await rowBreaches(context, staged, staged.rows, now)));
  const profiles = new Map<Reference, Profile>();
  for (const reference of [...references, ...comparable]) {
    const profile = await profileIfReadable(context, staged, reference);
    if (profile) profiles.set(reference, profile);
  }
  const named = new Set<string>();
  for (const [reference, before] of profiles) {
    for (const { measure, text, isSerious } of columnBreaches(staged, before, now)) {
      const { name, emptiesByNature } = measure;
      if (named.has(name)) continue;
      named.add(name);
      if (comparable.includes(reference)) {
        // A new term is not filled like one that is over: only what is always filled tells.
        const isGone = share(before, name) > MOST_FILLED_SHARE && share(now, name) === 0;
        if (emptiesByNature || !isGone || causesOf(staged, measure).length === 0) continue;
      } else if (!isSerious) {
        tally.note("a column that emptied", text);
        continue;
      }
      breaches.push({ text, distance: (a, b) => Math.abs(share(a, name) - share(b, name)) });
    }
  }
  if (breaches.length === 0) return;
  const text = breaches
    .slice(0, NAMED)
    .map((breach) => breach.text)
    .concat(breaches.length > NAMED ? [`and ${breaches.length - NAMED} more`] : [])
    .join("; ");
  const healed = await findHealed(context, staged, now, breaches);
  if (!context.config.allowShrink && !healed)
    throw new GuardError(`${text}: refused, what is published stays (ALLOW_SHRINK=1 overrides)`);
  tally.note(healed ? `a return to what snapshot ${healed} held` : "accepted by ALLOW_SHRINK=1", text);
  context.accepted.add(partitionTitle(staged.published));
}

export function noteUnknown(what: string, unknown: readonly UnknownField[], tally: Tally): void {
  for (const field of unknown)
    tally.note("a field that the parser does not know", `${what}: ${unknownFieldText(field)}`);
}

/** A file of an earlier snapshot may be damaged: then it says nothing. */
const profileIfReadable = (
  { database }: RunContext,
  { table }: StagedRows,
  { from }: Reference,
): Promise<Profile | undefined> => profileOf(database.connection, table, from).catch(() => undefined);

/* Rows */

async function rowBreaches(
  context: RunContext,
  staged: StagedRows,
  rows: NonNullable<StagedRows["rows"]>,
  now: Profile,
): Promise<Breach[]> {
  const { what, published } = staged;
  const distance = (a: Profile, b: Profile) => Math.abs(a.rows - b.rows);
  const before = rows.before ?? context.staging.find(published.table, published.partition)?.rows ?? 0;
  if (shrinks(before, now.rows)) return [{ text: shrinkText(what, before, now.rows), distance }];
  const files = rows.before === undefined ? await retainedFiles(context, staged.published) : [];
  const most = Math.max(0, ...files.filter(isOfLastDays(context, staged.published)).map(({ rows }) => rows));
  if (now.rows < most * (1 - MOST_SHRINK_IN_DAYS))
    return [{ text: `${shrinkText(what, most, now.rows)} within seven days`, distance }];
  if (rows.isGrowthGuarded && now.rows > before * (1 + MOST_GROWTH))
    return [{ text: `${what} would grow from ${before} to ${now.rows}`, distance }];
  return [];
}

/* Columns */

const share = ({ rows, columns }: Profile, name: string): number =>
  rows === 0 ? 0 : (columns.get(name)?.filled ?? 0) / rows;

interface ColumnBreach {
  readonly measure: Measure;
  readonly text: string;
  /** False for a column that empties by its nature, without an unknown field beside it. */
  readonly isSerious: boolean;
}

function columnBreaches(staged: StagedRows, before: Profile, now: Profile): ColumnBreach[] {
  return columnMeasures(staged.table).flatMap((measure) => {
    const { name, emptiesByNature } = measure;
    const causes = causesOf(staged, measure);
    const [old, next] = [before.columns.get(name), now.columns.get(name)];
    if (!old || !next || now.rows === 0) return [];
    const words = causes.length > 0 ? `: ${causes.map(unknownFieldText).join(", ")}` : "";
    const isSerious = !emptiesByNature || causes.length > 0;
    if (isEmptied(measure, staged, before, now)) {
      const amount = next.filled === 0 ? "is empty" : `is filled in ${next.filled} of ${now.rows} rows`;
      return [{ measure, text: `\`${name}\` of ${staged.what} ${amount} (${old.filled} before)${words}`, isSerious }];
    }
    const isConstant = before.rows >= VARIED_ROWS && old.distinct >= VARIED_VALUES && next.distinct === 1;
    if (!isConstant) return [];
    const text = `\`${name}\` of ${staged.what} has one value in all rows (${old.distinct} values before)${words}`;
    return [{ measure, text, isSerious }];
  });
}

function isEmptied(measure: Measure, staged: StagedRows, before: Profile, now: Profile): boolean {
  const { name, emptiesByNature } = measure;
  const [filled, left] = [before.columns.get(name)?.filled ?? 0, now.columns.get(name)?.filled ?? 0];
  const was = share(before, name);
  const part = was === 0 ? 1 : share(now, name) / was;
  if (filled >= LEAST_FILLED && was >= LEAST_FILLED_SHARE && part < LEAST_LEFT) return true;
  if (filled >= FEW_FILLED && was > MOST_FILLED_SHARE && left === 0) return true;
  const unknown = causesOf(staged, measure).reduce((sum, { count }) => sum + count, 0);
  const lost = was * now.rows - left;
  return part < (emptiesByNature ? Number.EPSILON : LEAST_LEFT_BESIDE_UNKNOWN) && lost > 0 && unknown >= lost / 2;
}

/** Unknown fields beside those that fill the column, and texts of these that cannot be read. */
function causesOf({ known, unknown }: StagedRows, { name }: Measure): UnknownField[] {
  const fields = known.filter(({ fills }) => fills.includes(name));
  return unknown.filter(({ kind, place }) =>
    fields.some((field) => (kind === "text" ? field.name === place : field.place === place)),
  );
}

/* Healing */

/**
 * The snapshot whose rows come back: it is of the same things, in everything that is breached it is nearer to what is staged than what is published is,
 * and nothing like what is published stood before it.
 */
async function findHealed(
  context: RunContext,
  staged: StagedRows,
  now: Profile,
  breaches: readonly Breach[],
): Promise<string | undefined> {
  const [published, ...earlier] = await retainedFiles(context, staged.published);
  const wrong = published && (await profileIfReadable(context, staged, published));
  if (!wrong) return undefined;
  const isNearer = (one: Profile, to: Profile, than: Profile) =>
    breaches.every(({ distance }) => distance(one, to) < distance(one, than));
  const oldestFirst = [published, ...earlier].sort((a, b) => (a.since < b.since ? -1 : 1));
  let found: string | undefined;
  for (const one of oldestFirst) {
    const profile = one === published ? wrong : await profileIfReadable(context, staged, one);
    if (!profile) continue;
    if (isNearer(profile, wrong, now)) break;
    if (isNearer(profile, now, wrong) && (await haveSameKeys(context, staged, one.from))) found = one.snapshot;
  }
  return found;
}

async function haveSameKeys({ database }: RunContext, staged: StagedRows, other: string): Promise<boolean> {
  const key = TABLES[staged.published.table].key.map(quoteIdentifier).join(", ");
  const reader = await database.connection.runAndReadAll(
    `WITH a AS (SELECT ${key} FROM ${staged.from}), b AS (SELECT ${key} FROM ${other})
     SELECT (SELECT count(*) FROM a)::INTEGER, (SELECT count(*) FROM b)::INTEGER, (SELECT count(*) FROM a JOIN b USING (${key}))::INTEGER`,
  );
  const [a = 0, b = 0, both = 0] = (reader.getRowsJS()[0] ?? []) as number[];
  return both >= SAME_KEYS * Math.max(a, b);
}
