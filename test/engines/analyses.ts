/** The analyses of `analyses/`, a statement each: `make sql` answers them unchanged, and so do other engines, over the tables and the views. */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { VIEWS } from "../../pipeline/contract/views.ts";
import { readCurrent } from "../../pipeline/generations/generation.ts";
import { writeDuckLake } from "../../pipeline/lake/ducklake/write.ts";
import { runSql } from "../../pipeline/publish/sql/sql-shell.ts";
import type { World } from "./world.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const TIME_LIMIT_MS = 900_000;

/** The engines, their scripts and arguments. */
export const ANALYSTS = [
  ["DuckDB for Python, DuckLake", "analyses_duckdb.py", "DuckLake"],
  ["DuckDB for Python, Parquet", "analyses_duckdb.py", "Parquet"],
  ["Apache Spark, Parquet", "analyses_spark.py", ""],
] as const;

/** What an engine cannot do, by the start of its name and analysis. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  // Spark 4.0 parses WITH RECURSIVE, and has no plan for it.
  "Apache Spark": ["prerequisite_depth"],
};

export interface Analysis {
  readonly name: string;
  /** The comment above it. */
  readonly question: string;
  readonly sql: string;
}

/** By name. */
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

type Value = string | number | boolean | null;
type Rows = readonly (readonly Value[])[];

/** The rows of a statement in `make sql`, their values in the order of the columns. */
export async function rowsInShell<Row = Record<string, Value>>(
  { artifacts, tempFolder }: { artifacts: string; tempFolder: string },
  sql: string,
): Promise<Row[]> {
  let text = "";
  for await (const piece of runSql(artifacts, sql, "json", { tempFolder })) text += piece;
  return JSON.parse(text) as Row[];
}

interface Answer {
  readonly rows?: Rows;
  readonly error?: string;
  /** Some of it is spelled otherwise. */
  readonly adapted?: boolean;
}

export interface AnalystResult {
  readonly engine: string;
  readonly version: string;
  /** Names of the analyses with the rows of `make sql`. */
  readonly unchanged: readonly string[];
  readonly adapted: readonly string[];
  readonly beyond: readonly string[];
  /** A line for each analysis that is none of them. */
  readonly problems: readonly string[];
}

/** The newer snapshot's answers by each engine, compared with those of `make sql`. */
export async function runAnalyses(world: World, job: string, python: string): Promise<AnalystResult[]> {
  const analyses = await readAnalyses();
  const shell = { artifacts: world.artifacts, tempFolder: join(world.folder, "spill") };
  const expected = new Map<string, Rows>();
  for (const { name, sql } of analyses)
    expected.set(
      name,
      (await rowsInShell(shell, sql)).map((row) => Object.values(row)),
    );
  const path = join(world.folder, "analyses.json");
  const more = { analyses, views: VIEWS, ducklake: await writeLake(world) };
  await writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(job, "utf8")) as object), ...more }));
  const results: AnalystResult[] = [];
  for (const [engine, script, where] of ANALYSTS) results.push(await askAnalyst(engine, [script, path, where]));
  return results;

  async function askAnalyst(engine: string, [script, ...args]: [string, ...string[]]): Promise<AnalystResult> {
    const options = { timeout: TIME_LIMIT_MS, maxBuffer: 1 << 26 };
    try {
      const { stdout } = await promisify(execFile)(python, [join(HERE, script), ...args], options);
      const line = stdout.trim().split("\n").at(-1) ?? "";
      const { version, answers } = JSON.parse(line) as { version: string; answers: Record<string, Answer> };
      return { engine, version, ...sortAnswers(engine, expected, answers) };
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      const problem = (stderr || message).trim().split("\n").slice(-3).join(" ").slice(-600);
      return { engine, version: "", unchanged: [], adapted: [], beyond: [], problems: [problem] };
    }
  }
}

/** The newest snapshot alone, over the files where they are. */
async function writeLake({ artifacts, folder }: World): Promise<string> {
  const generation = await readCurrent(artifacts);
  if (!generation) throw new Error("nothing is published");
  const path = join(folder, "analyses.ducklake");
  await writeDuckLake(path, {
    generations: [generation],
    base: `${generation.folder}/`,
    pathOf: (_, file) => file.path,
  });
  return path;
}

export function sortAnswers(
  engine: string,
  expected: ReadonlyMap<string, Rows>,
  answers: Readonly<Record<string, Answer>>,
): Omit<AnalystResult, "engine" | "version"> {
  const beyond = Object.entries(BEYOND).find(([name]) => engine.startsWith(name))?.[1] ?? [];
  const sorted = {
    unchanged: [] as string[],
    adapted: [] as string[],
    beyond: [] as string[],
    problems: [] as string[],
  };
  for (const [name, rows] of expected) {
    const answer = answers[name] ?? { error: "no answer" };
    const problem =
      answer.error ?? (rows.length === 0 ? "there is nothing to compare" : difference(answer.rows ?? [], rows));
    if (problem === undefined) sorted[answer.adapted ? "adapted" : "unchanged"].push(name);
    else if (beyond.includes(name)) sorted.beyond.push(name);
    else sorted.problems.push(`${name}: ${problem}`);
  }
  return sorted;
}

/** Sums of floating-point numbers depend on their order. */
const SAME = 1e-9;

function difference(found: Rows, expected: Rows): string | undefined {
  if (found.length !== expected.length) return `${found.length} rows, not ${expected.length}`;
  const isSame = (a: Value | undefined, b: Value) =>
    typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= SAME * Math.max(1, Math.abs(b)) : a === b;
  const at = expected.findIndex((row, i) => !row.every((value, column) => isSame(found[i]?.[column], value)));
  return at < 0 ? undefined : `row ${at + 1} is ${JSON.stringify(found[at])}, not ${JSON.stringify(expected[at])}`;
}
