/** Installs the engines into a folder of their own; what cannot be installed is named, and the rest runs. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromiumPath } from "../support/browser.ts";
import { type Requirements, requirementsOf, SPARK_JARS, TRINO } from "./versions.ts";

const run = promisify(execFile);
const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Below node_modules, which git ignores and `make clean` removes. */
export const ENGINES = join(HERE, "../../node_modules/.cache/engines");

/** The oldest Java that Trino runs on. */
const TRINO_JAVA = 24;

export interface Installed {
  readonly python: string | undefined;
  /** A home folder in which DuckDB finds its extensions. */
  readonly duckdbHome: string | undefined;
  /** `Rscript`, and a browser: of the machine, not installed. */
  readonly r: string | undefined;
  readonly chromium: string | undefined;
  /** Interpreters with one version of DuckDB each. */
  readonly duckdbs: readonly string[];
  /** Programs of the Python packages. */
  readonly bin: string;
  readonly jars: readonly string[];
  readonly trino: { readonly home: string; readonly java: string } | undefined;
  /** The programs that could not be installed, and why. */
  readonly missing: readonly string[];
}

export async function installEngines(say: (line: string) => void): Promise<Installed> {
  const missing: string[] = [];
  const attempt = installer(say, missing);
  await mkdir(ENGINES, { recursive: true });
  const bin = join(ENGINES, "venv", "bin");
  const python = await attempt("the Python packages", () => installPackages(bin, "requirements"));
  const newer = await attempt("DuckDB 2", () =>
    installPackages(join(ENGINES, "venv-duckdb-2", "bin"), "requirements-duckdb-2"),
  );
  const jars = (await attempt("Delta Lake and S3 for Spark", installJars)) ?? [];
  const trino = await attempt("Trino", installTrino);
  const duckdbHome = python && (await attempt("DuckDB's extensions", () => linkExtensions(python)));
  const r = await attempt("R", () => findProgram("Rscript", "r-base-core"));
  const chromium = chromiumPath ?? (await attempt("Chromium", () => findProgram("chromium", "chromium")));
  const duckdbs = [python, newer].filter((duckdb) => duckdb !== undefined);
  return { python, duckdbHome, r, chromium, duckdbs, bin, jars, trino, missing };
}

/** Runs the steps of an installation; one that fails is added to `missing` and gives nothing. */
export function installer(say: (line: string) => void, missing: string[]) {
  return async <T>(what: string, action: () => Promise<T>): Promise<T | undefined> => {
    say(`installing ${what}`);
    try {
      return await action();
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      missing.push(`${what}: ${(stderr || message).trim().split("\n").at(-1)}`);
      return undefined;
    }
  };
}

/** Into the virtual environment of `bin`. Returns its interpreter. */
export async function installPackages(bin: string, name: Requirements): Promise<string> {
  const python = join(bin, "python");
  const requirements = requirementsOf(name);
  const done = join(bin, "..", `${name}.txt`);
  if (existsSync(done) && (await readFile(done, "utf8")) === requirements) return python;
  if (!existsSync(python)) await run("python3", ["-m", "venv", join(bin, "..")]);
  await run(python, ["-m", "pip", "install", "-q", "-r", join(HERE, `${name}.txt`)], { maxBuffer: 1 << 26 });
  await writeFile(done, requirements);
  return python;
}

async function linkExtensions(python: string): Promise<string> {
  const home = join(ENGINES, "home");
  await run(python, [join(HERE, "duckdb_home.py"), home]);
  return home;
}

/** @throws Error with the Debian package that has it */
export async function findProgram(name: string, debianPackage: string): Promise<string> {
  const { stdout } = await run("which", [name]).catch(() => ({ stdout: "" }));
  if (stdout === "") throw new Error(`there is no ${name} (Debian: ${debianPackage})`);
  return stdout.trim();
}

/** `group:name:version[:type[:classifier]]`. */
export async function fetchArtifact(artifact: string, folder: string): Promise<void> {
  await run("mvn", ["-B", "-q", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
}

async function installJars(): Promise<string[]> {
  const folder = join(ENGINES, "jars");
  const fileOf = (artifact: string) => join(folder, `${artifact.split(":").slice(1).join("-")}.jar`);
  for (const artifact of SPARK_JARS) if (!existsSync(fileOf(artifact))) await fetchArtifact(artifact, folder);
  return SPARK_JARS.map(fileOf);
}

async function installTrino(): Promise<{ home: string; java: string }> {
  const java = await newestJava();
  const home = join(ENGINES, "trino");
  if (!existsSync(join(home, "bin", "launcher"))) {
    await fetchArtifact(TRINO, join(ENGINES, "dl"));
    await mkdir(home, { recursive: true });
    await run("tar", [
      "xzf",
      join(ENGINES, "dl", `trino-server-${TRINO.split(":")[2]}.tar.gz`),
      "-C",
      home,
      "--strip-components=1",
    ]);
  }
  return { home, java };
}

/** @throws Error when there is none that Trino runs on */
async function newestJava(): Promise<string> {
  const folder = "/usr/lib/jvm";
  const installed = existsSync(folder) ? (await readdir(folder)).map((name) => join(folder, name)) : [];
  for (const home of [process.env["JAVA_HOME"] ?? "", ...installed]) {
    const release = await readFile(join(home, "release"), "utf8").catch(() => "");
    if (Number(/JAVA_VERSION="(\d+)/.exec(release)?.[1] ?? 0) >= TRINO_JAVA) return home;
  }
  throw new Error(`it needs Java ${TRINO_JAVA} or newer`);
}
