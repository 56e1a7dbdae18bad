/**
 * Code generators with their default options: each client is generated from the served OpenAPI document, compiled, and
 * queries the server.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MANIFEST_CHANGES_TYPE } from "../../server/data/manifest-changes.ts";
import { EXPLANATION_TYPE } from "../../server/response/explain/shape.ts";
import { serveCompiled } from "../support/compiled-server.ts";
import { ENGINES, fetchArtifact, installPackages } from "./install.ts";
import { NPM_GENERATORS, OAPI_CODEGEN, OPENAPI_GENERATOR } from "./versions.ts";

const HERE = fileURLToPath(new URL("generators", import.meta.url));
const FOLDER = join(ENGINES, "generators");
const GO_MODULE = "module client\ngo 1.24\n";
const BUNDLE = ["--bundle", "--platform=node", "--format=esm", "--log-level=error"];
/** Provides `require` in the bundle, for CommonJS packages. */
const REQUIRE = `--banner:js=import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

export interface GeneratorResult {
  readonly generator: string;
  /** Why there is no client, or how its answers differ from those of the API. */
  readonly problem: string | undefined;
}

interface Answers {
  readonly course: string;
  readonly courses: number;
  readonly terms: number;
  readonly start: string;
  readonly average: number;
}

const run = async (cwd: string, command: string, args: readonly string[], env: Record<string, string> = {}) =>
  (await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 })).stdout;
const npm = (name: string) => join(FOLDER, "npm/node_modules/.bin", name);
const bin = join(FOLDER, "venv/bin");
const python = join(bin, "python");
const jar = join(FOLDER, `${OPENAPI_GENERATOR.split(":").slice(1).join("-")}.jar`);
const oapiCodegen = join(FOLDER, "bin/oapi-codegen");

async function install(): Promise<void> {
  await mkdir(join(FOLDER, "npm"), { recursive: true });
  await installPackages(bin, "requirements-generators");
  if (!existsSync(jar)) await fetchArtifact(OPENAPI_GENERATOR, FOLDER);
  if (!existsSync(npm("orval"))) {
    await writeFile(join(FOLDER, "npm/package.json"), '{"private":true,"type":"module"}');
    await run(join(FOLDER, "npm"), "npm", [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      ...NPM_GENERATORS,
    ]);
  }
  if (!existsSync(oapiCodegen)) await run(FOLDER, "go", ["install", OAPI_CODEGEN], { GOBIN: dirname(oapiCodegen) });
}

const generate = (into: string, language: string) =>
  run(into, "java", ["-jar", jar, "generate", "-i", "../openapi.json", "-g", language, "-o", "generated"]);

/** Compiled strictly, then one file. */
async function runTypescript(into: string, entry: string, program: string, args: string[]): Promise<string> {
  const place = join(into, "program.ts");
  await copyFile(join(HERE, program), place);
  const paths = { generated: [entry], "generated/*": [join(entry, "*")], "*": [join(FOLDER, "npm/node_modules/*")] };
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: "ES2022", module: "ESNext" },
    ...{ moduleResolution: "Bundler", lib: ["ES2022", "DOM", "DOM.Iterable"], types: ["node"], paths },
    typeRoots: [join(FOLDER, "npm/node_modules/@types")],
  };
  await writeFile(join(into, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [place] }));
  await run(into, npm("tsc"), ["-p", into]);
  const bundle = [place, ...BUNDLE, REQUIRE, `--alias:generated=${entry}`, "--outfile=program.mjs"];
  await run(into, npm("esbuild"), bundle, { NODE_PATH: join(FOLDER, "npm/node_modules") });
  return run(into, process.execPath, ["program.mjs", ...args]);
}

async function runGo(into: string, program: string, args: string[]): Promise<string> {
  await mkdir(join(into, "cmd"), { recursive: true });
  await copyFile(join(HERE, program), join(into, "cmd/main.go"));
  await run(into, "go", ["mod", "tidy"]);
  return run(into, "go", ["run", "./cmd", ...args]);
}

type Client = (into: string, args: string[]) => Promise<string>;
const CLIENTS: Readonly<Record<string, Client>> = {
  "@hey-api/openapi-ts": async (into, args) => {
    await run(into, npm("openapi-ts"), ["-i", "../openapi.json", "-o", "generated"]);
    return runTypescript(into, join(into, "generated"), "hey-api.ts", args);
  },
  orval: async (into, args) => {
    // It makes one type of all contents: those of another shape than the JSON are left out.
    const override = { contentType: { exclude: [EXPLANATION_TYPE, MANIFEST_CHANGES_TYPE] } };
    const api = { input: "../openapi.json", output: { target: "generated.ts", override } };
    await writeFile(join(into, "orval.config.cjs"), `module.exports = ${JSON.stringify({ api })};`);
    await run(into, npm("orval"), ["--config", "orval.config.cjs"]);
    return runTypescript(into, join(into, "generated.ts"), "orval.ts", args);
  },
  "openapi-python-client": async (into, args) => {
    const options = ["--output-path", "client", "--meta", "none"];
    await run(into, join(bin, "openapi-python-client"), ["generate", "--path", "../openapi.json", ...options]);
    return run(into, python, [join(HERE, "openapi_python_client.py"), ...args], { PYTHONPATH: into });
  },
  "openapi-generator, python": async (into, args) => {
    await generate(into, "python");
    const PYTHONPATH = join(into, "generated");
    return run(into, python, [join(HERE, "openapi_generator.py"), ...args], { PYTHONPATH });
  },
  "openapi-generator, typescript-fetch": async (into, args) => {
    await generate(into, "typescript-fetch");
    return runTypescript(into, join(into, "generated"), "openapi-generator.ts", args);
  },
  "openapi-generator, go": async (into, args) => {
    await generate(into, "go");
    return runGo(join(into, "generated"), "openapi_generator.go", args);
  },
  "openapi-generator, java": async (into, args) => {
    await generate(into, "java");
    const project = join(into, "generated");
    const classpath = ["dependency:build-classpath", "-Dmdep.outputFile=classpath.txt"];
    await run(project, "mvn", ["-B", "-q", "compile", ...classpath]);
    const options = [`@${join(project, "classpath.arg")}`];
    const text = await run(project, "cat", ["classpath.txt"]);
    await writeFile(join(project, "classpath.arg"), `-cp target/classes:${text.trim()}`);
    return run(project, "java", [...options, join(HERE, "OpenApiGenerator.java"), ...args]);
  },
  "oapi-codegen": async (into, args) => {
    await mkdir(join(into, "api"));
    await writeFile(join(into, "go.mod"), GO_MODULE);
    await run(into, oapiCodegen, [
      ...["-package", "api", "-generate", "types,client"],
      ...["-o", "api/api.go", "../openapi.json"],
    ]);
    return runGo(into, "oapi_codegen.go", args);
  },
};

/** @param env of a server with published data */
export async function runGenerators(env: Record<string, string>, folder: string): Promise<GeneratorResult[]> {
  await install();
  const server = await serveCompiled(env);
  try {
    const read = async <T>(path: string) => (await (await fetch(`${server.url}${path}`)).json()) as T;
    await writeFile(join(folder, "openapi.json"), JSON.stringify(await read("/v1/openapi.json")));
    const all = await read<{ id: string; department: string }[]>("/v1/rest/courses/all");
    const { id, department } = all.find((course) => course.id.includes("/")) ?? { id: "", department: "" };
    const of = `department=${encodeURIComponent(department)}`;
    type Grades = { gradeDistribution: { averageGPA: number } };
    type Days = { instructionStart: string };
    const expected: Answers = {
      course: id,
      courses: all.filter((course) => course.department === department).length,
      terms: (await read<unknown[]>("/v1/rest/calendar")).length,
      start: (await read<Days>("/v1/rest/calendar?year=2026&quarter=Fall")).instructionStart,
      average: (await read<Grades>(`/v1/rest/grades/aggregate?${of}`)).gradeDistribution.averageGPA,
    };
    const results: GeneratorResult[] = [];
    for (const [number, [generator, client]] of Object.entries(CLIENTS).entries()) {
      const into = join(folder, `generator-${number}`);
      await mkdir(into);
      const problem = await client(into, [server.url, id, department]).then(
        (text) => differenceOf(JSON.parse(text) as Answers, expected),
        (error: Error & { stdout?: string; stderr?: string }) =>
          `${error.stdout ?? ""}${error.stderr ?? ""}`.trim().slice(-600) || error.message,
      );
      results.push({ generator, problem });
      await rm(into, { recursive: true });
    }
    return results;
  } finally {
    server.close();
  }
}

function differenceOf(actual: Answers, expected: Answers): string | undefined {
  const names = Object.keys(expected) as (keyof Answers)[];
  const wrong = names.filter((name) => actual[name] !== expected[name]);
  return wrong.map((name) => `${name} is ${actual[name]}, the API says ${expected[name]}`).join("; ") || undefined;
}
