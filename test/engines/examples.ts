/** Runs the examples of the READMEs for other engines as they are printed; only addresses and folders are put in. */
import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "../support/whole-run.ts";
import { examplesIn } from "./documented-examples.ts";
import type { Installed } from "./install.ts";
import type { World } from "./world.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const README = join(HERE, "../../artifacts/README.md");
const TIME_LIMIT_MS = 600_000;

export interface ExampleResult {
  readonly title: string;
  /** Undefined when it ran, and printed something. */
  readonly problem: string | undefined;
}

export async function runExamples(world: World, job: string, { python, trino }: Installed): Promise<ExampleResult[]> {
  if (python === undefined) return [];
  const server = await serve(world.env);
  const results: ExampleResult[] = [];
  // Trino reads below the lake's parent only.
  const plain = join(dirname(world.lake), "data");
  await cp(world.snapshots[0]?.folder ?? "", plain, { recursive: true });
  try {
    for (const [number, { language, title, text }] of examplesIn(await readFile(README, "utf8")).entries()) {
      const system = title.startsWith("Trino") ? "Trino" : "Spark";
      if (language === "sql" && system === "Trino" && !trino) continue;
      const bucket = system === "Trino" ? "local:///data" : plain;
      const filled = text
        .replaceAll("http://localhost:3000", server.url)
        .replaceAll("/srv/lake", world.lake)
        .replaceAll("s3://bucket/data", bucket);
      const path = join(world.folder, `example-${number}.${language === "python" ? "py" : "sql"}`);
      await writeFile(path, filled);
      const args = language === "python" ? [path] : [join(HERE, "run_sql.py"), job, system, path];
      results.push({ title, problem: await problemOf(python, args, world.folder) });
    }
    return results;
  } finally {
    await server.close();
  }
}

async function problemOf(python: string, args: readonly string[], folder: string): Promise<string | undefined> {
  try {
    const ran = await promisify(execFile)(python, [...args], {
      cwd: folder,
      timeout: TIME_LIMIT_MS,
      maxBuffer: 1 << 26,
    });
    return ran.stdout.trim() === "" ? "it printed nothing" : undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim().split("\n").slice(-3).join(" ").slice(-600);
  }
}
