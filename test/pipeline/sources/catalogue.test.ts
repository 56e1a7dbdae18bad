import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { someOf } from "../../support/extent.ts";
import { catalogueCourses } from "../../../pipeline/contract/rows/course.ts";
import { UpstreamBadResponse, UpstreamRefused } from "../../../pipeline/errors.ts";
import { toCatalogueCourses } from "../../../pipeline/normalize/catalogue/course.ts";
import { schoolsByDepartment } from "../../../pipeline/normalize/catalogue/school.ts";
import { parseCatalogueDepartment, parseCatalogueIndex } from "../../../pipeline/parse/catalogue-html.ts";
import { parsePrerequisiteForm, parsePrerequisiteTable } from "../../../pipeline/parse/prerequisites-html.ts";
import { parseSchoolPage, parseSchoolsIndex } from "../../../pipeline/parse/schools-html.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { walkCourses, walkSchools } from "../../../pipeline/sources/catalogue.ts";
import { walkPrerequisites } from "../../../pipeline/sources/prerequisites.ts";
import type { Upstream } from "../../support/upstream/upstream.ts";
import type { World } from "../../support/worlds/world.ts";
import { withSingleBlanks } from "../../support/worlds/single-blanks.ts";
import { inventedWorld, testWorlds } from "../../support/worlds/worlds.ts";
import { hastyClient } from "./hasty-client.ts";

const courseParsers = { index: parseCatalogueIndex, department: parseCatalogueDepartment };
const schoolParsers = { index: parseSchoolsIndex, school: parseSchoolPage };
const prerequisiteParsers = { form: parsePrerequisiteForm, table: parsePrerequisiteTable };

async function readCatalogue(upstream: Upstream) {
  const tally = createTally("catalogue");
  const url = new URL(upstream.urls.CATALOGUE_URL);
  const client = hastyClient("catalogue");
  const departments = await walkCourses(client, url, courseParsers, tally);
  const schools = await walkSchools(client, url, schoolParsers, tally);
  const prerequisites = new URL(upstream.urls.PREREQUISITES_URL);
  const requirements = await walkPrerequisites(hastyClient("prerequisites"), prerequisites, prerequisiteParsers, tally);
  const rows = toCatalogueCourses(
    { departments: departments.pages, requirements: requirements.pages, schools: schoolsByDepartment(schools.pages) },
    tally,
  );
  return { rows, departments, schools, requirements, report: tally.report("published", 0) };
}

