/** Runs the views, the READMEs' statements and those of `explain=true` in several versions of DuckDB for Python. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { TABLE_NAMES } from "../../pipeline/contract/tables.ts";
import { VIEWS } from "../../pipeline/contract/views.ts";
import { readCurrent, tableFiles } from "../../pipeline/store/published.ts";
import { createViews } from "../../pipeline/publish/sql/described-views.ts";
import { READMES } from "../support/readmes.ts";
import { serve } from "../support/whole-run.ts";
import { TERM, type World } from "./world.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "../..");
const TERM_QUERY = `year=${TERM.year}&quarter=${TERM.quarter}`;
/** Requests whose statements use every construct: lists, structs, lambdas, windows, pages. */
const EXPLAINED = [
  "/grades/raw?department=COMPSCI&ge=GE-2&excludePNP=true",
  "/grades/aggregate?department=COMPSCI&instructor=A",
  "/grades/aggregateByCourse?department=MATH",
  "/grades/aggregateByOffering?department=MATH&division=LowerDiv",
  "/grades/options?department=MATH",
  `/schedule?${TERM_QUERY}&days=TuTh&startTime=9:00am&endTime=5:00pm&cacheOnly=true&department=MATH`,
  `/schedule?${TERM_QUERY}&ge=GE-4&units=4&building=HIB&cacheOnly=true`,
  "/courses/all",
  "/instructors/all",
  "/enrollmentHistory?department=COMPSCI&courseNumber=161",
  `/larc?${TERM_QUERY}`,
  `/changes?${TERM_QUERY}&department=MATH`,
];

export interface StatementsResult {
  readonly version: string;
  readonly statements: number;
  /** A line for each statement that failed. */
  readonly problems: readonly string[];
}

/** `pythons`: an interpreter for each version. */
export async function runStatements(world: World, pythons: readonly string[]): Promise<StatementsResult[]> {
  const statements = [...(await documented()), ...(await explained(world.env))];
  const views = [...TABLE_NAMES, ...VIEWS.map(({ name }) => name)];
  const job = join(world.folder, "statements.json");
  await writeFile(
    job,
    JSON.stringify({
      views: await viewStatements(world.artifacts),
      statements: [...statements, ...views.map((name) => `FROM ${name}`)],
    }),
  );
  const results: StatementsResult[] = [];
  for (const python of pythons) {
    const { stdout } = await promisify(execFile)(python, [join(HERE, "duckdb_statements.py"), job], {
      maxBuffer: 1 << 26,
    });
    results.push({
      statements: statements.length + views.length,
      ...(JSON.parse(stdout) as Omit<StatementsResult, "statements">),
    });
  }
  return results;
}

/** The views as `make sql` creates them. */
async function viewStatements(artifacts: string): Promise<string[]> {
  const published = await readCurrent(artifacts);
  if (!published) throw new Error("nothing is published");
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await createViews(connection, tableFiles(published));
    const created = await connection.runAndReadAll(
      "SELECT sql FROM duckdb_views() WHERE NOT internal ORDER BY view_oid",
    );
    return created.getRowsJson().map(([sql]) => String(sql));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The statements of `make sql` in the READMEs, except those that the shell generates. */
async function documented(): Promise<string[]> {
  const texts = await Promise.all(READMES.map((name) => readFile(join(ROOT, name), "utf8")));
  return texts.flatMap((text) =>
    [...text.matchAll(/^make sql [^"]*Q="(?!\$\()([^"]+)"/gm)].map(([, statement = ""]) => statement),
  );
}

async function explained(env: Record<string, string>): Promise<string[]> {
  const server = await serve(env);
  try {
    return await Promise.all(
      EXPLAINED.map(async (path) => {
        const { sql } = await server.json<{ sql: string }>(`${path}${path.includes("?") ? "&" : "?"}explain=true`);
        return sql;
      }),
    );
  } finally {
    await server.close();
  }
}
