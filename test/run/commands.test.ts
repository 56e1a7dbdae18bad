/** The programs as an operator starts them: exit status, and what they say (pipeline/RULES.md, Runs). */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acquireLock } from "../../pipeline/disk/lock.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { isWhole } from "../support/extent.ts";
import { type Ended, start, translated } from "../support/program.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { inventedWorld } from "../support/worlds/worlds.ts";
import { openFolder } from "../support/whole-run.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const pipeline = (args: readonly string[], env: Record<string, string> = {}) =>
  start("pipeline/main.ts", args, env).ended;

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => void (folder = await openFolder()));
afterAll(() => folder?.remove());

/** Expects a single line for people, without a stack. */
function expectUsage({ code, out, err }: Ended, words: RegExp): void {
  expect([code, err]).toEqual([2, expect.stringMatching(words)]);
  expect(out + err).not.toMatch(/\n {4}at |node_modules/);
}

describe("1, with a sentence", () => {
  it("a staging folder that leads elsewhere is not followed", async () => {
    const { artifacts, data, env, remove } = await openFolder();
    mkdirSync(artifacts);
    mkdirSync(data);
    writeFileSync(join(data, "mine.txt"), "mine");
    symlinkSync(data, layoutOf(artifacts).staging);
    const { code, err } = await pipeline(["refresh"], env);
    expect([code, err]).toEqual([
      1,
      `${layoutOf(artifacts).staging}: a link is not followed there, move it away, then run again\n`,
    ]);
    expect(readdirSync(data)).toEqual(["mine.txt"]);
    await remove();
  });

  it("too few open files to be loaded", () => {
    const command = `ulimit -n 40; exec ${process.execPath} ${translated("pipeline/main.ts")} verify`;
    const { status, stderr } = spawnSync("sh", ["-c", command], { env: folder.env, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^EMFILE: too many open files.*`ulimit -n 1024`\n$/)]);
  });
});

describe('"2 bad configuration or usage"', () => {
  it.each<[what: string, args: string[], env: Record<string, string>, words: RegExp]>([
    ["no command", [], {}, /Usage: pipeline.*build.*refresh.*ensure.*watch.*sql.*verify/s],
    ["an unknown command", ["biuld"], {}, /unknown command 'biuld'.*Did you mean build/s],
    [
      "an address that is none",
      ["build"],
      { SCHEDULE_URL: "notaurl" },
      /^SCHEDULE_URL must be an http or https address/,
    ],
    ["a file for a folder", ["refresh"], { ARTIFACTS_DIR: "package.json" }, /^ARTIFACTS_DIR must be a folder/],
    ["nothing to verify", ["verify"], {}, /nothing is published yet/],
    ["no statement", ["sql"], {}, /a statement is needed/],
    ["an unknown format", ["sql", "--format", "xml", "select 1"], {}, /FORMAT must be one of table, csv, json/],
  ])("%s", async (_what, args, env, words) => {
    expectUsage(await pipeline(args, { ...folder.env, ...env }), words);
    expect(existsSync(layoutOf(folder.artifacts).current)).toBe(false);
  });

  it("a question for help is none", async () => {
    const { code, out } = await pipeline(["--help"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/build.*refresh.*ensure.*watch.*sql.*verify/s)]);
  });
});

describe("the server's configuration", () => {
  const server = (env: Record<string, string>) =>
    start("server/main.ts", [], { ...folder.env, HOST: "127.0.0.1", ...env }).ended;

  // Not translated before, as every other program here: as `make serve` starts it.
  it("a value that cannot be meant", () => {
    const env = { ...process.env, ...folder.env, PORT: "65536" };
    const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", "serve"], { cwd: ROOT, env, encoding: "utf8" });
    expectUsage({ code: status, out: stdout, err: stderr }, /PORT must be a whole number from 0 to 65535/);
  });

  it("is checked by `make serve` before the first build", () => {
    const env = { ...process.env, ...folder.env, HOST: "nosuch.invalid" };
    const { status, stdout, stderr } = spawnSync("make", ["serve"], { cwd: ROOT, env, encoding: "utf8" });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^HOST: the name nosuch\.invalid cannot be resolved$/m),
    ]);
    expect(stdout + stderr).not.toContain("sample campus");
    expect(existsSync(folder.artifacts)).toBe(false);
  });

  it("what is probably misspelled is said on standard error, before a host that there is not", async () => {
    const ended = await server({ PORT: "1", HOST: "192.0.2.1", SCHEDUL_URL: "x" });
    expectUsage(ended, /^HOST: 192\.0\.2\.1 is not an address of this machine/m);
    expect(ended.err).toContain("SCHEDUL_URL is not a known variable; did you mean SCHEDULE_URL?");
    const sql = await pipeline(["verify"], { ...folder.env, ARTIFACT_DIR: "x" });
    expect(sql.err).toContain("warn  ARTIFACT_DIR is not a known variable; did you mean ARTIFACTS_DIR?");
  });

  it("a port that is taken: status 2 and a clear line, never another port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const ended = await server({ PORT: String(port) });
    other.close();
    expectUsage(ended, new RegExp(`^PORT: port ${port} is in use`));
  });
});

