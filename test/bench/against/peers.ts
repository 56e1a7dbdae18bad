/**
 * Distinct grade sums of a course, beside two servers of the same rows: datasette with an indexed SQLite file, and
 * roapi with a Parquet file in memory. Both sum the same columns; this service also lists the sections.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { ENGINES, installPackages } from "../../engines/install.ts";
import { toCases } from "../cases.ts";
import { putLoad, quantile } from "../load.ts";
import { freePort } from "../processes.ts";
import { toTable, number } from "../table.ts";
import { readWords } from "../words.ts";
import { run, serve, type Side } from "./sides.ts";

const CONNECTIONS = 16;
const MS = 3000;
const TURNS = 5;
const CASE = "grades/aggregate, a course";
const SUMS = ["A", "B", "C", "D", "F", "P", "NP"].map((grade) => `sum("grade${grade}Count")`);
const LONGEST_START_MS = 60_000;

interface Peer {
  readonly name: string;
  readonly base: string;
  readonly paths: readonly string[];
  readonly bodies?: readonly string[];
  stop(): Promise<void>;
}

/** Returns a Markdown table of requests per second, medians of measurements in turns. */
export async function measurePeers(side: Side, folder: string, tell: (text: string) => void): Promise<string> {
  const artifacts = join(side.root, "artifacts");
  const paths = toCases(await readWords(artifacts)).find(({ name }) => name === CASE)?.distinct ?? [];
  const files = await writeGrades(artifacts, folder);
  const bin = join(ENGINES, "venv-peers", "bin");
  await installPackages(bin, "requirements-peers");
  const perSecond = new Map<string, number[]>();
  for (let turn = 0; turn < TURNS; turn++) {
    const asked = paths.filter((_, index) => index % TURNS === turn);
    const courses = asked.map((path) => new URL(path, "http://localhost").searchParams);
    for (const start of [
      () => startService(side, asked),
      () => startDatasette(bin, files.sqlite, courses),
      () => startRoapi(bin, files.parquet, courses),
    ]) {
      const peer = await start();
      tell(`${peer.name}: turn ${turn + 1} of ${TURNS}`);
      try {
        const load = await putLoad({ ...peer, connections: CONNECTIONS, ms: MS, once: true });
        if (load.failures > 0) throw new Error(`${peer.name}: ${load.failures} requests failed`);
        perSecond.set(peer.name, [...(perSecond.get(peer.name) ?? []), load.perSecond]);
      } finally {
        await peer.stop();
      }
    }
  }
  const medians = [...perSecond].map(([name, values]) => [name, quantile(values, 0.5)] as const);
  const ours = medians[0]?.[1] ?? NaN;
  const rows = medians.map(([name, value]) => [name, number(value), number(ours / value)]);
  return toTable(["distinct grade sums of a course", "requests/s", "this service ×"], rows, 1);
}

/** The published grades, as a SQLite and a Parquet file. */
async function writeGrades(artifacts: string, folder: string): Promise<{ sqlite: string; parquet: string }> {
  await mkdir(folder, { recursive: true });
  const current = await readCurrent(artifacts);
  const files = current?.manifest.files.filter(({ table }) => table === "grades") ?? [];
  const [csv, sqlite, parquet] = ["grades.csv", "grades.db", "grades.parquet"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = readParquet(files.map(({ path }) => join(artifacts, path)));
  await connection.run(`COPY (SELECT * EXCLUDE (instructors) FROM ${rows}) TO '${csv}' (HEADER)`);
  await connection.run(`COPY (SELECT * EXCLUDE (instructors) FROM ${rows}) TO '${parquet}' (FORMAT parquet)`);
  connection.closeSync();
  const program = fileURLToPath(new URL("grades_table.py", import.meta.url));
  await run("python3", [program, csv, sqlite], { root: folder });
  return { sqlite, parquet };
}

async function startService(side: Side, paths: readonly string[]): Promise<Peer> {
  const server = await serve(side);
  return { name: "this service", base: server.base, paths, stop: server.stop };
}

function startDatasette(bin: string, file: string, courses: readonly URLSearchParams[]): Promise<Peer> {
  const sql = `select ${SUMS.join(", ")}, avg("averageGPA") from grades where department = :department and courseNumber = :courseNumber`;
  const paths = courses.map((course) => `/grades.json?${new URLSearchParams({ sql, _shape: "array" })}&${course}`);
  return startPeer("datasette 0.65.2", paths, (port) => [join(bin, "datasette"), "serve", file, "-p", String(port)]);
}

async function startRoapi(bin: string, file: string, courses: readonly URLSearchParams[]): Promise<Peer> {
  const text = (value: string | null) => `'${String(value).replaceAll("'", "''")}'`;
  const bodies = courses.map(
    (course) =>
      `select ${SUMS.join(", ")}, avg("averageGPA") from grades where department = ${text(course.get("department"))} and "courseNumber" = ${text(course.get("courseNumber"))}`,
  );
  const paths = courses.map(() => "/api/sql");
  const command = (port: number) => [join(bin, "roapi"), "-a", `127.0.0.1:${port}`, "-t", `grades=${file}`];
  return { ...(await startPeer("roapi 0.12.7", paths, command)), bodies };
}

async function startPeer(
  name: string,
  paths: readonly string[],
  command: (port: number) => readonly string[],
): Promise<Peer> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const [program = "", ...args] = command(port);
  const child = spawn(program, args, { stdio: "ignore" });
  const isUp = () =>
    fetch(base).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  for (const began = performance.now(); (await isUp()) === undefined; await sleep(50))
    if (child.exitCode !== null || performance.now() - began > LONGEST_START_MS)
      throw new Error(`${name} does not respond`);
  return {
    ...{ name, base, paths },
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
