/**
 * The systemd units of a release: systemd knows every line of them, and the programs and variables that they name
 * exist.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pipelineSettings } from "../../pipeline/settings/pipeline.ts";
import { serverSettings } from "../../pipeline/settings/server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DEPLOY = join(ROOT, ".setup/release/deploy");
const INSTALLED = "/opt/academic-data/";
/** The limit of systemd's exposure level, in tenths, from 0 (sealed off) to 100. */
const MOST_EXPOSED = "20";

const units = readdirSync(DEPLOY).filter((name) => /\.(service|timer)$/.test(name));
const services = units.filter((name) => name.endsWith(".service"));
const textOf = (unit: string) => readFileSync(join(DEPLOY, unit), "utf8");

it("two services and a timer", () => {
  expect(units).toEqual(["academic-data-refresh.service", "academic-data-refresh.timer", "academic-data.service"]);
});

it.each(services)("%s starts a program that is there, with variables that it reads", (unit) => {
  const text = textOf(unit);
  const [, program = ""] = new RegExp(`^ExecStart=node ${INSTALLED}(\\S+)`, "m").exec(text) ?? [];
  expect(existsSync(join(ROOT, "dist/current", program)), program).toBe(true);
  const { shape } = program.startsWith("server/") ? serverSettings : pipelineSettings;
  const names = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, all = ""]) =>
    all.split(" ").map((assignment) => assignment.split("=")[0] ?? ""),
  );
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !(name in shape))).toEqual([]);
});

it("the server may write nothing, a refresh the folder of the data; Node may compile", () => {
  const writable = /^(StateDirectory|ReadWritePaths|CacheDirectory|LogsDirectory)=.*$/gm;
  expect(textOf("academic-data.service").match(writable)).toBeNull();
  expect(textOf("academic-data-refresh.service").match(writable)).toEqual(["StateDirectory=academic-data"]);
  for (const unit of services) {
    expect(textOf(unit)).toMatch(/^ProtectSystem=strict$/m);
    expect(textOf(unit)).not.toMatch(/^MemoryDenyWriteExecute=/m);
  }
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!hasSystemd) process.stdout.write("skipped: systemd-analyze is not installed\n");

describe.skipIf(!hasSystemd)("systemd", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "units-"));
    // It looks for the programs too.
    for (const unit of units)
      writeFileSync(
        join(folder, unit),
        textOf(unit).replace(`ExecStart=node ${INSTALLED}`, `ExecStart=${process.execPath} ${ROOT}dist/current/`),
      );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(units)("finds no fault with %s", (unit) => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", join(folder, unit)], {
      encoding: "utf8",
    });
    // It may know of faults of this machine's own units.
    expect([status, stderr.split("\n").filter((line) => line.includes("academic-data"))]).toEqual([0, []]);
  });

  it.each(services)("%s is well sealed off", (unit) => {
    const limit = ["security", "--offline=true", `--threshold=${MOST_EXPOSED}`];
    expect(execFileSync("systemd-analyze", [...limit, join(folder, unit)], { encoding: "utf8" })).toContain("OK");
  });
});
