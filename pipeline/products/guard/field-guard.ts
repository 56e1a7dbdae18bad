/**
 * Compares the staged data with the published data and with the retained snapshots of the last seven days. Published
 * data may grow, shrink a little and vary; it must not be emptied or written differently. An upstream that changes its
 * format could do that without any other error.
 */
import { samePart } from "../../contract/documents/manifest.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import type { KnownField, UnknownField } from "../../contract/source-fields.ts";
import { quoteLiteral } from "../../contract/sql-text.ts";
import type { Table } from "../../contract/table.ts";
import { filePath, partitionTitle } from "../../store/layout.ts";
import { isDamaged, type RunContext } from "../context.ts";
import { causesOf, newFields } from "./causes.ts";
import {
  type ColumnBreach,
  columnBreaches,
  type Compared,
  formShare,
  newTermBreaches,
  share,
  shareOfValue,
  vanishedValues,
} from "./column-rules.ts";
import { type Distance, findHealed } from "./healing.ts";
import { noteOutside } from "./outside-values.ts";
import { type Counts, createCounts, type Losses, NOTHING, type Profile } from "./profile.ts";
import {
  comparableOf,
  isOfLastDays,
  type PublishedPart,
  type Reference,
  referencesOf,
  retainedFiles,
  soundRows,
} from "./references.ts";
import type { Reason } from "./refusals.ts";
import { shrinks, shrinkText } from "./shrink.ts";

/** Rows may shrink by this share of the largest of the seven days; against the last run by less (`shrinks`). */
const MOST_SHRINK_IN_DAYS = 0.1;
const MOST_GROWTH = 1 / 3;
/** With more new keys than this share, it is another source. */
const MOST_NEW_KEYS = 1 / 2;

export interface StagedRows {
  /** The name of the rows in messages: `2019 Fall, in sections,`. */
  readonly what: string;
  /** The table whose columns are measured; they are among those of `published`. */
  readonly table: Table;
  readonly published: PublishedPart;
  /** The staged rows, as a relation, and the hash of their file, if they have one. */
  readonly from: string;
  readonly sha256?: string;
  /** The columns that identify rows, if not the table's key. */
  readonly key?: readonly string[];
  /** The fields that the parser knows, and the unknown ones that it met. */
  readonly known?: readonly KnownField[];
  readonly unknown?: readonly UnknownField[];
  /** How the number of rows is compared; absent: not at all. `before` replaces the count of the published files. */
  readonly rows?: { readonly before?: number; readonly isGrowthGuarded?: boolean };
  /** True when links and filters use its keys: the rows are refused when most keys are new. */
  readonly hasLastingKeys?: boolean;
  /**
   * Compares the columns of each quarter separately, since a sheet or a term is a part of the year. A quarter that
   * loses all its rows is refused, unless it may vanish with the terms that the table follows.
   */
  readonly byQuarter?: "must stay" | "may vanish";
}

interface Breach extends Omit<Reason, "part"> {
  readonly distance: Distance;
}

/** A single comparison, in which the database counts each relation once. */
interface Comparison {
  readonly context: RunContext;
  readonly staged: StagedRows;
  readonly counts: Counts;
  readonly tally: Tally;
}

/**
 * The reasons why the rows must not replace the published ones; empty when they may, including when they return to the
 * content of a retained snapshot. Notes columns that the calendar may empty, and values without the form of their
 * column.
 */
export async function reasonsFor(context: RunContext, staged: StagedRows, tally: Tally): Promise<Reason[]> {
  const { published, what, table, from, sha256, key = table.key } = staged;
  // The name of a file is that of its content; other relations change under the same name.
  const profiles = sha256 === undefined ? undefined : context.profiles;
  const counts = createCounts(context.database.connection, table, key, profiles);
  const now = await counts.profile(from);
  await noteOutside(context.database.connection, { table, from }, what, now, tally);
  const listed = context.staging.find(published.table, published.partition);
  if (isPublished(context, staged) || isBack(context, staged)) return [];
  const references = await referencesOf(context, published);
  const [newest] = references;
  if (listed && !newest) {
    const text = `${what} is damaged, and no sound version is retained to compare ${now.rows} rows with (${listed.rows} before)`;
    return [{ part: published, column: "copy", text }];
  }
  const comparison = { context, staged, counts, tally };
  const breaches = listed ? await rowBreaches(comparison, listed.rows, now.rows) : [];
  if (newest) breaches.push(...(await keyBreaches(comparison, newest)));
  for (const slice of now.rows === 0 ? [] : await slicesOf(comparison))
    breaches.push(...(await sliceBreaches(comparison, references, slice)));
  if (breaches.length === 0) return [];
  const distances = breaches.map(({ distance }) => distance);
  const healed = await findHealed(from, await retainedFiles(context, published), distances, counts.losses);
  if (healed === undefined) return breaches.map(({ column, text }) => ({ part: published, column, text }));
  tally.note(`a return to the content of snapshot ${healed}`, breaches.map(({ text }) => text).join("; "));
  context.accepted.add(partitionTitle(published));
  return [];
}

/** True when the file itself is published: it replaces nothing. */
function isPublished(context: RunContext, { published: { table, partition }, sha256 }: StagedRows): boolean {
  const listed = context.staging.find(table, partition);
  return listed !== undefined && listed.sha256 === sha256 && !isDamaged(context, table, partition);
}

/**
 * True when a damaged file returns unchanged. For a file that no manifest lists, only the hash in its path is known.
 */
function isBack({ staging }: RunContext, { published: { table, partition }, sha256 }: StagedRows): boolean {
  const damaged = staging.lost().find((file) => samePart(file, { table, partition }));
  return damaged !== undefined && sha256 !== undefined && damaged.path === filePath(table, partition, sha256);
}

