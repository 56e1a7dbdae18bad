import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { larc as larcTable } from "../../../pipeline/contract/rows/larc.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { toLarcCourses } from "../../../pipeline/normalize/larc.ts";
import { parseLarcPage } from "../../../pipeline/parse/larc-html.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { walkLarc } from "../../../pipeline/sources/larc.ts";
import type { Upstream } from "../../support/upstream/upstream.ts";
import { isOf, type World } from "../../support/worlds/world.ts";
import { testWorlds } from "../../support/worlds/worlds.ts";
import { hastyClient } from "./hasty-client.ts";

describe.each(testWorlds)("LARC through an upstream, $name", (testWorld) => {
  let world: World;
  let upstream: Upstream;
  const newer = {
    year: "2023",
    quarter: "Fall" as const,
    courseNumber: "MATH 2A",
    courseName: "Calculus (I)",
    sections: [{ day: "MTuW", time: "11:00a-12:50p", instructor: "Odd Vane", building: "ON LINE" }],
  };
  beforeAll(async () => {
    world = testWorld.read();
    world.larc.push({ ...newer, sameAs: "MATH 5A (part)" });
    upstream = await testWorld.start(world);
  });
  afterAll(() => upstream.close());

  const inWinter = () => world.larc.filter(isOf({ year: "2020", quarter: "Winter" })).length;
  const read = async (url = new URL(upstream.urls.LARC_URL), lastYear = 2024) => {
    const tally = createTally("larc");
    const { pages, damaged } = await walkLarc(hastyClient("larc"), url, parseLarcPage, lastYear, tally);
    return {
      rows: pages.flatMap(({ term, page }) => toLarcCourses(term, page, tally)),
      damaged,
      report: tally.report("published", 0),
    };
  };

  test("every entry comes out field by field, both Fall addresses", async () => {
    upstream.reset();
    const { rows, damaged, report } = await read();
    expect(rows).toEqual([...world.larc.slice(0, -1).map(({ sameAs: _sameAs, ...row }) => row), newer]);
    expect([damaged, report.dropped, report.kept]).toEqual([[], [], world.larc.length]);
    for (const row of rows) expect(larcTable.row.safeParse(row).error).toBeUndefined();
    // "For quarter Summer10wk the result is always an empty array": nobody asks.
    const paths = upstream.requests.map(({ path }) => decodeURIComponent(path));
    expect(paths.filter((path) => /\d{4}39/.test(path))).toEqual([]);
    expect(paths.filter((path) => /2021(92,1|92,s1)$/.test(path))).toHaveLength(2);
  });

  test("an error page with status 200 is no empty term", async () => {
    upstream.setFaults([{ match: { path: "/larc/202003,1" }, htmlError: true }]);
    const { damaged, rows } = await read();
    expect(damaged).toEqual(["tutorials of 2020 Winter"]);
    expect(rows).toHaveLength(world.larc.length - inWinter());
    upstream.setFaults([{ match: { system: "larc" }, htmlError: true }]);
    await expect(read()).rejects.toThrow(UpstreamBadResponse);
    upstream.setFaults([]);
  });

  test("a local folder, file: address", async () => {
    const folder = await mkdtemp(join(tmpdir(), "larc-"));
    const html = await (await fetch(new URL("202003,1", upstream.urls.LARC_URL))).text();
    await writeFile(join(folder, "202003,1"), html);
    await writeFile(join(folder, "202114,1.html"), html);
    const { rows } = await read(pathToFileURL(folder));
    expect(rows.map(({ year, quarter }) => `${year} ${quarter}`)).toEqual([
      ...Array(inWinter()).fill("2020 Winter"),
      ...Array(inWinter()).fill("2021 Spring"),
    ]);
    await rm(folder, { recursive: true });
  });
});
