/**
 * Compares what a run staged with what is published and with the retained snapshots of the last seven days. Published data may grow, shrink a little
 * and vary; it may not be emptied or written otherwise. An upstream that changes its form would do that without an error anywhere else.
 */
import type { Tally } from "../../contract/documents/tally.ts";
import type { KnownField, UnknownField } from "../../contract/source-fields.ts";
import { quoteLiteral } from "../../contract/sql-text.ts";
import type { Table } from "../../contract/table.ts";
import { partitionTitle } from "../../generations/layout.ts";
import { isDamaged, type RunContext } from "../context.ts";
import { causesOf, newFields } from "./causes.ts";
import { columnBreaches, formShare, newTermBreaches, share } from "./column-rules.ts";
import { type Distance, findHealed } from "./healing.ts";
import { noteOutside } from "./outside-values.ts";
import { lossesOf, type Profile, profileOf, type Rows } from "./profile.ts";
import {
  comparableOf,
  isOfLastDays,
  type PublishedPart,
  referencesOf,
  retainedFiles,
  soundRows,
} from "./references.ts";
import type { Reason } from "./refusals.ts";
import { shrinks, shrinkText } from "./shrink.ts";

/** Rows may fall by this much against the largest of the seven days; against the last run by less (`shrinks`). */
const MOST_SHRINK_IN_DAYS = 0.1;
const MOST_GROWTH = 1 / 3;
/** With more new keys than this share it is another source. */
const MOST_NEW_KEYS = 1 / 2;

export interface StagedRows {
  /** In messages: `2019 Fall, in sections,`. */
  readonly what: string;
  /** Whose columns are measured; they are among those of `published`. */
  readonly table: Table;
  readonly published: PublishedPart;
  /** The staged rows, as a relation; with the hash of their file, if they have one. */
  readonly from: string;
  readonly sha256?: string;
  /** What tells rows apart, where it is not the table's key. */
  readonly key?: readonly string[];
  /** What the parser knows, and what it met besides. */
  readonly known?: readonly KnownField[];
  readonly unknown?: readonly UnknownField[];
  /** How the number of rows is compared; without it, it is not. `before` is a count that takes the place of those of the files. */
  readonly rows?: { readonly before?: number; readonly isGrowthGuarded?: boolean };
  /** Links and filters name its keys: when most are new, it is refused. */
  readonly hasLastingKeys?: boolean;
  /** The columns of each quarter are compared by themselves: a sheet or a term is a part of the year. */
  readonly byQuarter?: boolean;
}

interface Breach extends Omit<Reason, "part"> {
  readonly distance: Distance;
}

/**
 * Why the rows must not replace what is published; nothing when they may, also because they return to what a retained snapshot held. Notes what empties
 * by its nature, and values that have not the form of their column.
 */