describe.each(testWorlds)("the catalogue through an upstream, $name", (testWorld) => {
  let world: World;
  const running: Upstream[] = [];
  const start = async (options: object): Promise<Upstream> => {
    const upstream = await testWorld.start(world, options);
    running.push(upstream);
    return upstream;
  };
  beforeAll(() => void (world = testWorld.read()));
  afterAll(() => Promise.all(running.map((upstream) => upstream.close())));

  const coursesOutside = (code: string) => world.courses.filter(({ department }) => department !== code).length;
  const LEVELS = ["Lower Division (1-99)", "Upper Division (100-199)", "Graduate/Professional Only (200+)"];

  // Our own always has both kinds of markup.
  const markups =
    testWorld === inventedWorld
      ? [{}]
      : [
          { catalogue: "classic" },
          { catalogue: "2025" },
          { catalogue: "mixed" },
          { catalogue: "mixed", prerequisiteNoise: false },
        ];
  test.each(someOf<object>(markups, 2))("every course comes out field by field: %o", async (options) => {
    const { rows, report } = await readCatalogue(await start(options));
    expect(report).toMatchObject({
      read: world.courses.length,
      kept: world.courses.length,
      dropped: [],
      noted: [],
      damaged: [],
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const course of world.courses) {
      const row = byId.get(course.department.replaceAll(" ", "") + course.courseNumber);
      const { prerequisiteTree, courseLevel, ...fields } = course;
      expect(row).toMatchObject({ ...withSingleBlanks(fields), courseLevel: LEVELS[courseLevel] });
      expect(JSON.parse(row?.prerequisiteTree ?? "")).toEqual(prerequisiteTree ?? {});
    }
    for (const row of rows) expect(catalogueCourses.row.safeParse(row).error).toBeUndefined();
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
  });

  test("a damaged department page damages only itself, by name", async () => {
    const upstream = await start({ faults: [{ match: { path: "/catalogue/allcourses/dance/" }, truncate: 0.9 }] });
    const { rows, departments, report } = await readCatalogue(upstream);
    expect(departments.damaged).toEqual(["/catalogue/allcourses/dance/"]);
    expect(report.damaged).toHaveLength(1);
    expect(report.damaged[0]).toContain("/catalogue/allcourses/dance/");
    expect(rows).toHaveLength(coursesOutside("DANCE"));
  });

  test("a damaged prerequisite page names its department, so that the caller can refuse courses without a tree", async () => {
    const upstream = await start({
      faults: [{ match: { system: "prerequisites", params: { dept: "STATS" } }, htmlError: true }],
    });
    const { rows, requirements } = await readCatalogue(upstream);
    expect(requirements.damaged).toEqual(["prerequisites of STATS"]);
    expect(rows).toHaveLength(world.courses.length);
  });

  test("a damaged school page damages only itself", async () => {
    const upstream = await start({ faults: [{ match: { path: "/catalogue/schoolofthearts/" }, status: 500 }] });
    const { schools, rows } = await readCatalogue(upstream);
    expect(schools.damaged).toEqual(["/catalogue/schoolofthearts/"]);
    expect(rows.filter(({ school }) => school === "").every(({ department }) => department === "DANCE")).toBe(true);
  });

  test("what passes is repeated until it is right", async () => {
    const faults = [
      { match: { system: "catalogue", nth: 1 }, status: 503 },
      { match: { system: "catalogue", nth: 3 }, truncate: 0.5 },
      { match: { system: "catalogue", nth: 5 }, htmlError: true },
      { match: { system: "catalogue", nth: 7 }, redirect: true },
      { match: { system: "prerequisites", nth: 2 }, drop: 0.5 },
    ];
    const { rows, report } = await readCatalogue(await start({ faults }));
    expect([rows.length, report.damaged]).toEqual([world.courses.length, []]);
  });

  test("an index that fails, or is another page, fails the product", async () => {
    const upstream = await start({ faults: [{ match: { path: "/catalogue/allcourses/" }, htmlError: true }] });
    const url = new URL(upstream.urls.CATALOGUE_URL);
    const tally = createTally("catalogue");
    await expect(walkCourses(hastyClient("catalogue"), url, courseParsers, tally)).rejects.toThrow(UpstreamBadResponse);
    upstream.setFaults([{ match: { system: "catalogue" }, status: 404 }]);
    await expect(walkSchools(hastyClient("catalogue"), url, schoolParsers, tally)).rejects.toThrow(UpstreamRefused);
    upstream.setFaults([{ match: { system: "catalogue", path: "/allcourses\\/\\w/" }, status: 404 }]);
    await expect(walkCourses(hastyClient("catalogue"), url, courseParsers, tally)).rejects.toThrow(UpstreamRefused);
  });

  test("the address of the index is accepted for the catalogue's own", async () => {
    const upstream = await start({});
    const { pages } = await walkCourses(
      hastyClient("catalogue"),
      new URL("allcourses/", upstream.urls.CATALOGUE_URL),
      courseParsers,
      createTally("catalogue"),
    );
    expect(pages).toHaveLength(8);
  });

  test("a local copy of the catalogue and the prerequisites, file: addresses", async () => {
    const upstream = await start({});
    const folder = await mkdtemp(join(tmpdir(), "catalogue-"));
    const copy = async (path: string, links: RegExp): Promise<void> => {
      const html = await (await fetch(new URL(path, upstream.urls.CATALOGUE_URL))).text();
      const local = html.replaceAll("/catalogue/", "/");
      await mkdir(join(folder, path), { recursive: true });
      await writeFile(join(folder, path, "index.html"), local);
      for (const [, href] of local.matchAll(links)) await copy((href ?? "").slice(1), /levelone(?!.*#)/g);
    };
    await copy("allcourses/", /<li><a href="(\/allcourses\/[^"]+)"/g);
    const client = hastyClient("catalogue");
    // Try the folder with and without a trailing slash.
    for (const address of [pathToFileURL(folder), pathToFileURL(`${folder}/`)]) {
      const { pages } = await walkCourses(client, address, courseParsers, createTally("catalogue"));
      expect(pages.flatMap(({ courses }) => courses)).toHaveLength(world.courses.length);
    }
    const table = async (dept: string) =>
      (await fetch(`${upstream.urls.PREREQUISITES_URL}?dept=${encodeURIComponent(dept)}&action=view_all`)).text();
    await writeFile(join(folder, "prerequisites.html"), `${await table("STATS")}${await table("I&C SCI")}`);
    const file = pathToFileURL(join(folder, "prerequisites.html"));
    const rows = await walkPrerequisites(client, file, prerequisiteParsers, createTally("catalogue"));
    expect(rows.pages).toHaveLength(2 * world.courses.length - coursesOutside("STATS") - coursesOutside("I&C SCI"));
    await rm(folder, { recursive: true });
  });
});
