import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { directoryInstructors } from "../../../pipeline/contract/rows/instructor.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { choosePeople } from "../../../pipeline/normalize/people/directory-match.ts";
import { toFaculty } from "../../../pipeline/normalize/people/faculty.ts";
import { toDirectoryInstructors } from "../../../pipeline/normalize/people/instructor.ts";
import { spellingsOf } from "../../../pipeline/normalize/people/person-name.ts";
import { createSeenNames, type SeenNames } from "../../../pipeline/normalize/people/shortened-name.ts";
import { parseDirectoryAnswer } from "../../../pipeline/parse/directory-json.ts";
import { parseSchoolPage, parseSchoolsIndex } from "../../../pipeline/parse/schools-html.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { walkSchools } from "../../../pipeline/sources/catalogue.ts";
import { findPeople, openDirectory } from "../../../pipeline/sources/directory.ts";
import type { Upstream } from "../../support/upstream/upstream.ts";
import type { World } from "../../support/worlds/world.ts";
import { testWorlds } from "../../support/worlds/worlds.ts";
import { hastyClient } from "./hasty-client.ts";

const matching = { spellings: spellingsOf, choose: choosePeople };

describe.each(testWorlds)("instructors through an upstream, $name", (testWorld) => {
  let world: World;
  let upstream: Upstream;
  let seen: SeenNames;
  beforeAll(async () => {
    world = testWorld.read();
    upstream = await testWorld.start(world);
    const counted = new Map<string, Map<string, number>>();
    for (const { deptCode, instructors } of world.sections) {
      for (const name of instructors) {
        const counts = counted.get(name) ?? new Map<string, number>();
        counted.set(name, counts.set(deptCode, (counts.get(deptCode) ?? 0) + 1));
      }
    }
    seen = createSeenNames(counted);
  });
  afterAll(() => upstream.close());

  const readFaculty = async () => {
    const url = new URL(upstream.urls.CATALOGUE_URL);
    const parsers = { index: parseSchoolsIndex, school: parseSchoolPage };
    return toFaculty((await walkSchools(hastyClient("catalogue"), url, parsers, createTally("instructors"))).pages);
  };
  const directory = () =>
    openDirectory(hastyClient("directory"), new URL(upstream.urls.DIRECTORY_URL), parseDirectoryAnswer);

  /**
   * In the schedule, these ten have a name that theirs cannot be shortened to, or none at all, which only the world
   * itself knows. They get the usual short form of their name.
   */
  const UNKNOWABLE: Record<string, string> = {
    egunzimn: "GUNZIMN, E.",
    hsteirg1: "STEIRGR, H.",
    hsteirgr: "STEIRGR, H.",
    nflaerbi: "FLAERBIN, N.",
    qdraerv: "DRAERV, Q.",
    vzonko: "CLAERTURR, V.",
    xflaemri: "PROGRO, X.",
    ymedurk1: "VI, Y.",
    zalvamsi: "VE-VAMSIOW, Z.",
    zstomge: "STOMGE, Z.",
  };

  test("every instructor comes out field by field", async () => {
    const tally = createTally("instructors");
    const { found, damaged } = await findPeople(directory(), await readFaculty(), matching, tally);
    const rows = toDirectoryInstructors(found, seen, tally);
    expect(damaged).toEqual([]);
    expect(tally.report("published", 0)).toMatchObject({
      read: world.instructors.length,
      kept: world.instructors.length,
      dropped: [],
      noted: [],
      damaged: [],
    });
    const schoolOf = new Map(world.courses.map(({ department, school }) => [department, school]));
    const byId = new Map(rows.map((row) => [row.netid, row]));
    for (const person of world.instructors) {
      const row = byId.get(person.netid);
      // Pages list schools by name; a department shows only where its courses are, on a page of its own school.
      const shown = person.relatedDepartments.filter((code) => person.schools.includes(schoolOf.get(code) ?? "none"));
      expect({ ...row, relatedDepartments: row?.relatedDepartments.toSorted() }).toEqual({
        ...person,
        schools: person.schools.toSorted(),
        relatedDepartments: shown.toSorted(),
        shortenedName: UNKNOWABLE[person.netid] ?? person.shortenedName,
      });
    }
    for (const row of rows) expect(directoryInstructors.row.safeParse(row).error).toBeUndefined();
    expect(rows.map(({ netid }) => netid)).toEqual(rows.map(({ netid }) => netid).sort());
  });

  test("schools and departments stand in the order of the pages", async () => {
    const schoolOf = new Map(world.courses.map(({ department, school }) => [department, school]));
    const placeOf = (code: string) => `${schoolOf.get(code)} ${code}`;
    const inOrderOfPages = (codes: readonly string[]) => codes.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const members = (await readFaculty()).filter(({ schools }) => schools.length > 1);
    for (const { schools, relatedDepartments } of members) {
      expect(schools).toEqual(schools.toSorted());
      expect(relatedDepartments).toEqual(inOrderOfPages(relatedDepartments));
    }
    // Which is not that of the codes.
    const [another] = members.filter(({ relatedDepartments: codes }) => codes.join() !== codes.toSorted().join());
    expect(another).toBeDefined();
  });

  test("one look-up that fails for good is named; several fail the product", async () => {
    const members = (await readFaculty()).slice(0, 60);
    const [first, second, third] = members.map(({ name }) => name);
    const failing = (names: (string | undefined)[]) =>
      names.map((name) => ({
        match: { system: "directory", params: { uciKey: name } },
        body: "<html>sorry</html>",
        type: "text/html",
      }));
    try {
      upstream.setFaults(failing([first]));
      const tally = createTally("instructors");
      const { found, damaged } = await findPeople(directory(), members, matching, tally);
      expect([found.length, damaged]).toEqual([59, [first]]);
      expect(tally.report("published", 0).damaged).toHaveLength(1);
      upstream.setFaults(failing([first, second, third]));
      await expect(findPeople(directory(), members, matching, createTally("instructors"))).rejects.toThrow(
        UpstreamBadResponse,
      );
    } finally {
      upstream.setFaults([]);
    }
  });
});

