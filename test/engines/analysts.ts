/** The engines that run the analyses, and how their answers compare with those of `make sql`. */

/** The engines, their scripts and arguments. */
export const ANALYSTS = [
  ["DuckDB for Python, DuckLake", "analyses_duckdb.py", "DuckLake"],
  ["DuckDB for Python, Parquet", "analyses_duckdb.py", "Parquet"],
  ["Apache Spark, Parquet", "analyses_spark.py", ""],
] as const;

/** Limitations of engines, by the start of engine name and analysis. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  // Spark 4.0 parses WITH RECURSIVE, and has no plan for it.
  "Apache Spark": ["prerequisite_depth"],
};

export type Value = string | number | boolean | null;
export type Rows = readonly (readonly Value[])[];

export interface Answer {
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

function difference(actual: Rows, expected: Rows): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} rows, not ${expected.length}`;
  const isSame = (a: Value | undefined, b: Value) =>
    typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= SAME * Math.max(1, Math.abs(b)) : a === b;
  const at = expected.findIndex((row, i) => !row.every((value, column) => isSame(actual[i]?.[column], value)));
  return at < 0 ? undefined : `row ${at + 1} is ${JSON.stringify(actual[at])}, not ${JSON.stringify(expected[at])}`;
}
