/** Runs the examples of the READMEs for other programs as they are printed; only addresses and folders are put in. */
import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "../support/whole-run.ts";
import { runInBrowser } from "./browser-example.ts";
import { rowsInShell } from "./analyses.ts";
import type { Rows } from "./analysts.ts";
import { EXAMPLE_ANSWERS, missingValues } from "./example-answers.ts";
import { type Example, examplesIn } from "./documented-examples.ts";
import type { Installed } from "./install.ts";
import type { World } from "./world.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PAGES = ["README.md", "CLIENTS.md", "ENGINES.md"].map((name) => join(HERE, "../../artifacts", name));
const TIME_LIMIT_MS = 600_000;

export interface ExampleResult {
  readonly title: string;
  /** Undefined when it ran, and printed what it has to, or something where that is not known. */
  readonly problem: string | undefined;
}

export async function documentedExamples(): Promise<Example[]> {
  const texts = await Promise.all(PAGES.map((path) => readFile(path, "utf8")));
  return texts.flatMap(examplesIn);
}

export async function runExamples(world: World, job: string, installed: Installed): Promise<ExampleResult[]> {
  const server = await serve(world.env);
  const results: ExampleResult[] = [];
  // Trino reads below the lake's parent only.
  const plain = join(dirname(world.lake), "data");
  await cp(world.snapshots[0]?.folder ?? "", plain, { recursive: true });
  try {
    for (const [number, { language, title, text }] of (await documentedExamples()).entries()) {
      const filled = text
        .replaceAll("http://localhost:3000", server.url)
        .replaceAll("/srv/lake", world.lake)
        .replaceAll("s3://bucket/data", title.startsWith("Trino") ? "local:///data" : plain);
      const path = join(world.folder, `example-${number}.${language}`);
      await writeFile(path, filled);
      const run = runnerOf({ language, title }, { path, job, folder: world.folder }, installed);
      const answer = EXAMPLE_ANSWERS[title];
      const rows = answer === undefined ? [] : await rowsInShell(world.artifacts, join(world.folder, "spill"), answer);
      if (run !== undefined) results.push({ title, problem: await problemOf(run, rows) });
    }
    return results;
  } finally {
    await server.close();
  }
}

interface Place {
  /** The path of the example in the folder in which it runs. */
  readonly path: string;
  readonly job: string;
  readonly folder: string;
}

/** Gives what the example prints. Undefined when its program is not installed. */
function runnerOf(
  { language, title }: Pick<Example, "language" | "title">,
  { path, job, folder }: Place,
  { python, r, trino, chromium, duckdbHome }: Installed,
): (() => Promise<string>) | undefined {
  const inProcess = (command: string | undefined, ...args: string[]) =>
    command === undefined ? undefined : () => output(command, args, folder, duckdbHome);
  const script = (name: string) => join(HERE, name);
  const system = title.split(/\W/, 1)[0] ?? "";
  if (language === "r") return inProcess(r, path);
  if (language === "js") return chromium === undefined ? undefined : () => runInBrowser(path);
  if (language === "sql")
    return system === "Trino" && !trino ? undefined : inProcess(python, script("run_sql.py"), job, system, path);
  return system === "Notebook" ? inProcess(python, script("run_notebook.py"), path) : inProcess(python, path);
}

async function output(
  command: string,
  args: readonly string[],
  cwd: string,
  home: string | undefined,
): Promise<string> {
  const env = { ...process.env, ...(home === undefined ? {} : { HOME: home }) };
  return (await promisify(execFile)(command, [...args], { cwd, env, timeout: TIME_LIMIT_MS, maxBuffer: 1 << 26 }))
    .stdout;
}

async function problemOf(run: () => Promise<string>, rows: Rows): Promise<string | undefined> {
  try {
    const printed = await run();
    if (printed.trim() === "") return "it printed nothing";
    const missing = missingValues(printed, rows);
    return missing.length > 0 ? `it did not print ${missing.slice(0, 5).join(", ")}` : undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim().split("\n").slice(-3).join(" ").slice(-600);
  }
}
