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
import type { PublishedSnapshot } from "../../snapshot/generation.ts";
import { groupBy } from "../filters.ts";
import { placed, type Parts, type PlacedFile } from "../../snapshot/loading/parts.ts";
import { SECTION_NUMBER, sectionNumber, termNumber } from "../../snapshot/tables/enrollment-history.ts";
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
  section(place: Place): string;
  /** The periods by month, or in one. */
  readonly periods: readonly Periods[];
}

interface TermFiles {
  readonly sections: PlacedFile;
  readonly periods: readonly PlacedFile[];
}

const files = new WeakMap<PublishedSnapshot, ReadonlyMap<number, TermFiles>>();

function filesOf(published: PublishedSnapshot): ReadonlyMap<number, TermFiles> {
  const cached = files.get(published);
  if (cached) return cached;
  const filesOfTable = (table: TableName) => published.manifest.files.filter((file) => file.table === table);
  const months = filesOfTable("enrollment_periods").sort((a, b) =>
    (a.partition.month ?? "") < (b.partition.month ?? "") ? -1 : 1,
  );
  const filesByTerm = new Map(
    filesOfTable("enrollment_history").map((file) => {
      const term = termNumber(file.partition as Term);
      const termMonths = months.filter(({ partition }) => termNumber(partition as Term) === term);
      return [term, { sections: placed(published, file), periods: termMonths.map((file) => placed(published, file)) }];
    }),
  );
  files.set(published, filesByTerm);
  return filesByTerm;
}

/** Returns the loaded source; undefined if any file is not in memory. */
function loadedSource(parts: Parts, { sections, periods }: TermFiles): Source | undefined {
  const texts = parts.find(sectionParts, sections);
  const loaded = periods.map((file) => parts.find(periodParts, file));
  if (!texts || loaded.includes(undefined)) return undefined;
  return { section: ({ row }) => texts[row] as string, periods: loaded as Periods[] };
}

/** Selects the rows of sections, which are bound as a single text: binding each takes longer than the statement. */
function rowsOf(files: readonly PlacedFile[], places: readonly Place[]): Fragment {
  const codes = JSON.stringify([...new Set(places.map(({ code }) => String(code).padStart(5, "0")))]);
  const numbers = JSON.stringify(places.map(sectionNumber));
  return sql`${constant(readParquet(files.map(({ path }) => path)))}
    WHERE sectionCode IN (SELECT unnest(${codes}::JSON::VARCHAR[]))
    AND ${constant(SECTION_NUMBER)} IN (SELECT unnest(${numbers}::JSON::BIGINT[]))`;
}

/** Reads sections of any number of terms. */
async function readSource(pool: Pool, terms: readonly TermFiles[], places: readonly Place[]): Promise<Source> {
  const periods = terms.flatMap((term) => term.periods);
  const sections = rowsOf(
    terms.map((term) => term.sections),
    places,
  );
  const [[numbers = [], texts = []], readings] = await Promise.all([
    pool.columns(
      sql`SELECT ${constant(SECTION_NUMBER)}::DOUBLE, (${constant(SECTION_JSON)})::VARCHAR FROM ${sections}`,
      OVER_FILES,
    ),
    periods.length === 0 ? undefined : readPeriods(pool, rowsOf(periods, places)),
  ]);
  const textByNumber = new Map(numbers.map((number, i) => [number as number, texts[i] as string]));
  return { section: (place) => textByNumber.get(sectionNumber(place)) as string, periods: readings ? [readings] : [] };
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
  published: PublishedSnapshot,
  places: readonly Place[],
): Promise<ReadonlyMap<number, Source>> {
  const byTerm = groupBy(places, ({ term }) => term);
  const sources = new Map<number, Source>();
  const unloaded: number[] = [];
  for (const [term, termPlaces] of byTerm) {
    const termFiles = filesOf(published).get(term) as TermFiles;
    if (termPlaces.length >= WORTH_LOADING) await loadTerm(pool, parts, termFiles);
    const loaded = loadedSource(parts, termFiles);
    if (loaded) sources.set(term, loaded);
    else unloaded.push(term);
  }
  if (unloaded.length === 0) return sources;
  const termFiles = unloaded.map((term) => filesOf(published).get(term) as TermFiles);
  for (const { sections, periods } of termFiles) {
    parts.want(sectionParts, sections);
    for (const file of periods) parts.want(periodParts, file);
  }
  const source = await readSource(
    pool,
    termFiles,
    unloaded.flatMap((term) => byTerm.get(term) ?? []),
  );
  for (const term of unloaded) sources.set(term, source);
  return sources;
}
