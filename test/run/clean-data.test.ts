/** `make clean` and `make clean-data`: what goes, what stays, and who is asked. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askYes, cleanData } from "../../pipeline/run/commands/clean-data.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { acquireLock } from "../../pipeline/disk/lock.ts";
import { enrolled, FALL, openHistoryDays } from "../support/published/history-days.ts";
import { csv, row } from "../pipeline/products/recorded-days.ts";
import { once } from "../support/once.ts";
import { start } from "../support/program.ts";
import { copyFolder, openFolder } from "../support/whole-run.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let folder: Awaited<ReturnType<typeof openFolder>>;
const clean = (...args: string[]) => start("pipeline/main.ts", ["clean-data", ...args], folder.env).ended;

/** Two sections on three recorded days, the day before imported; files of a run, of operators, of a backup. */
const template = once(async () => {
  const folder = await openFolder();
  mkdirSync(join(folder.data, "enrollment"), { recursive: true });
  mkdirSync(join(folder.data, "backup"));
  writeFileSync(join(folder.data, "backup/history.parquet"), "kept");
  writeFileSync(join(folder.data, "enrollment/old.csv"), csv(row("2022-05-17", 3)));
  const history = await openHistoryDays(folder);
  for (const day of ["2022-05-18", "2022-05-19", "2022-05-25"])
    await history.run(day, [{ term: FALL, sections: [enrolled(4), enrolled(5, { sectionCode: "35731" })] }]);
  history.close();
  for (const name of ["freshness.json", "report.json", "report.txt"]) writeFileSync(join(folder.artifacts, name), "{}");
  return folder;
});
beforeEach(async () => {
  folder = await copyFolder(await template());
});
afterEach(() => folder.remove());

const published = () => existsSync(join(layoutOf(folder.artifacts).current, "manifest.json"));

describe("clean-data", () => {
  it("without a terminal it asks nobody and refuses", async () => {
    const { code, out, err } = await clean();
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(/asks before it deletes.*YES=1/)]);
    expect(published()).toBe(true);
  });

  it("lists what is lost, then deletes what is published and nothing else", async () => {
    writeFileSync(join(folder.artifacts, "mine.txt"), "kept");
    const { code, out } = await clean("--yes");
    expect(code).toBe(0);
    expect(out).toMatch(/3 snapshots, \d+\.\d MB; the newest is 3-[0-9a-f]{16}\n/);
    expect(out).toContain(
      "recorded enrollment history: 6 snapshots of sections on 3 days (2022-05-18 to 2022-05-25), which cannot be fetched again",
    );
    expect(out).toContain(
      "imported enrollment history: 1 snapshots of sections on 1 days (2022-05-17 to 2022-05-17)\n",
    );
    expect(readdirSync(folder.artifacts).sort()).toEqual(["lock", "mine.txt"]);
    expect(readdirSync(join(folder.data, "backup"))).toEqual(["history.parquet"]);
    expect(readdirSync(join(folder.data, "enrollment"))).toEqual(["old.csv"]);
  });

  it("a history that cannot be read does not pass for none", async () => {
    const periods = join(folder.artifacts, "enrollment_periods");
    const name = readdirSync(periods).find((one) => one.startsWith("2022-Fall-2022-05-")) ?? "";
    await rm(join(periods, name));
    writeFileSync(join(periods, name), "damaged");
    const { code, out } = await clean("--yes");
    expect([code, out]).toEqual([0, expect.stringContaining("enrollment history: cannot be read")]);
  });

  it("refuses while a run is alive, with its status", async () => {
    const lock = await acquireLock(layoutOf(folder.artifacts).lock);
    const { code, err } = await clean("--yes");
    await lock.release();
    expect([code, err]).toEqual([3, expect.stringMatching(/^another run holds the lock/)]);
    expect(published()).toBe(true);
  });

  it("deletes nothing when the answer is no", async () => {
    expect(await cleanData(folder.artifacts, () => Promise.resolve(false))).toBe(false);
    expect(published()).toBe(true);
    const lock = await acquireLock(layoutOf(folder.artifacts).lock);
    await lock.release();
  });

  it("the answer yes is taken for one, and nothing else", async () => {
    for (const [text, isYes] of [
      ["yes\n", true],
      [" YES \n", true],
      ["y\n", false],
      ["\n", false],
      ["", false],
    ] as const) {
      const input = new PassThrough();
      const asked = askYes("Delete? ", input, new PassThrough());
      input.end(text);
      expect([text, await asked]).toEqual([text, isYes]);
    }
  });

  it("`make clean-data` follows ARTIFACTS_DIR and hands YES=1 on", () => {
    const env = { ...process.env, ...folder.env };
    const run = (...more: string[]) =>
      execFileSync("make", ["-s", "clean-data", ...more], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    expect(() => run()).toThrow(/asks before it deletes/);
    expect(() => run("YES=0")).toThrow(/asks before it deletes/);
    expect(published()).toBe(true);
    expect(run("YES=1").toString()).toMatch(/\nDeleted\.\n$/);
    expect(published()).toBe(false);
  });
});

it("`make clean` removes packages and landings only", async () => {
  const project = await mkdtemp(join(tmpdir(), "clean-"));
  const kept = ["artifacts/snapshots/x", "artifacts/current/x", "data/grades/x", "data/enrollment/x", "data/backup/x"];
  for (const path of [...kept, "data/landing/x", "node_modules/x", ".install-1/x"])
    mkdirSync(join(project, path), { recursive: true });
  execFileSync("make", ["-f", join(ROOT, "Makefile"), "clean"], { cwd: project });
  expect(readdirSync(project).sort()).toEqual(["artifacts", "data"]);
  expect(readdirSync(join(project, "data")).sort()).toEqual(["backup", "enrollment", "grades"]);
  for (const path of kept) expect(existsSync(join(project, path))).toBe(true);
  mkdirSync(join(project, "elsewhere/landing"), { recursive: true });
  execFileSync("make", ["-f", join(ROOT, "Makefile"), "clean"], {
    cwd: project,
    env: { ...process.env, DATA_DIR: "elsewhere" },
  });
  expect(readdirSync(join(project, "elsewhere"))).toEqual([]);
  await rm(project, { recursive: true });
});
