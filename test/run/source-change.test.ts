/** From the sample campus to a real one: invented data does not stand beside real data, and stays where nothing real comes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCurrent } from "../../pipeline/generations/generation.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { inventedWorld } from "../support/worlds/worlds.ts";
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

  beforeAll(async () => {
    upstream = await startUpstream(inventedWorld.read());
    folder = await openFolder();
    await run({ ...folder.env, TERMS: "2016 Fall,2026 Fall" });
  });
  afterAll(async () => {
    await upstream?.close();
    await folder?.remove();
  });

  it("an upstream that offers nothing takes nothing away: what is published stays, and is still called the sample", async () => {
    const before = await tables();
    upstream.setFaults([{ match: { system: "schedule" }, htmlError: true }]);
    const report = await run({
      ...folder.env,
      SCHEDULE_URL: upstream.urls.SCHEDULE_URL,
      TERMS: "2017 Fall",
    });
    upstream.setFaults([]);
    expect(report.failed).toBe(true);
    expect(await tables()).toEqual(before);
    expect(before.source).toMatchObject({ schedule: "sample campus (standard)" });
  });

  it("what comes replaces the sample's terms; products that were not requested stay", async () => {
    const { SCHEDULE_URL } = upstream.urls;
    expect((await run({ ...folder.env, SCHEDULE_URL, TERMS: "2017 Fall" })).failed).toBe(false);
    const { terms, source, names } = await tables();
    expect(terms).toEqual(["2017 Fall"]);
    expect(source).toMatchObject({ schedule: SCHEDULE_URL, catalogue: "sample campus (standard)" });
    for (const table of ["courses", "instructors", "grades", "calendar", "larc"]) expect(names).toContain(table);
  });
});
