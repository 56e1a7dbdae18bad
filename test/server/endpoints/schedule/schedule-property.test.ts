/** Random questions: the endpoint's answer is what a plain filter over all sections gives, to the last field. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Heading, Section } from "../../../../pipeline/contract/rows/section.ts";
import { toExpected } from "../../../support/worlds/world.ts";
import { inventedWorld } from "../../../support/worlds/worlds.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { assertAtOnce } from "../../../support/at-once.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { plainMatches } from "../../../support/oracles/plain-schedule.ts";
import { plainTree } from "../../../support/oracles/plain-schedule-tree.ts";
import { publishRows } from "../../../support/published/published.ts";
import { filterArbitraries, type Query, queryArbitrary } from "./schedule-queries.ts";
import { headingsOf } from "../../../support/worlds/section-rows.ts";
import { nastyTerm } from "./nasty-sections.ts";

const RUNS = 700;

function drawnTerms(): { sections: Section[]; headings: Heading[] } {
  const world = inventedWorld.read();
  const terms = ["2017 Fall", "2017 Winter", "2017 Summer1", "2018 Fall"];
  const sections = world.sections
    .filter(({ year, quarter }) => terms.includes(`${year} ${quarter}`))
    .map((section) => toExpected(world, section));
  return { sections, headings: headingsOf(sections) };
}

describe("random questions", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let app: OpenedApp;
  const drawn = drawnTerms();
  const nasty = nastyTerm();
  const all = {
    sections: [...drawn.sections, ...nasty.sections],
    headings: [...drawn.headings, ...nasty.headings],
  };
  const terms = [...new Set(all.sections.map(({ year, quarter }) => `${year} ${quarter}`))].map((name) => {
    const isOf = (row: { year: string; quarter: string }) => `${row.year} ${row.quarter}` === name;
    const sections = all.sections.filter(isOf);
    const [year = "", quarter = ""] = name.split(" ");
    return {
      year,
      quarter,
      sections,
      headings: all.headings.filter(isOf),
      query: queryArbitrary(filterArbitraries(sections)),
    };
  });
  const question = fc.oneof(
    ...terms.map((term) => ({
      weight: term.year === "2024" ? 3 : 1,
      arbitrary: term.query.map((filters) => ({ term, filters })),
    })),
  );

  beforeAll(async () => {
    folder = await openFolder();
    await publishRows(folder.artifacts, all);
    app = await openApp(folder.artifacts, undefined, { judgedEvery: 10 });
  });
  afterAll(async () => {
    await app?.close();
    await folder?.remove();
  });

  async function ask({ year, quarter }: { year: string; quarter: string }, filters: readonly Query[]) {
    const query = new URLSearchParams([["year", year], ["quarter", quarter], ["cacheOnly", "true"], ...filters.flat()]);
    const response = await app.get(`/schedule?${query}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${query}: ${text}`);
    return { query, text };
  }
  const codesIn = (text: string): string[] =>
    [...text.matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code = ""]) => code);

  it(`the answer equals a plain filter over all sections: ${RUNS.toLocaleString("en")} questions`, async () => {
    let found = 0;
    await assertAtOnce(
      question,
      async ({ term, filters }) => {
        const { query, text } = await ask(term, filters);
        const expected = JSON.stringify(plainTree(term.sections, term.headings, query));
        expect(text).toBe(expected);
        found += text === '{"schools":[]}' ? 0 : 1;
      },
      { numRuns: RUNS, seed: 90_210 },
    );
    // A question that finds nothing shows little.
    expect(found).toBeGreaterThan(RUNS / 3);
  });

  it("adding a filter never adds a section", async () => {
    // These two are no filters: they choose what stands beside, and which half is asked.
    const isFilter = ([pair]: Query) => pair?.[0] !== "includeCoCourses" && pair?.[0] !== "cancelledCourses";
    await assertAtOnce(
      fc.tuple(question, fc.nat()),
      async ([{ term, filters }, pick]) => {
        const droppable = filters.filter(isFilter);
        if (droppable.length === 0) return;
        const dropped = droppable[pick % droppable.length];
        const fewer = await ask(
          term,
          filters.filter((filter) => filter !== dropped),
        );
        const wider = new Set(codesIn(fewer.text));
        expect(codesIn((await ask(term, filters)).text).filter((code) => !wider.has(code))).toEqual([]);
      },
      { numRuns: 800, seed: 90_211 },
    );
  });

  it("includeCoCourses only adds, and only sections of the same courses", async () => {
    await assertAtOnce(
      question,
      async ({ term, filters }) => {
        const plain = filters.filter(([pair]) => pair?.[0] !== "includeCoCourses");
        const { query, text } = await ask(term, plain);
        const more = codesIn((await ask(term, [...plain, [["includeCoCourses", "true"]]])).text);
        expect(codesIn(text).filter((code) => !more.includes(code))).toEqual([]);
        const courses = new Set(
          plainMatches(term.sections, query).map((s) => JSON.stringify([s.deptCode, s.courseNumber, s.courseTitle])),
        );
        for (const code of more) {
          const section = term.sections.find(({ sectionCode }) => sectionCode === code);
          expect(courses).toContain(JSON.stringify([section?.deptCode, section?.courseNumber, section?.courseTitle]));
        }
      },
      { numRuns: 300, seed: 90_212 },
    );
  });
});