it("`make` alone lists every command, and builds nothing", () => {
  const list = execFileSync("make", [], { cwd: ROOT, encoding: "utf8" });
  for (const command of ["build-data", "refresh", "serve", "doctor", "test", "check", "bench", "sql"])
    expect(list).toMatch(new RegExp(`^ *make ${command} +\\w`, "m"));
});

describe("runs", () => {
  let upstream: Upstream;
  let env: Record<string, string>;
  const current = () => readFileSync(join(folder.artifacts, "current", "manifest.json"), "utf8");

  beforeAll(async () => {
    upstream = await startUpstream(inventedWorld.read());
    const { SCHEDULE_URL, CALENDAR_URL, LARC_URL } = upstream.urls;
    env = { ...folder.env, SCHEDULE_URL, CALENDAR_URL, LARC_URL, TERMS: "2017 Summer2", LOG_LEVEL: "warn" };
  });
  afterAll(() => upstream?.close());

  it('"3 another run holds the lock"', async () => {
    const lock = await acquireLock(layoutOf(folder.artifacts).lock);
    const { code, err } = await pipeline(["build"], env);
    await lock.release();
    expect([code, err]).toEqual([3, expect.stringMatching(/^another run holds the lock: process \d+/)]);
    expect(existsSync(layoutOf(folder.artifacts).current)).toBe(false);
  });

  it('"1 at least one product failed (the others are published all the same, and the report says which and why)"', async () => {
    upstream.setFaults([
      { match: { system: "larc" }, status: 404 },
      { match: { system: "calendar" }, status: 404 },
    ]);
    const { code, out } = await pipeline(["build"], { ...env, CRAWL_PAUSE_MS: "0" });
    upstream.setFaults([]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/calendar: failed.*schedule: published.*At least one product failed/s),
    ]);
    const { files } = JSON.parse(current()) as Manifest;
    expect(files.map(({ table }) => table)).toContain("sections");
    expect(readFileSync(join(folder.artifacts, "report.txt"), "utf8")).toContain(out.trim().split("\n")[0]);
  });

  it('"0 all products published or unchanged"; `ensure` builds nothing where something is published', async () => {
    const few = { ...env, LARC_URL: "" };
    const { code, out } = await pipeline(["build"], few);
    expect([code, out]).toEqual([0, expect.stringMatching(/All products are published or unchanged/)]);
    const asked = upstream.requests.length;
    expect(await pipeline(["ensure"], env)).toMatchObject({ code: 0, out: "" });
    expect(upstream.requests.length).toBe(asked);
  });

  // `make serve` does in session.test.ts.
  it.runIf(isWhole)("`ensure` builds where nothing is", async () => {
    const other = await openFolder();
    const { code, out } = await pipeline(["ensure"], { ...env, ...other.env });
    expect([code, out]).toEqual([0, expect.stringMatching(/schedule: published/)]);
    await other.remove();
  });

  it("`verify` is satisfied, and finds a flipped byte and a file too many", async () => {
    const sound = await pipeline(["verify"], folder.env);
    expect([sound.code, sound.out]).toEqual([
      0,
      expect.stringMatching(/^snapshot [0-9a-f]{16}: \d+ files, 0 problems\n$/),
    ]);
    const { files } = JSON.parse(current()) as Manifest;
    const [path = ""] = files.filter(({ table }) => table === "sections").map((file) => file.path);
    const place = join(folder.artifacts, "current", path);
    const bytes = readFileSync(place);
    const flipped = Buffer.from(bytes);
    flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 0x10;
    writeFileSync(place, flipped);
    writeFileSync(join(folder.artifacts, "current", "stranger.txt"), "?");
    const damaged = await pipeline(["verify"], folder.env);
    expect([damaged.code, damaged.out]).toEqual([1, expect.stringContaining(path)]);
    expect(damaged.out).toMatch(/stranger\.txt: not in the manifest/);
    expect(damaged.out).toMatch(/, 2 problems\n$/);
  });

  it("`sql` answers; what is wrong with a statement is usage", async () => {
    const { code, out } = await pipeline(
      ["sql", "--format", "csv", "--", "select count(*) as n from terms"],
      folder.env,
    );
    expect([code, out]).toEqual([0, "n\n23\n"]);
    expectUsage(await pipeline(["sql", "selekt 1"], folder.env), /selekt/);
  });

  it("a reader who has seen enough of an answer is no failure", () => {
    const script = `set -o pipefail; "$0" "$1" sql --format csv -- "select range from range(500000)" | head -1`;
    const out = execFileSync("bash", ["-c", script, process.execPath, translated("pipeline/main.ts")], {
      env: { ...process.env, ...folder.env },
      encoding: "utf8",
    });
    expect(out.trim()).toBe("range");
  });

  it("`make sql` hands the statement on as it was written", () => {
    const statement = `select 'it''s 100% $HOME $(Q) \`x\`' as "a b", '{"k":1}'::json->'$.k' as k`;
    const args = ["-s", "sql", `Q=${statement}`, "FORMAT=json"];
    const out = execFileSync("make", args, { cwd: ROOT, env: { ...process.env, ...folder.env }, encoding: "utf8" });
    expect(JSON.parse(out)).toMatchObject([{ "a b": "it's 100% $HOME $(Q) `x`" }]);
    expect(out).toMatch(/"k":\s*"?1/);
  });
});
