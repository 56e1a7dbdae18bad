/**
 * Reads the histories of a term from memory if its files are loaded, else from the files: reading a few sections is
 * faster than loading everything.
 */
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import type { TableName } from "../../../pipeline/contract/tables.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { placed, type Parts, type PlacedFile } from "../../snapshot/loading/parts.ts";
import { termNumber } from "../../snapshot/tables/enrollment-history.ts";
import {
  type Periods,
  periodParts,
  readPeriods,
  SECTION_JSON,
  sectionParts,
} from "../../snapshot/tables/enrollment-parts.ts";

/** A section by its code and its row in the file of its term. */
export interface Place {
  readonly term: number;
  readonly row: number;
  readonly code: number;
}

export interface Source {
  /** Returns the JSON of a section. */
  section(row: number): string;
  /** The periods by month. */
  readonly periods: readonly Periods[];
}

interface TermFiles {
  readonly sections: PlacedFile;
  readonly periods: readonly PlacedFile[];
}

const files = new WeakMap<Generation, ReadonlyMap<number, TermFiles>>();

/** Returns the files by term number. */
function filesOf(generation: Generation): ReadonlyMap<number, TermFiles> {
  const cached = files.get(generation);
  if (cached) return cached;
  const filesOfTable = (table: TableName) => generation.manifest.files.filter((file) => file.table === table);
  const months = filesOfTable("enrollment_periods").sort((a, b) =>
    (a.partition.month ?? "") < (b.partition.month ?? "") ? -1 : 1,
  );
  const filesByTerm = new Map(
    filesOfTable("enrollment_history").map((file) => {
      const term = termNumber(file.partition as Term);
      const termMonths = months.filter(({ partition }) => termNumber(partition as Term) === term);
      return [
        term,
        { sections: placed(generation, file), periods: termMonths.map((file) => placed(generation, file)) },
      ];
    }),
  );
  files.set(generation, filesByTerm);
  return filesByTerm;
}

/** Returns the loaded source; undefined if any file is not in memory. */
function loadedSource(parts: Parts, { sections, periods }: TermFiles): Source | undefined {
  const texts = parts.find(sectionParts, sections);
  const loaded = periods.map((file) => parts.find(periodParts, file));
  if (!texts || loaded.includes(undefined)) return undefined;
  return { section: (row) => texts[row] as string, periods: loaded as Periods[] };
}

const rowsOf = (paths: readonly PlacedFile[]): Fragment => constant(readParquet(paths.map(({ path }) => path)));

/** Tests a column against numbers, which are bound as a single text: binding each takes longer than the statement. */
const isOneOf = (column: string, numbers: readonly number[], type: "BIGINT" | "VARCHAR"): Fragment =>
  sql`${constant(column)} IN (SELECT unnest(${JSON.stringify(numbers.map((number) => (type === "VARCHAR" ? String(number).padStart(5, "0") : number)))}::JSON::${constant(type)}[]))`;

async function readSource(pool: Pool, { sections, periods }: TermFiles, places: readonly Place[]): Promise<Source> {
  const codes = places.map(({ code }) => code);
  const [[rows = [], texts = []], foundPeriods] = await Promise.all([
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
  return { section: (row) => byRow.get(row) as string, periods: foundPeriods ? [foundPeriods] : [] };
}

/** From this number of sections of a term on, loading the term is faster than reading sections. */
const WORTH_LOADING = 64;

async function loadTerm(pool: Pool, parts: Parts, { sections, periods }: TermFiles): Promise<void> {
  await Promise.all([
    parts.load(sectionParts, sections, pool),
    ...periods.map((file) => parts.load(periodParts, file, pool)),
  ]);
}

/** Returns the sources of sections by term; files that are not in memory are loaded in the background. */
export async function sourcesOf(
  pool: Pool,
  parts: Parts,
  generation: Generation,
  places: readonly Place[],
): Promise<ReadonlyMap<number, Source>> {
  const byTerm = new Map<number, Place[]>();
  for (const place of places) {
    const termPlaces = byTerm.get(place.term);
    if (termPlaces) termPlaces.push(place);
    else byTerm.set(place.term, [place]);
  }
  const sources = [...byTerm].map(async ([term, termPlaces]) => {
    const termFiles = filesOf(generation).get(term) as TermFiles;
    if (termPlaces.length >= WORTH_LOADING) await loadTerm(pool, parts, termFiles);
    const loaded = loadedSource(parts, termFiles);
    if (loaded) return [term, loaded] as const;
    parts.want(sectionParts, termFiles.sections);
    for (const file of termFiles.periods) parts.want(periodParts, file);
    return [term, await readSource(pool, termFiles, termPlaces)] as const;
  });
  return new Map(await Promise.all(sources));
}