/** The breaches in the number of rows. */
async function rowBreaches({ context, staged, counts }: Comparison, published: number, now: number): Promise<Breach[]> {
  const { what, published: part, rows } = staged;
  if (!rows) return [];
  const distance: Distance = async (a, b) => Math.abs((await counts.profile(a)).rows - (await counts.profile(b)).rows);
  const breach = (text: string): Breach[] => [{ column: "rows", text, distance }];
  const previous = rows.before ?? published;
  if (shrinks(previous, now)) return breach(shrinkText(what, previous, now));
  const files = rows.before === undefined ? await retainedFiles(context, part) : [];
  const most = Math.max(0, ...files.filter(isOfLastDays(context, part)).map(({ file }) => file.rows));
  if (now < most * (1 - MOST_SHRINK_IN_DAYS)) return breach(`${shrinkText(what, most, now)} within seven days`);
  if (rows.isGrowthGuarded && now > previous * (1 + MOST_GROWTH))
    return breach(`${what} would grow from ${previous} to ${now}`);
  return [];
}

async function keyBreaches({ staged, counts }: Comparison, newest: Reference): Promise<Breach[]> {
  if (!staged.hasLastingKeys) return [];
  const { common, keysNow } = await counts.losses(newest.from, staged.from);
  const fresh = keysNow - common;
  if (fresh <= keysNow * MOST_NEW_KEYS) return [];
  const text = `${staged.what} would have new keys in ${fresh} of ${keysNow} rows: links and filters by them would find nothing`;
  return [{ column: "keys", text, distance: async (a, b) => -(await counts.losses(a, b)).common }];
}

/** A quarter, or the whole part. */
interface Slice {
  readonly name?: string;
  /** The slice's rows of a relation. */
  readonly of: (relation: string) => string;
  /** The profile of the slice's rows of a relation. */
  readonly profile: (relation: string) => Promise<Profile>;
  /** The only column to compare, by its values. */
  readonly only?: string;
}

async function slicesOf({ counts, staged: { byQuarter, from } }: Comparison): Promise<Slice[]> {
  const whole: Slice = { of: (relation) => relation, profile: counts.profile };
  if (!byQuarter) return [whole];
  const names = [...(await counts.quarters(from)).keys()];
  const quarters = names.map((name): Slice => ({
    name,
    of: (relation) => `(FROM ${relation} WHERE quarter = ${quoteLiteral(name)})`,
    profile: async (relation) => (await counts.quarters(relation)).get(name) ?? NOTHING,
  }));
  return byQuarter === "may vanish" ? quarters : [...quarters, { ...whole, only: "quarter" }];
}

/** The breaches of each column, by the newest version that shows any. */
async function sliceBreaches(
  { context, staged, counts, tally }: Comparison,
  references: readonly Reference[],
  { name, of, profile, only }: Slice,
): Promise<Breach[]> {
  const { published, what, table, from, key = table.key, known = [], unknown = [] } = staged;
  const fresh = newFields(context, published, unknown);
  const compared: Omit<Compared, "before"> = {
    what: name === undefined ? what : `${what}, ${name},`,
    table,
    key,
    now: await profile(from),
    causesOf: (column) => causesOf(fresh, known, column),
  };
  const breachOfColumn = new Map<string, ColumnBreach>();
  const add = (breaches: readonly ColumnBreach[]) => {
    for (const breach of breaches) {
      const title = titleOf(breach);
      const existing = breachOfColumn.get(title);
      if (!existing || (breach.isSerious && !existing.isSerious)) breachOfColumn.set(title, breach);
    }
  };
  let isCompared = false;
  for (const [i, reference] of references.entries()) {
    // A file of an earlier snapshot may be damaged: skip it.
    const previous = await profile(reference.from).catch(() => undefined);
    if (previous === undefined || previous.rows === 0) continue;
    isCompared = true;
    const breaches =
      only === undefined
        ? columnBreaches({
            ...compared,
            before: previous,
            losses: await lossesIn(counts, of(reference.from), of(from)),
          })
        : vanishedValues({ ...compared, before: previous }).filter(({ column }) => column === only);
    // The run that first sees it notes that a value vanished naturally.
    add(breaches.filter(({ isSerious, value }) => isSerious || value === undefined || i === 0));
  }
  const other = isCompared || only !== undefined ? undefined : comparableOf(context, published);
  const previous = other && (await profile(await soundRows(context, other)));
  if (previous) add(newTermBreaches({ ...compared, before: previous }));

  const all = [...breachOfColumn.values()];
  for (const { text, value } of all.filter(({ isSerious }) => !isSerious))
    tally.note(value === undefined ? "a column that emptied" : "a value that vanished", text);
  return all
    .filter(({ isSerious }) => isSerious)
    .map((breach) => {
      const part = measuredBy(breach);
      const distance: Distance = async (a, b) => Math.abs(part(await profile(a)) - part(await profile(b)));
      const title = titleOf(breach);
      return { column: name === undefined ? title : `${name} ${title}`, text: breach.text, distance };
    });
}

/** Undefined when the versions have no common keys. */
async function lossesIn(counts: Counts, previous: string, now: string): Promise<Losses | undefined> {
  const losses = await counts.losses(previous, now);
  return losses.common === 0 ? undefined : losses;
}

const titleOf = ({ column, value }: ColumnBreach): string => (value === undefined ? column : `${column} ${value}`);

/** The share of rows by which two versions are compared after a breach. */
function measuredBy({ column, value, isFormBreach }: ColumnBreach): (profile: Profile) => number {
  if (value !== undefined) return (profile) => shareOfValue(profile, column, value);
  return (profile) => (isFormBreach ? formShare : share)(profile, column);
}
