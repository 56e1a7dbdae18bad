/** What `make setup` compiled runs with the packages of `npm ci --omit=dev` alone: no compiler, no loader, in a folder of its own. */
import { execFile, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = [".setup", "Makefile", "package.json", "package-lock.json", "tsconfig.json", "pipeline", "server"];
const run = promisify(execFile);

let project: string;
const { PATH = "", HOME = "" } = process.env;
const env = { PATH, HOME, TERMS: "2026 Summer2", LOG_LEVEL: "warn" };
const inProject = { cwd: "", env };
const node = (program: string, ...args: string[]) =>
  run(process.execPath, [`dist/current/${program}`, ...args], inProject);

/** The packages without `dev` in the lock file are those that npm installs then. */
function installForProduction(): void {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev = false }] of Object.entries(lock.packages))
    if (path !== "" && !dev && existsSync(join(ROOT, path)))
      cpSync(join(ROOT, path), join(project, path), {
        recursive: true,
        filter: (name) => !name.endsWith(".map") && !name.slice(join(ROOT, path).length).includes("/node_modules"),
      });
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "production-"));
  inProject.cwd = project;
  for (const name of PARTS) cpSync(join(ROOT, name), join(project, name), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it("nothing is compiled, and no package is there that could do it: the command says what to do", async () => {
  const failed = await run("npm", ["run", "-s", "pipeline", "--", "verify"], inProject).catch(
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^[^\n]*call `make setup`\.\n$/) as string });
});

it("several compile at once: each succeeds, and one program is there", async () => {
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  const compile = () => run(process.execPath, [".setup/compile.mjs"], inProject);
  const all = await Promise.all([compile(), compile(), compile()]);
  expect(all).toEqual(all.map(() => ({ stdout: "", stderr: "" })));
  const [version, ...more] = readdirSync(join(project, "dist")).filter((name) => name !== "current");
  expect([version, more]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), []]);
});

it.each(["server/main.ts", "server/site/app/format.ts"])(
  "when %s cannot be compiled, the error says where, and the program that was there stays",
  async (name) => {
    const [path, current] = [join(project, name), join(project, "dist/current")];
    const [source, before] = [readFileSync(path, "utf8"), readlinkSync(current)];
    writeFileSync(path, `${source}\nexport const = 1;\n`);
    const failed = await run(process.execPath, [".setup/compile.mjs"], inProject).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(name) as string });
    expect(readdirSync(join(project, "dist")).sort()).toEqual([before, "current"].sort());
    expect(readlinkSync(current)).toBe(before);
    writeFileSync(path, source);
  },
);

it("the packages of production are without a compiler and a loader", () => {
  rmSync(join(project, "node_modules"));
  installForProduction();
  expect(["tsx", "esbuild", "typescript"].filter((name) => existsSync(join(project, "node_modules", name)))).toEqual(
    [],
  );
});

it("the pipeline crawls the sample campus, and every file that it publishes is sound", async () => {
  await node("pipeline/main.js", "refresh");
  const { stdout } = await run("npm", ["run", "-s", "pipeline", "--", "verify"], inProject);
  expect(stdout).toMatch(/^snapshot [0-9a-f]{16}: \d+ files, 0 problems$/m);
});

it("the server answers, with its page, the code of it and the reference", async () => {
  const port = await freePort();
  const server = spawn(process.execPath, ["dist/current/server/main.js"], {
    cwd: project,
    env: { ...env, HOST: "127.0.0.1", PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    const base = `http://127.0.0.1:${port}`;
    const get = (path: string) => fetch(`${base}${path}`);
    await vi.waitFor(async () => expect((await get("/health/ready")).status).toBe(200), { timeout: 60_000 });
    expect(await (await get("/v1/rest/schedule/terms")).json()).toEqual(
      expect.arrayContaining([expect.objectContaining({ shortName: "2026 Summer2" })]),
    );
    const page = await (await get("/")).text();
    for (const path of [...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, found]) => found as string))
      expect((await get(path)).status, path).toBe(200);
    expect((await get("/docs")).status).toBe(200);
  } finally {
    server.kill();
  }
});

it("the client is written without a compiler", async () => {
  await node("server/docs/client/client-command.js", "--out", join(project, "client.js"));
  const names = execFileSync(
    process.execPath,
    ["-e", 'import("./client.js").then((all) => console.log(Object.keys(all).join()))'],
    inProject,
  );
  expect(String(names)).toBe("ServiceError,createClient\n");
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