export async function reasonsFor(context: RunContext, staged: StagedRows, tally: Tally): Promise<Reason[]> {
  const { published, what, table, from, key = table.key } = staged;
  const { connection } = context.database;
  const rowsOf = (relation: string): Rows => ({ table, key, from: relation });
  const profiles = new Map<string, Promise<Profile>>();
  const profile = (relation: string): Promise<Profile> => {
    const known = profiles.get(relation) ?? profileOf(connection, rowsOf(relation));
    profiles.set(relation, known);
    return known;
  };
  const losses = (before: string, now: string) => lossesOf(connection, rowsOf(before), rowsOf(now));
  const now = await profile(from);
  await noteOutside(connection, rowsOf(from), what, now, tally);

  const listed = context.staging.find(published.table, published.partition);
  // A damaged file that comes back as it was.
  if (listed && isDamaged(context, published.table, published.partition) && staged.sha256 === listed.sha256) return [];
  const references = await referencesOf(context, published);
  if (listed && references.length === 0) {
    const text = `${what} is damaged, and no sound version is retained to compare ${now.rows} rows with (${listed.rows} before)`;
    return [{ part: published, column: "copy", text }];
  }
  const breaches: Breach[] = [];
  const noted = new Set<string>();
  const [newest] = references;
  if (listed && staged.rows) {
    const text = await rowText(context, staged, staged.rows, now.rows);
    const distance: Distance = async (a, b) => Math.abs((await profile(a)).rows - (await profile(b)).rows);
    if (text !== undefined) breaches.push({ column: "rows", text, distance });
  }
  if (newest && staged.hasLastingKeys) {
    const distance: Distance = async (a, b) => -(await losses(a, b)).common;
    const { common, keysNow } = await losses(newest.from, from);
    const text = `${what} would have new keys in ${keysNow - common} of ${keysNow} rows: links and filters by them would find nothing`;
    if (keysNow - common > keysNow * MOST_NEW_KEYS) breaches.push({ column: "keys", text, distance });
  }
  for (const slice of now.rows === 0 ? [] : await slicesOf(context, staged))
    breaches.push(...(await sliceBreaches(slice)));
  if (breaches.length === 0) return [];
  const versions = await retainedFiles(context, published);
  const distances = breaches.map(({ distance }) => distance);
  const healed = await findHealed(from, versions, distances, losses);
  if (healed === undefined) return breaches.map(({ column, text }) => ({ part: published, column, text }));
  tally.note(`a return to what snapshot ${healed} held`, breaches.map(({ text }) => text).join("; "));
  context.accepted.add(partitionTitle(published));
  return [];

  /** Each column once, by the newest version that tells. */
  async function sliceBreaches({ name, of }: Slice): Promise<Breach[]> {
    const sliceNow = await profile(of(from));
    const { known = [], unknown = [] } = staged;
    const fresh = newFields(context, published, unknown);
    const prefix = name === undefined ? "" : `${name} `;
    const compared = {
      what: name === undefined ? what : `${what.replace(/,$/, "")}, ${name},`,
      table,
      key,
      now: sliceNow,
      causesOf: (column: string) => causesOf(fresh, known, column),
    };
    const found = new Map<string, Breach>();
    let isCompared = false;
    for (const reference of references) {
      const before = await profile(of(reference.from)).catch(() => undefined);
      // A file of an earlier snapshot may be damaged: then it says nothing.
      if (before === undefined || before.rows === 0) continue;
      isCompared = true;
      const both = await losses(of(reference.from), of(from));
      for (const breach of columnBreaches({ ...compared, before, losses: both.common === 0 ? undefined : both }))
        add(breach);
    }
    const other = isCompared ? undefined : comparableOf(context, published);
    if (other) {
      const before = await profile(of(await soundRows(context, other)));
      if (before.rows > 0) for (const breach of newTermBreaches({ ...compared, before })) add(breach);
    }
    return [...found.values()];

    function add({ column, text, isSerious, isFormBreach }: ReturnType<typeof columnBreaches>[number]): void {
      if (found.has(column) || noted.has(prefix + column)) return;
      if (!isSerious) {
        noted.add(prefix + column);
        return tally.note("a column that emptied", text);
      }
      const part = isFormBreach ? formShare : share;
      const distance: Distance = async (a, b) =>
        Math.abs(part(await profile(of(a)), column) - part(await profile(of(b)), column));
      found.set(column, { column: prefix + column, text, distance });
    }
  }
}

interface Slice {
  readonly name?: string;
  /** Its rows of a relation. */
  readonly of: (relation: string) => string;
}

/** The whole part, or each of its quarters that has staged rows. */
async function slicesOf({ database }: RunContext, { byQuarter = false, from }: StagedRows): Promise<Slice[]> {
  if (!byQuarter) return [{ of: (relation) => relation }];
  const reader = await database.connection.runAndReadAll(`SELECT DISTINCT quarter FROM ${from} ORDER BY quarter`);
  return (reader.getColumnsJS()[0] as string[]).map((name) => ({
    name,
    of: (relation) => `(FROM ${relation} WHERE quarter = ${quoteLiteral(name)})`,
  }));
}

/** What is wrong with the number of rows. */
async function rowText(
  context: RunContext,
  { what, published }: StagedRows,
  { before: given, isGrowthGuarded = false }: NonNullable<StagedRows["rows"]>,
  now: number,
): Promise<string | undefined> {
  const before = given ?? context.staging.find(published.table, published.partition)?.rows ?? 0;
  if (shrinks(before, now)) return shrinkText(what, before, now);
  const files = given === undefined ? await retainedFiles(context, published) : [];
  const most = Math.max(0, ...files.filter(isOfLastDays(context, published)).map(({ file }) => file.rows));
  if (now < most * (1 - MOST_SHRINK_IN_DAYS)) return `${shrinkText(what, most, now)} within seven days`;
  return isGrowthGuarded && now > before * (1 + MOST_GROWTH)
    ? `${what} would grow from ${before} to ${now}`
    : undefined;
}
