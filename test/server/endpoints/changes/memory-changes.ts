/**
 * Published changes in memory, and a pool that answers the statements over their files. It is no database: of a statement's text it takes the files that
 * it is over, and the conditions that tests ask for.
 */
import type { ChangeKind } from "../../../../pipeline/contract/rows/change.ts";
import type { Term } from "../../../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../../../../server/duckdb/pool.ts";
import { type Fragment, statementText } from "../../../../server/duckdb/sql.ts";
import { changesEndpoint } from "../../../../server/endpoints/changes/changes.ts";
import type { ChangeValues } from "../../../../server/endpoints/changes/change-filters.ts";
import { NOBODY } from "../../../../server/duckdb/query.ts";
import type { EndpointContext, List } from "../../../../server/response/endpoint.ts";
import type { PublishedSnapshot } from "../../../../server/snapshot/generation.ts";
import { createParts } from "../../../../server/snapshot/loading/parts.ts";

export interface MemoryChange extends Term {
  readonly at: string;
  readonly snapshot: string;
  readonly kind: ChangeKind;
  readonly instructors: readonly string[];
  readonly sectionCode: string;
}

export const monthOf = ({ at }: Pick<MemoryChange, "at">): string => at.slice(0, 7);
export const idOf = (publication: number): string => String(publication).padStart(16, "0");
export const shown = (change: MemoryChange): string => JSON.stringify({ ...change, before: null, after: null });

/** No two changes are at the same time. */
const cursorOf = ({ at, sectionCode }: MemoryChange): string => `${at}_${sectionCode}`;

/** By path, which names the content too. */
const contents = new Map<string, readonly MemoryChange[]>();
let files = 0;

/**
 * A snapshot with all of these changes, oldest first; files of a term and month that did not change are those of `before`. They are by name, as in a manifest.
 * @param times the manifest tells so many times as many rows as there are
 */
export function generationOf(
  changes: readonly MemoryChange[],
  before?: PublishedSnapshot,
  times = 1,
): PublishedSnapshot {
  const parts = new Map<string, MemoryChange[]>();
  for (const change of changes) {
    const key = `${change.year}-${change.quarter}-${monthOf(change)}`;
    const part = parts.get(key);
    if (part) part.push(change);
    else parts.set(key, [change]);
  }
  const published = [...parts].map(([key, rows]) => {
    const same = before?.manifest.files.find(
      ({ path }) => path.startsWith(`${key}-`) && contents.get(`/${path}`)?.length === rows.length,
    );
    if (same) return same;
    const [{ year, quarter }] = rows as [MemoryChange];
    const path = `${key}-${++files}`;
    contents.set(`/${path}`, rows);
    const month = monthOf(rows[0] as MemoryChange);
    return {
      table: "changes",
      partition: { year, quarter, month },
      path,
      sha256: path,
      rows: times * rows.length,
      bytes: 0,
    };
  });
  const [id, createdAt] = [changes.at(-1)?.snapshot ?? idOf(0), changes.at(-1)?.at ?? ""];
  return {
    folder: "/",
    manifest: { id, createdAt, files: published.toSorted((a, b) => (a.path < b.path ? -1 : 1)) },
  } as unknown as PublishedSnapshot;
}

interface Found {
  readonly change: MemoryChange;
  readonly file: number;
  readonly row: number;
}

const pathsIn = (text = ""): string[] => Array.from(text.matchAll(/'([^']*)'/g), ([, path = ""]) => path);
const FILES = /read_parquet\(\[([^\]]*)\]/;

/** The rows of the statement's files that meet its conditions, in their order. */
function rowsOf(text: string): Found[] {
  const rows = pathsIn(FILES.exec(text)?.[1]).flatMap((path, file) =>
    (contents.get(path) ?? []).map((change, row): Found => ({ change, file, row })),
  );
  const tests: ((found: Found) => boolean)[] = [];
  const each = (form: RegExp, test: (...groups: string[]) => (found: Found) => boolean) => {
    for (const [whole, ...groups] of text.matchAll(form)) {
      const holds = test(...groups);
      tests.push(whole.startsWith("NOT (") ? (found) => !holds(found) : holds);
    }
  };
  each(/(?:NOT \()?"at" (>|>=|<) (?:TIMESTAMPTZ )?'([^']*)'/g, (operator, time = "") => {
    const bound = new Date(time).toISOString();
    return ({ change: { at } }) => (operator === "<" ? at < bound : at > bound || (operator === ">=" && at === bound));
  });
  each(
    /list_contains\(\[([^\]]*)\]::VARCHAR\[\], kind\)/g,
    (kinds) =>
      ({ change }) =>
        pathsIn(kinds).includes(change.kind),
  );
  each(
    /(?:NOT \()?list_contains\(\[([^\]]*)\]::VARCHAR\[\], snapshot\)/g,
    (ids) =>
      ({ change }) =>
        pathsIn(ids).includes(change.snapshot),
  );
  each(/snapshot NOT IN \(SELECT snapshot FROM ([^)]*)\)/g, (relation) => {
    const known = new Set(rowsOf(relation ?? "").map(({ change }) => change.snapshot));
    return ({ change }) => !known.has(change.snapshot);
  });
  each(/instructors IN \(SELECT unnest\('(\[.*?\])'::JSON/g, (lists = "[]") => {
    const known = new Set((JSON.parse(lists) as string[][]).map((list) => JSON.stringify(list)));
    return ({ change }) => known.has(JSON.stringify(change.instructors));
  });
  each(
    / field\) > '([^']*)'/g,
    (cursor = "") =>
      ({ change }) =>
        cursorOf(change) > cursor,
  );
  const found = rows.filter((one) => tests.every((test) => test(one)));
  return found.toSorted((a, b) => (a.change.at < b.change.at ? -1 : Number(a.change.at > b.change.at)));
}