describe("requests by name", () => {
  const entry = (name: string, netid: string, more = {}) => [
    9,
    { Name: name, UCInetID: netid, Email: btoa(`${netid}@example.edu`), ...more },
  ];

  test("spelling after spelling until somebody is chosen", async () => {
    const asked: string[] = [];
    const directory = {
      lookUp: (name: string) => {
        asked.push(name);
        return Promise.resolve(name === "Jose Vane" ? [{ name: "Jose Vane", nickname: "", isStudent: false }] : []);
      },
    };
    const { found } = await findPeople(directory, [{ name: "José K. Vane" }], matching, createTally("instructors"));
    expect(asked).toEqual(["José K. Vane", "Jose K. Vane", "Jose Vane"]);
    expect(found[0]?.people).toHaveLength(1);
  });

  test("a file: address is one answer with everybody in it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "directory-"));
    await writeFile(
      join(folder, "people.json"),
      JSON.stringify([
        entry("Mira Vane", "mvane"),
        entry("Odd Vane", "ovane"),
        entry("Zyx Vane", "zvane", { "Student's Level": "Graduate" }),
      ]),
    );
    const directory = openDirectory(
      hastyClient("directory"),
      pathToFileURL(join(folder, "people.json")),
      parseDirectoryAnswer,
    );
    const members = [{ name: "Mira Vane" }, { name: "Zyx Vane" }, { name: "Nobody" }];
    const { found } = await findPeople(directory, members, matching, createTally("instructors"));
    expect(found.map(({ people }) => people.map(({ netid }) => netid))).toEqual([["mvane"], [], []]);
    await rm(folder, { recursive: true });
  });
});
