/**
 * The imports that each room of the tree may have: a table that is checked against the sources. A room is a folder
 * below `pipeline/` or `server/`, a file beside them, or a part of a folder with a separate line. Arrows point down the
 * table, so that there are no cycles between rooms.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The rooms that a room may import besides `SHARED`, from the programs down. */
const ARROWS = `
server/main.ts       → server/server.ts server/http server/snapshot
server/server.ts     → server/modes.ts server/http server/response server/site server/docs server/data server/status server/pages server/endpoints
server/server.ts     → server/snapshot server/duckdb server/mcp server/telemetry pipeline/live.ts pipeline/follow.ts
pipeline/main.ts     → pipeline/commands.ts
pipeline/commands.ts → pipeline/run pipeline/publish pipeline/settings
server/modes.ts      → server/compat server/endpoints server/response server/search server/snapshot
server/http          → server/pages server/endpoints server/response server/snapshot server/duckdb server/telemetry pipeline/store
server/mcp           → server/pages server/response server/snapshot server/duckdb pipeline/publish pipeline/store
server/site          → server/status server/pages server/response
server/docs          → server/data server/status server/pages server/openapi server/endpoints server/response
server/data          → server/pages server/openapi server/response server/snapshot pipeline/store pipeline/lake pipeline/disk
server/status        → server/pages server/openapi server/response server/snapshot server/telemetry pipeline/follow.ts pipeline/store
server/pages         → server/response server/snapshot
server/openapi       → server/response server/snapshot server/telemetry
server/compat        → server/response server/snapshot server/duckdb server/telemetry
server/endpoints     → server/search server/response server/snapshot server/duckdb server/telemetry pipeline/live.ts
server/search        → server/response server/snapshot server/duckdb
server/response      → server/snapshot server/duckdb server/telemetry pipeline/live.ts
server/snapshot      → server/duckdb server/telemetry pipeline/store pipeline/disk
server/duckdb        → server/telemetry
server/telemetry     →
pipeline/run         → pipeline/products pipeline/crawl pipeline/lake pipeline/migrations pipeline/store
pipeline/run         → pipeline/forget pipeline/backup pipeline/store pipeline/publish pipeline/sources pipeline/campus
pipeline/run         → pipeline/settings pipeline/parse pipeline/disk
pipeline/products    → pipeline/crawl pipeline/settings pipeline/publish pipeline/landing pipeline/normalize pipeline/parse pipeline/store
pipeline/products    → pipeline/sources pipeline/forget
pipeline/live.ts     → pipeline/crawl pipeline/sources pipeline/campus pipeline/forget
pipeline/follow.ts   → pipeline/store pipeline/forget
pipeline/crawl       → pipeline/landing pipeline/normalize pipeline/parse pipeline/sources
pipeline/forget      → pipeline/lake pipeline/backup pipeline/store pipeline/publish pipeline/normalize
pipeline/forget      → pipeline/settings pipeline/disk
pipeline/lake        → pipeline/store pipeline/publish pipeline/disk
pipeline/migrations  → pipeline/backup pipeline/publish pipeline/store pipeline/disk
pipeline/backup      → pipeline/store pipeline/disk
pipeline/publish     → pipeline/store pipeline/settings pipeline/disk
pipeline/store       → pipeline/settings pipeline/disk
pipeline/disk        →
pipeline/landing     →
pipeline/normalize   → pipeline/text
pipeline/parse       → pipeline/text
pipeline/sources     → pipeline/text
pipeline/campus      →
pipeline/text        →
pipeline/settings    →
pipeline/limits.ts   →
pipeline/errors.ts   →
pipeline/regular-files.ts →
pipeline/log.ts      →
pipeline/contract    →
`;
const SHARED = {
  pipeline: [
    "pipeline/contract",
    "pipeline/errors.ts",
    "pipeline/limits.ts",
    "pipeline/log.ts",
    "pipeline/regular-files.ts",
  ],
  server: ["pipeline/contract", "pipeline/errors.ts", "pipeline/log.ts", "pipeline/settings"],
};
const arrows = ARROWS.trim()
  .split("\n")
  .map((line) => line.split(/\s+/))
  .flatMap(([room = "", , ...allowed]) => [{ room, allowed }]);
const rooms = [...new Set(arrows.map(({ room }) => room))];

function mayImport(from: string, to: string): boolean {
  const shared = SHARED[from.startsWith("server/") ? "server" : "pipeline"];
  const isBelow = rooms.indexOf(from) < rooms.indexOf(to);
  return isBelow && (shared.includes(to) || arrows.some(({ room, allowed }) => room === from && allowed.includes(to)));
}