function counted<T>(values: readonly T[]): [T, number][] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

/** The columns of the statements over changes. */
function columnsOf(text: string): unknown[][] {
  const rows = rowsOf(text);
  const [, current] = /^WITH newest .* WHERE snapshot IN \('([^']*)', /s.exec(text) ?? [];
  if (current !== undefined) {
    const published = [current, rows.at(-1)?.change.snapshot];
    return [[rows.length - rows.findIndex(({ change }) => published.includes(change.snapshot))]];
  }
  if (text.startsWith("SELECT to_json(instructors)")) {
    const lists = counted(rows.map(({ change }) => JSON.stringify(change.instructors)));
    return [lists.map(([list]) => list), lists.map(([, count]) => count)];
  }
  if (text.endsWith("GROUP BY ALL")) {
    const byFile = counted(rows.map(({ file }) => file));
    return [byFile.map(([file]) => file), byFile.map(([, count]) => count)];
  }
  if (text.startsWith("SELECT DISTINCT snapshot")) return [[...new Set(rows.map(({ change }) => change.snapshot))]];
  const [, limit = Infinity, offset = 0] = / LIMIT (\d+) OFFSET (\d+)\)$/.exec(text) ?? [];
  const selected = rows.slice(Number(offset), Number(offset) + Number(limit)).map(({ change }) => change);
  const cursors = selected.map(cursorOf);
  if (text.startsWith("SELECT max(")) return [[cursors.at(-1)], [selected.map(shown).join(",")]];
  return text.startsWith("SELECT (strftime") ? [cursors, selected.map(shown)] : [selected.map(shown)];
}

export interface MemoryPool {
  readonly pool: Pool;
  /** The statements so far. */
  readonly statements: readonly string[];
}

export function memoryPool(): MemoryPool {
  const statements: string[] = [];
  const run = async (statement: Fragment) => {
    const text = statementText(statement);
    statements.push(text);
    return columnsOf(text);
  };
  const integers = async (statement: Fragment) =>
    (await run(statement)).map((column) => Int32Array.from(column as number[]));
  return { statements, pool: { columns: run, integers, signal: NOBODY.signal } as unknown as Pool };
}

/** How many rows a statement is over, as the manifest tells. */
export function rowsRead(text: string, { manifest }: PublishedSnapshot): number[] {
  return pathsIn(FILES.exec(text)?.[1]).map(
    (path) => manifest.files.find((file) => `/${file.path}` === path)?.rows ?? 0,
  );
}

/** The snapshots of a history, and what the last one is asked with. */
export function world(publications: readonly (readonly MemoryChange[])[], times: number, isRepublished = false) {
  const generations: PublishedSnapshot[] = [];
  for (const i of publications.keys())
    generations.push(generationOf(publications.slice(0, i + 1).flat(), generations.at(-1), times));
  const last = generations.at(-1) ?? generationOf([]);
  // A snapshot may have no changes of its own.
  const published = isRepublished ? { ...last, manifest: { ...last.manifest, id: "f".repeat(16) } } : last;
  const { pool, statements } = memoryPool();
  const context = {
    pool,
    snapshot: { published, parts: createParts(pool) },
    history: {
      retained: async () =>
        generations.map(({ manifest }, i) => ({
          id: manifest.id,
          generation: i,
          servedFrom: manifest.createdAt,
          servedUntil: null,
        })),
      readComplete: async ({ id }: { id: string }) => generations.find(({ manifest }) => manifest.id === id),
    },
    base: "/",
    address: () => "http://localhost/",
  } as unknown as EndpointContext;
  return { published, context, pool, statements };
}
export async function textOf(body: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  let text = "";
  for await (const part of body) text += part.toString();
  return text;
}
/** What the endpoint answers. */
export const answerOf = async (values: ChangeValues, context: EndpointContext) =>
  (await changesEndpoint.answer?.(values, context)) as List & Required<Pick<List, "feed">>;
