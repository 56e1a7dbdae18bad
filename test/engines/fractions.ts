/** Readers of Parquet and the averages in it: what each makes of a fraction by default, compared with the API. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "../support/whole-run.ts";
import { ENGINES, installPackages } from "./install.ts";
import { NPM_READERS, PARQUET_GO } from "./versions.ts";
import type { World } from "./world.ts";

const HERE = fileURLToPath(new URL("fractions", import.meta.url));
const FOLDER = join(ENGINES, "fractions");
const TIME_LIMIT_MS = 600_000;

/**
 * The questions in the order of the table: the mean, that of a description if the reader has one, the rows above 3, and
 * the greatest value.
 */
export const FRACTION_QUESTIONS = ["mean", "describe", "above", "value"] as const;

export type Fractions = Readonly<Partial<Record<(typeof FRACTION_QUESTIONS)[number], unknown>>> & {
  readonly version: string;
  /** Why it gave no answers. */
  readonly failed?: string;
};

export interface FractionsResult {
  readonly expected: Readonly<Record<"mean" | "above" | "value", number>>;
  readonly readers: Readonly<Record<string, Fractions>>;
}

const run = async (cwd: string, command: string, args: readonly string[]) =>
  (await promisify(execFile)(command, [...args], { cwd, timeout: TIME_LIMIT_MS, maxBuffer: 1 << 26 })).stdout;
const read = async (cwd: string, command: string, ...args: readonly string[]) => {
  const lines = (await run(cwd, command, args)).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "") as Record<string, Fractions>;
};

/** @param duckdb an interpreter with another version of DuckDB */
export async function runFractions(world: World, duckdb: string | undefined): Promise<FractionsResult> {
  const folder = join(world.snapshots[0]?.folder ?? "", "grades");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".parquet")).map((name) => join(folder, name));
  const python = await installPackages(join(FOLDER, "venv/bin"), "requirements-fractions");
  const script = join(HERE, "python_readers.py");
  const readers = { ...(await read(FOLDER, python, script, folder)) };
  if (duckdb !== undefined)
    readers["DuckDB 2"] = (await read(FOLDER, duckdb, script, folder, "DuckDB"))["DuckDB"] as Fractions;
  return {
    expected: await askApi(world),
    readers: { ...readers, ...(await readInJs(files)), ...(await readInGo(files)) },
  };
}

async function readInJs(files: readonly string[]): Promise<Record<string, Fractions>> {
  const packages = join(FOLDER, "npm");
  await mkdir(packages, { recursive: true });
  if (!existsSync(join(packages, "node_modules/hyparquet"))) {
    await writeFile(join(packages, "package.json"), '{"private":true,"type":"module"}');
    await run(packages, "npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...NPM_READERS]);
  }
  const script = join(packages, "js_readers.mjs");
  await copyFile(join(HERE, "js_readers.mjs"), script);
  return read(packages, process.execPath, script, ...files);
}

async function readInGo(files: readonly string[]): Promise<Record<string, Fractions>> {
  const program = join(FOLDER, "go");
  const [module, version = ""] = PARQUET_GO.split("@v");
  await mkdir(program, { recursive: true });
  await copyFile(join(HERE, "go_reader/main.go"), join(program, "main.go"));
  await writeFile(join(program, "go.mod"), `module reader\ngo 1.24\nrequire ${module} v${version}\n`);
  await run(program, "go", ["mod", "tidy"]);
  const answer = await read(program, "go", "run", ".", ...files);
  return { "parquet-go": { ...answer, version } };
}

/** The mean of the API, and the rest in plain loops over its rows. */
async function askApi({ env }: World): Promise<FractionsResult["expected"]> {
  const server = await serve(env);
  try {
    const { gradeDistribution } = await server.json<{ gradeDistribution: { averageGPA: number } }>("/grades/aggregate");
    const rows = await server.json<{ averageGPA: number }[]>("/grades/raw");
    return {
      mean: gradeDistribution.averageGPA,
      above: rows.filter(({ averageGPA }) => averageGPA > 3).length,
      value: rows.reduce((most, { averageGPA }) => Math.max(most, averageGPA), 0),
    };
  } finally {
    await server.close();
  }
}

const SAME = 1e-9;

/** A reader's answer to a question: `same` as the API, `–` if it has no such function, else its answer. */
export function fractionCell(
  { expected }: Pick<FractionsResult, "expected">,
  reader: Fractions,
  question: (typeof FRACTION_QUESTIONS)[number],
): string {
  const value = reader[question];
  if (reader.failed !== undefined) return "fails";
  if (value === undefined) return "–";
  const wanted = expected[question === "describe" ? "mean" : question];
  return typeof value === "number" && Math.abs(value - wanted) < SAME ? "same" : JSON.stringify(value);
}