/** Its code runs elsewhere: what it imports from outside would come along, unless it is a type. */
const BROWSER = "server/site/app";

interface Import {
  readonly file: string;
  /** A path from the root, or the name of a package. */
  readonly target: string;
  readonly isType: boolean;
}

const roomOf = (path: string): string =>
  rooms.find((room) => room.split("/").length > 2 && `${path}/`.startsWith(`${room}/`)) ??
  path.split("/").slice(0, 2).join("/");

function readImports(file: string, source: string): Import[] {
  const statements = source.matchAll(/\b(import|export)\b(\s+type\b)?([^"';()]*?\bfrom\s*|\s*\(\s*|\s*)"([^"\n]+)"/g);
  return [...statements].map(([, , type, , name = ""]) => ({
    file,
    target: name.startsWith(".") ? join(dirname(file), name) : name,
    isType: type !== undefined,
  }));
}

const files = ["pipeline", "server"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((name) => /\.tsx?$/.test(name));
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
const imports = [...sources].flatMap(([file, source]) => readImports(file, source));
const told = ({ file, target }: Import) => `${file} imports ${target}`;
const isInTree = ({ target }: Import) => /^(?:pipeline|server)\//.test(target);

it("every import statement is read, of whatever form", () => {
  const source = `
import { a } from "./a.ts";
import type { B } from "./b.ts";
import {
  c,
} from "../c/c.ts";
export { d } from "./d.ts";
export type { E } from "./e.ts";
import "./f.ts";
const g = await import("./g.ts");
import h, { type H } from "h/h";
const text = "from"; export const i = "./i.ts";`;
  const read = readImports("server/room/file.ts", source).map(({ target, isType }) => [target, isType]);
  expect(read).toEqual([
    ["server/room/a.ts", false],
    ["server/room/b.ts", true],
    ["server/c/c.ts", false],
    ["server/room/d.ts", false],
    ["server/room/e.ts", true],
    ["server/room/f.ts", false],
    ["server/room/g.ts", false],
    ["h/h", false],
  ]);
});

it("the table's arrows point down", () => {
  const all = arrows.flatMap(({ room, allowed }) => allowed.map((other) => [room, other] as const));
  expect(all.filter(([from, to]) => rooms.indexOf(to) <= rooms.indexOf(from))).toEqual([]);
});

it("each room is in the table, and imports what the table allows", () => {
  expect([...new Set(files.map(roomOf))].sort()).toEqual([...rooms].sort());
  const between = imports.filter((entry) => isInTree(entry) && roomOf(entry.target) !== roomOf(entry.file));
  expect(between.length).toBeGreaterThan(500);
  expect(between.filter(({ file, target }) => !mayImport(roomOf(file), roomOf(target))).map(told)).toEqual([]);
});

it("nothing in the pipeline imports the server", () => {
  expect(imports.filter((entry) => entry.file.startsWith("pipeline/") && entry.target.startsWith("server/"))).toEqual(
    [],
  );
});

it("the contract imports zod and itself", () => {
  const ofContract = imports.filter(({ file }) => roomOf(file) === "pipeline/contract");
  const foreign = ofContract.filter(({ target }) => target !== "zod" && roomOf(target) !== "pipeline/contract");
  expect(foreign.map(told)).toEqual([]);
});

it("code for browsers takes nothing but types from elsewhere in the tree", () => {
  const ofBrowser = imports.filter((entry) => entry.file.startsWith(BROWSER) && isInTree(entry));
  expect(ofBrowser.filter(({ target, isType }) => !isType && !target.startsWith(BROWSER)).map(told)).toEqual([]);
});

it("only the programs read the environment, and hand it to the configuration", () => {
  const readers = [...sources].filter(([, source]) => /\bprocess\.env\b/.test(source.replace(/^\s*\/?\*.*$/gm, "")));
  expect(readers.map(([file]) => file).sort()).toEqual(["pipeline/main.ts", "server/main.ts"]);
});

/** The files of the server that open or ask the database, or import such a file: all others are tested without one. */
const REACH_THE_DATABASE = [
  "server/data/ducklake.ts",
  "server/duckdb/pool.ts",
  "server/duckdb/query-runner.ts",
  "server/main.ts",
  "server/mcp/sql/answer-statement.ts",
  "server/mcp/sql/run-statement.ts",
  "server/mcp/sql/sql-process.ts",
  "server/server.ts",
];

it("few files of the server reach the database", () => {
  const reached = new Set(["@duckdb/node-api"]);
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const { file, target, isType } of imports) if (!isType && reached.has(target)) reached.add(file);
  }
  expect([...reached].filter((file) => file.startsWith("server/")).sort()).toEqual(REACH_THE_DATABASE);
});
