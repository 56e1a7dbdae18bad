/** Search as people use it, codes as they are typed, misspellings, names: what comes first, and what after it. */
import { afterAll, describe, expect, it } from "vitest";
import { openSearch } from "./search-campus.ts";

const { search, close } = await openSearch();
afterAll(close);

describe("the first hit", () => {
  it.each([
    // Codes as they stand in the catalogue, and as they are typed.
    ["I&C SCI 46", "I&CSCI46"],
    ["i&c sci 46", "I&CSCI46"],
    ["I&CSCI46", "I&CSCI46"],
    ["ICS 46", "I&CSCI46"],
    ["ics46", "I&CSCI46"],
    ["ics h32", "I&CSCIH32"],
    ["CS161", "COMPSCI161"],
    ["cs 161", "COMPSCI161"],
    ["cs-161", "COMPSCI161"],
    ["compsci161", "COMPSCI161"],
    ["COMPSCI 161L", "COMPSCI161L"],
    ["comp sci 161", "COMPSCI161"],
    ["computer science 161", "COMPSCI161"],
    ["  cs   161 ", "COMPSCI161"],
    ["cs 161 algorithms", "COMPSCI161"],
    ["bio sci 93", "BIOSCI93"],
    ["bio 93", "BIOSCI93"],
    ["biology 93", "BIOSCI93"],
    ["in4matx43", "IN4MATX43"],
    ["IN4MATX 43", "IN4MATX43"],
    ["inf 43", "IN4MATX43"],
    ["math2b", "MATH2B"],
    ["CRM/LAW C7", "CRM/LAWC7"],
    ["crim c7", "CRM/LAWC7"],
    ["com lit 60", "COMLIT60"],
    ["old dep 1", "OLDDEP1"],
    // Cut short or misspelt.
    ["compsic 161", "COMPSCI161"],
    ["compsc 161", "COMPSCI161"],
    ["mathmatics 2b", "MATH2B"],
    ["phisics 7c", "PHYSICS7C"],
    ["phys 7", "PHYSICS7C"],
    ["inform 43", "IN4MATX43"],
    // Titles.
    ["data structure implementation", "I&CSCI46"],
    ["data stru", "I&CSCI46"],
    ["sofware enginering", "IN4MATX43"],
    ["calclus", "MATH2B"],
    ["cafe thermo", "PHYSICS46"],
    ["from dna to organisms", "BIOSCI93"],
    ["physics thermodynamics", "PHYSICS46"],
    // Departments.
    ["I&C SCI", "I&C SCI"],
    ["ics", "I&C SCI"],
    ["math", "MATH"],
    ["mathematics", "MATH"],
    ["matematics", "MATH"],
    ["art", "ART"],
    ["art history", "ART HIS"],
    ["gender and sexuality studies", "GEN&SEX"],
    ["gender & sex", "GEN&SEX"],
    // People.
    ["Quillon Osterwick", "qosterwi"],
    ["osterwick, t.", "tosterwi"],
    ["osterwick tamsin", "tosterwi"],
    ["tamsin osterwik", "tosterwi"],
    ["osterwick q", "qosterwi"],
    ["mveludro", "mveludro"],
    ["mare veludros", "mveludro"],
    ["VELU", "mveludro"],
    ["ve", "mveludro"],
  ])("%s → %s", async (q, id) => {
    expect((await search(q))[0]?.id).toBe(id);
  });
});

describe("ranking", () => {
  it("puts the course that was named before those that begin like it, and those before everything else", async () => {
    const hits = await search("cs 16");
    expect(hits.map(({ id }) => id).slice(0, 3)).toEqual(["COMPSCI16", "COMPSCI161", "COMPSCI161L"]);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hits[0]?.score).toBeGreaterThanOrEqual(0.9);
    expect(hits[1]?.score).toBeLessThan(0.9);
  });

  it("takes a nickname for the department that has it, then for those whose initials it is", async () => {
    const ids = (await search("cs 161")).map(({ id }) => id);
    expect(ids.indexOf("COMPSCI161")).toBe(0);
    expect(ids.indexOf("COGS161")).toBe(1);
  });

  it("gives a number alone in every department", async () => {
    expect((await search("46")).map(({ id }) => id).sort()).toEqual(["I&CSCI46", "PHYSICS46"]);
  });

  it("falls back to some of the words when nothing has all of them", async () => {
    const hits = await search("calculus zzyzx");
    expect(hits[0]).toMatchObject({ id: "MATH2B" });
    expect(hits[0]?.score).toBeLessThan(0.5);
  });

  it("gives every namesake", async () => {
    expect((await search("osterwick")).map(({ id }) => id).sort()).toEqual(["qosterwi", "tosterwi"]);
  });
});
