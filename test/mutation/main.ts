/**
 * Mutation testing: `npm run -s mutation [-- <name>…]` makes small changes to each piece of the code in `folders.ts`,
 * runs the tests that execute it, and reports by name how many of these mutants a test kills, and which ones survive.
 * The path of a file or folder is a name too: then only that is changed, and unit tests run. With `SYSTEM=1` the system
 * tests in `folders.ts` run as well.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Folder, FOLDERS } from "./folders.ts";
import { instrument } from "./instrument.ts";
import { EXPLAINED } from "./survivors.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A test that neither ends nor lets its worker go on. */
const STUCK_MS = 600_000;

const filesOf = ({ files }: Folder): string[] =>
  files.flatMap((path) =>
    statSync(join(ROOT, path)).isFile()
      ? [path]
      : readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".ts"))
          .map((name) => join(path, name)),
  );

interface Run {
  readonly killed: ReadonlySet<string>;
  readonly met: ReadonlySet<string>;
  /** Evaluated when a module was loaded. */
  readonly loaded: ReadonlySet<string>;
}

/** Runs tests with the mutants of these files. A stuck worker is ended, and what it was at counts as found. */
async function run(files: readonly string[], tests: readonly string[] | undefined): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "mutation-"));
  const report = join(folder, "report");
  const config = ["--config", "test/mutation/vitest.config.ts", "--reporter=dot"];
  const env = {
    ...process.env,
    NODE_NO_WARNINGS: "1",
    MUTATION_FILES: files.join(","),
    MUTATION_REPORT: report,
    ...(tests ? { MUTATION_TESTS: tests.join(",") } : {}),
  };
  const child = spawn(
    process.execPath,
    [join(ROOT, "node_modules/vitest/vitest.mjs"), ...(tests ? ["run"] : ["related", ...files, "--run"]), ...config],
    {
      cwd: ROOT,
      env,
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  const watch = setInterval(() => {
    if (existsSync(report) && Date.now() - statSync(report).mtimeMs > STUCK_MS) child.kill();
  }, 5_000);
  const isWhole = await new Promise<boolean>((resolve) => child.once("exit", (status) => resolve(status === 0)));
  if (!isWhole) process.stderr.write("the tests failed, or a worker was stuck: more mutants would be found\n");
  clearInterval(watch);
  const lines = existsSync(report) ? readFileSync(report, "utf8").trim().split("\n") : [];
  rmSync(folder, { recursive: true });
  const told = lines
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { begun?: string; killed?: string; loaded?: string });
  return {
    killed: new Set(told.flatMap(({ killed }) => killed ?? [])),
    met: new Set(told.flatMap(({ begun }) => begun ?? [])),
    loaded: new Set(told.flatMap(({ loaded }) => loaded ?? [])),
  };
}

async function score(name: string, folder: Folder): Promise<void> {
  const files = filesOf(folder);
  const parts = files.map((file) => instrument(file, readFileSync(join(ROOT, file), "utf8")));
  const runs = [await run(files, undefined)];
  if (folder.systemTests && process.env["SYSTEM"] === "1") {
    const isFile = (path: string) => path.endsWith(".ts");
    runs.push(
      await run(
        files,
        folder.systemTests.map((path) => (isFile(path) ? path : `${path}/**/*.test.ts`)),
      ),
    );
  }
  const [found, met] = [
    (id: string) => runs.some(({ killed }) => killed.has(id)),
    (id: string) => runs.some((run) => run.met.has(id)),
  ];
  const all = parts.flatMap((part) => part.mutants);
  const mutants = all.filter(({ id }) => met(id) || !runs.some(({ loaded }) => loaded.has(id)));
  const untried = parts.reduce((sum, part) => sum + part.untried, 0) + all.length - mutants.length;
  const alive = mutants.filter(({ id }) => !found(id));
  const explained = alive.filter(({ id }) => EXPLAINED.some(({ mutant }) => mutant.test(id)));
  const counted = mutants.length - explained.length;
  const percent = Math.round((1000 * (mutants.length - alive.length)) / Math.max(1, counted)) / 10;
  for (const { id } of alive)
    if (!explained.some((one) => one.id === id)) process.stdout.write(`${met(id) ? "alive " : "unmet "} ${id}\n`);
  const told = {
    name,
    percent,
    mutants: mutants.length,
    killed: mutants.length - alive.length,
    explained: explained.length,
    unmet: alive.filter(({ id }) => !met(id)).length,
    untried,
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

const names = process.argv.slice(2);
for (const name of names.length === 0 ? Object.keys(FOLDERS) : names)
  await score(name, FOLDERS[name] ?? { files: [name] });
