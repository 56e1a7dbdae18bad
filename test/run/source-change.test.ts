/**
 * From the sample campus to a real one: invented data never mixes with real data, and stays for products without real
 * data.
 */
import { cp } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCurrent } from "../../pipeline/store/published.ts";
import { openSample, SAMPLE_NOW } from "../support/sample-build.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { readSmallWorld } from "../support/worlds/small-world.ts";
import { openFolder, run } from "../support/whole-run.ts";

describe("a run from another campus than what is published", () => {
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  const tables = async () => {
    const { files, source } = (await readCurrent(folder.artifacts))?.manifest ?? { files: [], source: {} };
    return {
      terms: files
        .filter(({ table }) => table === "sections")
        .map(({ partition }) => `${partition.year} ${partition.quarter}`),
      source,
      names: new Set(files.map(({ table }) => table)),
    };
  };

  const now = () => new Date(SAMPLE_NOW.getTime() + 3_600_000);
  const real = () => ({ ...folder.env, SCHEDULE_URL: upstream.urls.SCHEDULE_URL, TERMS: "2019 Fall" });

  beforeAll(async () => {
    const sample = await openSample();
    folder = await openFolder();
    const whole = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    await cp(sample.data, folder.data, whole);
    await cp(sample.artifacts, folder.artifacts, whole);
    upstream = await startUpstream(readSmallWorld());
    upstream.setClock(now);
  }, 600_000);
  afterAll(async () => {
    await upstream?.close();
    await folder?.remove();
  });

  it("an upstream that offers nothing takes nothing away: what is published stays, and is still called the sample", async () => {
    const before = await tables();
    upstream.setFaults([{ match: { system: "schedule" }, htmlError: true }]);
    const report = await run(real(), "build", now);
    upstream.setFaults([]);
    expect(report.failed).toBe(true);
    expect(await tables()).toEqual(before);
    expect(before.source).toMatchObject({ schedule: "sample campus (standard)" });
  });

  it("what comes replaces the sample's terms; products that were not requested stay", async () => {
    const { SCHEDULE_URL } = upstream.urls;
    expect((await run(real(), "build", now)).failed).toBe(false);
    const { terms, source, names } = await tables();
    expect(terms).toEqual(["2019 Fall"]);
    expect(source).toMatchObject({ schedule: SCHEDULE_URL, catalogue: "sample campus (standard)" });
    for (const table of ["courses", "instructors", "grades", "calendar", "larc"]) expect(names).toContain(table);
  });
});
