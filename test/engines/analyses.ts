/**
 * The analyses of `analyses/`, a statement each: `make sql` answers them unchanged, and so do other engines, over the
 * tables and the views.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tableRows } from "../../pipeline/contract/sql-text.ts";
import type { Table } from "../../pipeline/contract/table.ts";
import { TABLE_NAMES, TABLES } from "../../pipeline/contract/tables.ts";
import { VIEWS } from "../../pipeline/contract/views.ts";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { writeDuckLake } from "../../pipeline/lake/ducklake/write.ts";
import { ANALYSTS, type AnalystResult, type Answer, type Rows, sortAnswers, type Value } from "./analysts.ts";
import { runSql } from "../support/run-sql.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Compiled by `make setup`. */
const PIPELINE = join(HERE, "../../dist/current/pipeline/main.js");
const TIME_LIMIT_MS = 900_000;

export interface Analysis {
  readonly name: string;
  /** The comment above it. */
  readonly question: string;
  readonly sql: string;
}

/** Reads the analyses by name. */
export async function readAnalyses(): Promise<Analysis[]> {
  const folder = join(HERE, "analyses");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      return { name: name.slice(0, -".sql".length), question: /^-- (.+)\n/.exec(sql)?.[1] ?? "", sql };
    }),
  );
}

export interface AnalystJob {
  /** An empty one. */
  readonly folder: string;
  readonly python: string;
  /** The jars of Spark. */
  readonly jars: readonly string[];
}

/**
 * Compares the answers of each engine over the sample campus that `make build-data` builds with those of `make sql`.
 */
export async function runAnalyses({ folder, python, jars }: AnalystJob): Promise<AnalystResult[]> {
  const artifacts = join(folder, "artifacts");
  const env = { ...process.env, DATA_DIR: join(folder, "data"), ARTIFACTS_DIR: artifacts };
  await promisify(execFile)(process.execPath, [PIPELINE, "build"], { env, maxBuffer: Infinity });
  const published = await readCurrent(artifacts);
  if (!published) throw new Error("nothing is published");
  const analyses = await readAnalyses();
  const expected = new Map<string, Rows>();
  for (const { name, sql } of analyses) expected.set(name, await rowsInShell(artifacts, join(folder, "spill"), sql));
  const job = join(folder, "analyses.json");
  const ducklake = await writeLake(published, folder);
  await writeFile(job, JSON.stringify({ analyses, ...relationsOf(published), ducklake, jars, scratch: folder }));
  const results: AnalystResult[] = [];
  for (const [engine, script, where] of ANALYSTS)
    results.push({ engine, ...(await askAnalyst(engine, python, [join(HERE, script), job, where], expected)) });
  return results;
}

async function askAnalyst(
  engine: string,
  python: string,
  args: readonly string[],
  expected: ReadonlyMap<string, Rows>,
): Promise<Omit<AnalystResult, "engine">> {
  try {
    const { stdout } = await promisify(execFile)(python, args, { timeout: TIME_LIMIT_MS, maxBuffer: 1 << 26 });
    const line = stdout.trim().split("\n").at(-1) ?? "";
    const { version, answers } = JSON.parse(line) as { version: string; answers: Record<string, Answer> };
    return { version, ...sortAnswers(engine, expected, answers) };
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const problem = (stderr || message).trim().split("\n").slice(-3).join(" ").slice(-600);
    return { version: "", unchanged: [], adapted: [], beyond: [], problems: [problem] };
  }
}

/** The rows of `make sql`. */
export async function rowsInShell(artifacts: string, tempFolder: string, sql: string): Promise<Rows> {
  let text = "";
  for await (const piece of runSql(artifacts, sql, "json", { tempFolder })) text += piece;
  return (JSON.parse(text) as Record<string, Value>[]).map((row) => Object.values(row));
}

/** The files of each table, and tables and views as statements of DuckDB. */
function relationsOf({ folder, manifest }: PublishedSnapshot) {
  const files = Object.fromEntries(
    TABLE_NAMES.map((name) => [
      name,
      manifest.files.filter(({ table }) => table === name).map(({ path }) => `${folder}/${path}`),
    ]),
  );
  const tables = TABLE_NAMES.map((name): { name: string; select: string } => ({
    name,
    select: `FROM ${tableRows(TABLES[name] as Table, files[name] ?? [])}`,
  }));
  return { files, tables, views: VIEWS.map(({ name, select }) => ({ name, select })) };
}

/** The snapshot alone, over its files where they are. */
async function writeLake(published: PublishedSnapshot, folder: string): Promise<string> {
  const path = join(folder, "lake.ducklake");
  await writeDuckLake(path, {
    snapshots: [published],
    base: `${published.folder}/`,
    pathOf: (_, file) => file.path,
  });
  return path;
}
