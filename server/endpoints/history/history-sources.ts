/**
 * Where the histories of a term are read from: what is in memory of its files, or else the files themselves, of which a few sections are read sooner than the
 * whole is loaded.
 */
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import type { TableName } from "../../../pipeline/contract/tables.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { slice } from "../../snapshot/loading/json-rows.ts";
import { placed, type Parts, type PlacedFile } from "../../snapshot/loading/parts.ts";
import { termNumber } from "../../snapshot/tables/enrollment-history.ts";
import {
  type Periods,
  periodParts,
  readPeriods,
  SECTION_JSON,
  sectionParts,
} from "../../snapshot/tables/enrollment-parts.ts";

/** A section, by its row in the file of its term and its code. */
export interface Place {
  readonly term: number;
  readonly row: number;
  readonly code: number;
}

export interface Source {
  /** JSON. */
  section(row: number): string;
  /** By month. */
  readonly periods: readonly Periods[];
}

interface TermFiles {
  readonly sections: PlacedFile;
  readonly periods: readonly PlacedFile[];
}

const files = new WeakMap<Generation, ReadonlyMap<number, TermFiles>>();

/** By the term's number. */
function filesOf(generation: Generation): ReadonlyMap<number, TermFiles> {
  const known = files.get(generation);
  if (known) return known;
  const of = (table: TableName) => generation.manifest.files.filter((file) => file.table === table);
  const months = of("enrollment_periods").sort((a, b) =>
    (a.partition.month ?? "") < (b.partition.month ?? "") ? -1 : 1,
  );
  const found = new Map(
    of("enrollment_history").map((file) => {
      const term = termNumber(file.partition as Term);
      const own = months.filter(({ partition }) => termNumber(partition as Term) === term);
      return [term, { sections: placed(generation, file), periods: own.map((one) => placed(generation, one)) }];
    }),
  );
  files.set(generation, found);
  return found;
}

/** Undefined where something is not in memory. */
function loadedSource(parts: Parts, { sections, periods }: TermFiles): Source | undefined {
  const texts = parts.find(sectionParts, sections);
  const loaded = periods.map((file) => parts.find(periodParts, file));
  if (!texts || loaded.includes(undefined)) return undefined;
  return { section: (row) => slice(texts, row, row + 1).toString(), periods: loaded as Periods[] };
}

const rowsOf = (paths: readonly PlacedFile[]): Fragment => constant(readParquet(paths.map(({ path }) => path)));

/** The numbers travel as one text: binding each by itself takes longer than the statement. */
const isOneOf = (column: string, numbers: readonly number[], type: "BIGINT" | "VARCHAR"): Fragment =>
  sql`${constant(column)} IN (SELECT unnest(${JSON.stringify(numbers.map((one) => (type === "VARCHAR" ? String(one).padStart(5, "0") : one)))}::JSON::${constant(type)}[]))`;

async function readSource(pool: Pool, { sections, periods }: TermFiles, places: readonly Place[]): Promise<Source> {
  const codes = places.map(({ code }) => code);
  const [[rows = [], texts = []], found] = await Promise.all([
    pool.columns(
      sql`SELECT file_row_number::INTEGER, (${constant(SECTION_JSON)})::VARCHAR FROM ${rowsOf([sections])}
        WHERE ${isOneOf(
          "file_row_number",
          places.map(({ row }) => row),
          "BIGINT",
        )}`,
      OVER_FILES,
    ),
    periods.length === 0
      ? undefined
      : readPeriods(pool, sql`${rowsOf(periods)} WHERE ${isOneOf("sectionCode", codes, "VARCHAR")}`),
  ]);
  const byRow = new Map(rows.map((row, i) => [row as number, texts[i] as string]));
  return { section: (row) => byRow.get(row) as string, periods: found ? [found] : [] };
}

/** So many sections of a term are not sooner read without loading it. */
const WORTH_LOADING = 64;

async function loadTerm(pool: Pool, parts: Parts, { sections, periods }: TermFiles): Promise<void> {
  await Promise.all([
    parts.load(sectionParts, sections, pool),
    ...periods.map((file) => parts.load(periodParts, file, pool)),
  ]);
}

/** The sources of these sections by term; what is not in memory is loaded behind the answer. */
export async function sourcesOf(
  pool: Pool,
  parts: Parts,
  generation: Generation,
  places: readonly Place[],
): Promise<ReadonlyMap<number, Source>> {
  const byTerm = new Map<number, Place[]>();
  for (const place of places) {
    const own = byTerm.get(place.term);
    if (own) own.push(place);
    else byTerm.set(place.term, [place]);
  }
  const sources = [...byTerm].map(async ([term, own]) => {
    const termFiles = filesOf(generation).get(term) as TermFiles;
    if (own.length >= WORTH_LOADING) await loadTerm(pool, parts, termFiles);
    const loaded = loadedSource(parts, termFiles);
    if (loaded) return [term, loaded] as const;
    parts.want(sectionParts, termFiles.sections);
    for (const file of termFiles.periods) parts.want(periodParts, file);
    return [term, await readSource(pool, termFiles, own)] as const;
  });
  return new Map(await Promise.all(sources));
}
