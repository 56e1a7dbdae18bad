/**
 * The table `section_instructors` (pipeline/RULES.md, People) of a crawled campus, and a server over it that can ask
 * the upstream.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameKey } from "../../pipeline/contract/name-key.ts";
import type { Instructor } from "../../pipeline/contract/rows/instructor.ts";
import type { SectionInstructor } from "../../pipeline/contract/rows/section-instructor.ts";
import { OCTOBER, openSmallCampus } from "../support/upstream/small-campus.ts";
import { rowsOf } from "../support/sample-build.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";
import { CACHE_STATUS } from "../../server/response/headers.ts";

let campus: Awaited<ReturnType<typeof openSmallCampus>>;
let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
let matches: SectionInstructor[];
const HOUR_MS = 3_600_000;
beforeAll(async () => {
  campus = await openSmallCampus(["2019 Winter", "2019 Fall"]);
  folder = await openFolder();
  expect((await run({ ...folder.env, ...campus.urls() }, "build", () => OCTOBER)).failed).toBe(false);
  server = await serve({ ...folder.env, SCHEDULE_URL: campus.urls()["SCHEDULE_URL"] ?? "" });
  matches = await rowsOf(folder, "FROM section_instructors");
}, 120_000);
afterAll(async () => {
  await server?.close();
  await campus?.close();
  await folder?.remove();
});

interface Named {
  readonly year: string;
  readonly quarter: string;
  readonly sectionCode: string;
  readonly department: string;
  readonly name: string;
}
const keyOf = ({ year, quarter, sectionCode, department, name }: Named) =>
  [year, quarter, sectionCode, department, nameKey(name)].join(" ");

describe("section_instructors", () => {
  it("has every name of a section or of its grades but STAFF, and no other", async () => {
    const named = await rowsOf<Named>(
      folder,
      `SELECT year, quarter, sectionCode, department, unnest(instructors) AS name FROM sections
       UNION SELECT year, quarter, sectionCode, department, unnest(instructors) FROM grades`,
    );
    const keys = new Set(named.filter(({ name }) => name !== "STAFF").map(keyOf));
    expect(keys.size).toBeGreaterThan(50);
    expect(new Set(matches.map(keyOf))).toEqual(keys);
  });

  it("lists all people with the name, or those of the department where there are any; it never chooses", async () => {
    const people = await rowsOf<Instructor>(folder, "FROM instructors");
    const rows = new Map<string, SectionInstructor[]>();
    for (const row of matches) rows.set(keyOf(row), [...(rows.get(keyOf(row)) ?? []), row]);
    const seen = new Set<string>();
    for (const all of rows.values()) {
      const [{ name, department, matchedBy, candidates }] = all as [SectionInstructor];
      const owners = people.filter(({ shortenedName }) => nameKey(shortenedName) === nameKey(name));
      const netids = all.flatMap(({ netid }) => netid ?? []).sort();
      seen.add(`${matchedBy} ${Math.min(candidates, 2)}`);
      expect(candidates).toBe(netids.length);
      expect(new Set(all.map((row) => row.matchedBy)).size).toBe(1);
      if (owners.length < 2 || matchedBy === "name") expect(netids).toEqual(owners.map(({ netid }) => netid).sort());
      else {
        const own = owners.filter(({ relatedDepartments }) => relatedDepartments.includes(department));
        expect(netids).toEqual(expect.arrayContaining(own.map(({ netid }) => netid)));
        for (const netid of netids) expect(owners.map((owner) => owner.netid)).toContain(netid);
        expect(netids.length).toBeGreaterThan(0);
      }
      expect(matchedBy === "none").toBe(owners.length === 0);
    }
    expect([...seen]).toEqual(expect.arrayContaining(["name 1", "none 0"]));
  });

  it("stays as it is, byte for byte, when nothing has changed", async () => {
    const later = () => new Date(OCTOBER.getTime() + HOUR_MS);
    expect(await run({ ...folder.env, ...campus.urls() }, "refresh", later)).toMatchObject({ changed: false });
  });
});

describe("live", () => {
  const term = "year=2019&quarter=Fall";
  let department: string;
  beforeAll(() => {
    department = encodeURIComponent(
      matches.find(({ quarter, netid }) => quarter === "Fall" && netid)?.department ?? "",
    );
  });

  const ask = async (more: string) => {
    const answer = await server.get(`/schedule?${term}&department=${department}${more}`);
    return { text: await answer.text(), cache: answer.headers.get("cache-status") };
  };

  it("sections have the ids that published ones have", async () => {
    const [cached, live] = [await ask("&instructorIds=true"), await ask("&instructorIds=true&cache=false")];
    expect([cached.cache, live.cache]).toEqual([CACHE_STATUS.hit, CACHE_STATUS.bypass]);
    expect(live.text).toBe(cached.text);
    expect(live.text).toMatch(/"instructorIds":\[\["\w+"/);
  });

  it.each(["json", "csv"])("netid filters them, as %s", async (format) => {
    const { netid } = matches.find((row) => row.quarter === "Fall" && row.netid) as SectionInstructor;
    const asked = `&netid=${netid}&format=${format}`;
    const [cached, live] = [await ask(asked), await ask(`${asked}&cache=false`)];
    expect(live.text).toBe(cached.text);
    expect(live.text).not.toBe((await ask(`&format=${format}`)).text);
    expect(live.text).toMatch(/\d{5}/);
  });
});
