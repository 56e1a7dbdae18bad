/** Runs one engine's script, and compares its answers with the API's. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Answers, ExportedAnswers } from "./world.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const TIME_LIMIT_MS = 900_000;

/** The engines and their scripts. */
export const SCRIPTS = [
  ["Apache Spark, Delta Lake", "spark_delta.py"],
  ["Apache Spark, Parquet", "spark_parquet.py"],
  ["delta-rs", "delta_rs.py"],
  ["Polars", "polars_delta.py"],
  ["pandas", "pandas_delta.py"],
  ["DuckDB for Python, Delta Lake", "duckdb_delta.py"],
  ["DuckDB for Python, Parquet", "duckdb_parquet.py"],
  ["DuckDB for Python, DuckLake over HTTP", "ducklake_served.py"],
  ["Trino, Delta Lake", "trino_delta.py"],
] as const;

/** The questions in the order of the table. The fifth is the other four on the older snapshot. */
export const QUESTIONS = ["rows", "gpa", "seats", "coTaught", "older"] as const;
export type Question = (typeof QUESTIONS)[number];

export interface EngineResult {
  readonly engine: string;
  readonly version: string;
  readonly ms: number;
  /** The differences from the API's answers, by question; absent where there is none. */
  readonly problems: Readonly<Partial<Record<Question, string>>>;
  /** Why it gave no answers at all. */
  readonly failed?: string;
}

export interface EngineRun {
  readonly engine: string;
  readonly script: string;
  readonly python: string;
  readonly job: string;
  /** Additional variables for the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function runEngine(
  { engine, script, python, job, env = {} }: EngineRun,
  snapshots: readonly ExportedAnswers[],
): Promise<EngineResult> {
  const started = performance.now();
  try {
    const { stdout } = await promisify(execFile)(python, [join(HERE, script), job], {
      env: { ...process.env, ...env },
      timeout: TIME_LIMIT_MS,
      maxBuffer: 1 << 26,
    });
    const ms = performance.now() - started;
    const line = stdout.trim().split("\n").at(-1) ?? "";
    const { version, answers } = JSON.parse(line) as { version: string; answers: Answers[] };
    return { engine, version, ms, problems: compareAnswers(answers, snapshots) };
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const lines = (stderr || message).trim().split("\n");
    // Java prints the cause before its stack.
    const cause = lines.findLast((line) => line.startsWith("Caused by: "));
    const failed = (cause ?? lines.slice(-3).join(" ")).slice(-600);
    return { engine, version: "", ms: performance.now() - started, problems: {}, failed };
  }
}

export function compareAnswers(
  answers: readonly Answers[],
  snapshots: readonly ExportedAnswers[],
): Partial<Record<Question, string>> {
  const problems: Partial<Record<Question, string>> = {};
  const [newer, older] = snapshots.map(({ expected }, at) =>
    (["rows", "gpa", "seats", "coTaught"] as const).flatMap((question) => {
      const difference = differs(answers[at]?.[question], expected[question]);
      return difference === undefined ? [] : [[question, difference] as const];
    }),
  );
  for (const [question, difference] of newer ?? []) problems[question] = difference;
  if (older && older.length > 0) problems.older = older.map((pair) => pair.join(": ")).join("; ");
  return problems;
}

/** Sums of floating-point numbers depend on their order. */
const SAME = 1e-9;

/** The first difference of two values of JSON; undefined when there is none. */
function differs(actual: unknown, expected: unknown, at = ""): string | undefined {
  if (typeof expected === "number")
    return typeof actual === "number" && Math.abs(actual - expected) < SAME
      ? undefined
      : `${at} is ${String(actual)}, the API says ${expected}`;
  const [has, wants] = [actual ?? {}, expected ?? {}] as Record<string, unknown>[];
  for (const key of new Set([...Object.keys(has ?? {}), ...Object.keys(wants ?? {})])) {
    if (!(key in (wants ?? {}))) return `${at}.${key} is not in the API's answer`;
    const difference = differs(has?.[key], wants?.[key], `${at}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
