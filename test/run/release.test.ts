/**
 * `make release`: the packed programs run in an empty folder with just `node`, are small, and contain nothing of the
 * development.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { post, toMessage } from "../server/mcp/assistant.ts";
import { freePort } from "../support/balancer.ts";
import { isWhole } from "../support/extent.ts";
import { isAllowed, PERMISSIVE } from "../support/licences.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAX_MEGABYTES = 130;
const run = promisify(execFile);
interface Lock {
  packages: Record<string, { dev?: boolean }>;
}
interface Bill {
  bomFormat: string;
  components: {
    "bom-ref": string;
    name: string;
    properties: { name: string }[];
    hashes?: { alg: string; content: string }[];
    licenses: { license?: { id: string }; expression?: string }[];
  }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;

let folder: string;
/** The unpacked release. */
let release: string;
/** Every file in it. */
let files: string[];
/** An environment with only `node` on the path, and nothing of this user. */
let env: Record<string, string>;

const build = async (to: string) => {
  await run("make", ["-s", "release", `TO=${to}`], { cwd: ROOT });
  return join(to, readdirSync(to).find((name) => name.endsWith(".tar.gz")) ?? "");
};
const node = (...args: string[]) => run(process.execPath, args, { cwd: release, env });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  chmodSync(folder, 0o755);
  for (const name of ["home", "path", "empty"]) mkdirSync(join(folder, name));
  symlinkSync(process.execPath, join(folder, "path/node"));
  env = { PATH: join(folder, "path"), HOME: join(folder, "home"), TERMS: "2026 Summer2", LOG_LEVEL: "warn", PORT: "0" };
  execFileSync("tar", ["-xzf", await build(folder), "-C", join(folder, "empty")]);
  release = join(folder, "empty", readdirSync(join(folder, "empty"))[0] ?? "");
  files = readdirSync(release, { recursive: true, encoding: "utf8" }).sort();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the archive", () => {
  it("has one folder, named by version and system, and nothing stays beside it", () => {
    expect(release).toMatch(
      new RegExp(`/academic-data-\\d+\\.\\d+\\.\\d+-${process.platform}-${process.arch}(-musl)?$`),
    );
    expect(readdirSync(folder).sort()).toEqual([`${release.split("/").at(-1)}.tar.gz`, "empty", "home", "path"].sort());
    expect(readdirSync(release).sort()).toEqual(
      [
        "LICENSE",
        "README.md",
        "browser",
        "deploy",
        "node_modules",
        "package.json",
        "pipeline",
        "sbom.cdx.json",
        "server",
      ].sort(),
    );
  });

  // Once more takes as long as everything else here.
  it.runIf(isWhole)("has the same bytes when it is built again", async () => {
    const again = mkdtempSync(join(folder, "again-"));
    const [first, second] = [`${release.split("/").at(-1)}.tar.gz`, await build(again)];
    expect(readFileSync(second).equals(readFileSync(join(folder, first)))).toBe(true);
    rmSync(again, { recursive: true });
  });

  it(`takes at most ${MAX_MEGABYTES} MB unpacked`, () => {
    const blocks = files.map((name) => statSync(join(release, name)).blocks * 512);
    const megabytes = blocks.reduce((sum, bytes) => sum + bytes, 0) / 1024 ** 2;
    expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES);
    expect(megabytes).toBeGreaterThan(50);
  });

  it("has packages of production only, each with its package.json and licence", () => {
    const folders = Object.keys(packages).filter((path) => path !== "" && files.includes(path));
    expect(folders.length).toBeGreaterThan(20);
    expect(folders.filter((path) => packages[path]?.dev)).toEqual([]);
    for (const path of folders.filter((folder) => files.some((name) => name.startsWith(`${folder}/`)))) {
      const legal = readdirSync(join(ROOT, path)).filter((name) => /^(licen[cs]e|notice|package\.json$)/i.test(name));
      expect([path, legal.filter((name) => !files.includes(`${path}/${name}`))]).toEqual([path, []]);
    }
  });

  it("names every package whose code is in it, with its version, hash, and a licence that may be passed on", () => {
    const read = (name: string) => readFileSync(join(release, name), "utf8");
    const { bomFormat, components, dependencies } = JSON.parse(read("sbom.cdx.json")) as Bill;
    const named = new Map(components.map((component) => [component["bom-ref"], component]));
    const imported = files.filter((name) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(name));
    const inBrowsers = read("browser/LICENCES.txt").matchAll(/^(\S+) (\d\S*) \([^)]+\)$/gm);
    const shipped = [
      ...imported.map((name) => JSON.parse(read(name)) as { name: string; version: string }),
      ...[...inBrowsers].map(([, name, version]) => ({ name, version })),
    ].map(({ name, version }) => `${name}@${version}`);
    expect([bomFormat, [...named.keys()].sort()]).toEqual(["CycloneDX", [...new Set(shipped)].sort()]);
    expect(shipped).toContainEqual(expect.stringMatching(/^preact@/));
    for (const { name, hashes, licenses, properties } of components) {
      const license = licenses.map((license) => license.license?.id ?? license.expression ?? "none").join(" OR ");
      expect([name, license, isAllowed(license, PERMISSIVE)]).toEqual([name, license, true]);
      // A package in another package's archive has no hash.
      const isBundled = properties.some((property) => property.name === "cdx:npm:package:bundled");
      expect([name, isBundled || /^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? "")]).toEqual([name, true]);
    }
    const links = dependencies.flatMap(({ dependsOn }) => dependsOn);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !named.has(link))).toEqual([]);
  });

  it("has no tests, source maps and TypeScript, but the clients that the server sends", () => {
    const unwanted = files.filter((name) => /\.(map|tsx?|[mc]ts)$|(^|\/)(tests?|__tests__|\.github)(\/|$)/.test(name));
    expect(unwanted).toEqual(["server/docs/client/compat.ts", "server/docs/client/plain.ts"]);
    expect(files.filter((name) => /duckdb.*\.wasm$/.test(name))).toEqual([expect.stringMatching(/duckdb-eh\.wasm$/)]);
  });

  it("is imported from nowhere else, and what packages load by a computed name is known", () => {
    for (let parent = dirname(release); parent !== dirname(parent); parent = dirname(parent))
      expect(existsSync(join(parent, "node_modules")), parent).toBe(false);
    const computed = /(?<![.\w*])(?:require|import)\((?!\)|\s*["'][^"']*["']\s*[,)]|\s*`[^`$]*`)/;
    const unwanted = files.filter(
      (name) =>
        /\.[cm]?js$/.test(name) &&
        !name.startsWith("browser/") &&
        computed.test(readFileSync(join(release, name), "utf8")),
    );
    const loading = [
      ...new Set(unwanted.map((name) => Object.keys(packages).findLast((path) => name.startsWith(`${path}/`)))),
    ];
    // The library of this system is packed whole. The packages that listhen and its jiti load are for its command line;
    // in the protocol's package they occur in a generator's text that nothing calls.
    const known = ["@duckdb/node-bindings", "@modelcontextprotocol/server", "jiti", "listhen"];
    expect(loading).toEqual(known.map((name) => `node_modules/${name}`));
  });
});

describe("with node alone", () => {
  it("the pipeline crawls the sample campus, and every file that it publishes is sound", async () => {
    const { stdout } = await node("pipeline/main.js", "refresh");
    expect(stdout).toContain("All products are published or unchanged.");
    expect((await node("pipeline/main.js", "verify")).stdout).toMatch(
      /^snapshot [0-9a-f]{16}: \d+ files, 0 problems$/m,
    );
    expect(readdirSync(release)).toEqual(expect.arrayContaining(["artifacts", "data"]));
  });

  it("other commands run too", async () => {
    const sql = await node("pipeline/main.js", "sql", "--format", "csv", "select count(*) > 0 as found from sections");
    expect(sql.stdout).toBe("found\ntrue\n");
    await node("pipeline/main.js", "export", join(folder, "lake"));
    expect(existsSync(join(folder, "lake/current.json"))).toBe(true);
    expect((await node("pipeline/main.js", "doctor")).stdout).toMatch(/^faults: 0/m);
    await node("server/docs/client/client-command.js", "--out", join(folder, "client.js"));
    expect(existsSync(join(folder, "client.ts"))).toBe(true);
  });

  it("the server answers as a user who may write nothing, and ends when it is told to", async () => {
    const port = String(await freePort());
    // Root may write everywhere.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = spawn(process.execPath, ["server/main.js"], {
      cwd: release,
      env: { ...env, HOST: "127.0.0.1", PORT: port, TMPDIR: tmpdir() },
      stdio: ["ignore", "ignore", "inherit"],
      ...user,
    });
    const exited = once(child, "exit");
    const get = async (path: string, accept = "*/*") => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const textOf = async (path: string, accept?: string) => {
      const { status, bytes } = await get(path, accept);
      expect([path, status]).toEqual([path, 200]);
      return bytes.toString();
    };
    try {
      await vi.waitFor(async () => expect((await get("/health/ready")).status).toBe(200), { timeout: 60_000 });
      const term = "year=2026&quarter=Summer2&department=MATH";
      expect(await textOf(`/v1/rest/schedule?${term}`)).toContain('"deptCode":"MATH"');
      for (const format of ["csv", "ndjson", "ics"]) await textOf(`/v1/rest/schedule?${term}&format=${format}`);
      const parquet = await get(`/v1/rest/schedule?${term}&format=parquet`);
      expect(parquet.bytes.subarray(0, 4).toString()).toBe("PAR1");
      const page = await textOf("/", "text/html");
      const assets = [...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path as string);
      expect(assets.length).toBeGreaterThan(1);
      for (const path of assets) await textOf(path);
      const wasm = files.find((name) => name.endsWith("duckdb-eh.wasm")) ?? "";
      expect((await get(wasm.replace("browser/", "/assets/"))).bytes.length).toBe(statSync(join(release, wasm)).size);
      const url = `http://127.0.0.1:${port}`;
      const { message } = await post(
        url,
        toMessage("sql", { statement: "SELECT count(*) > 0 AS found FROM sections" }),
      );
      expect(message.result?.content[0]?.text).toContain('"data":[{"found":true}]');
      for (const path of ["/docs", "/status"]) expect(await textOf(path, "text/html")).toContain("<title>");
      expect(await textOf("/client.js")).toContain("export const createClient");
      expect((await get("/v1/data/lake.ducklake")).bytes.subarray(8, 12).toString()).toBe("DUCK");
    } finally {
      child.kill("SIGTERM");
    }
    expect(await exited).toEqual([0, null]);
  });
});
