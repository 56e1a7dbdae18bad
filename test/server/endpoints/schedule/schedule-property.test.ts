/** Random questions: the endpoint's answer is what a plain filter over all sections gives, to the last field. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Heading, Section } from "../../../../pipeline/contract/section.ts";
import { courseDigits } from "../../../../pipeline/contract/vocabulary.ts";
import { toExpected } from "../../../support/world.ts";
import { inventedWorld } from "../../../support/worlds.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { assertAtOnce } from "../../../support/at-once.ts";
import { openApp, type OpenedApp } from "../../../support/opened-app.ts";
import { plainMatches } from "../../../support/oracles/plain-schedule.ts";
import { plainTree } from "../../../support/oracles/plain-schedule-tree.ts";
import { publishRows } from "../../../support/published.ts";
import { filterArbitraries, type Query, queryArbitrary } from "./schedule-queries.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/section-rows.ts";

const RUNS = 2_500;

const anyOf = fc.constantFrom<string[]>;
const times = ["0:00", "8:00", "9:00", "10:00", "13:30", "18:00", "23:00"];
const later: Record<string, string> = {
  "0:00": "0:50",
  "8:00": "8:50",
  "9:00": "10:50",
  "10:00": "10:50",
  "13:30": "16:50",
  "18:00": "23:59",
  "23:00": "25:50",
};
const places = [
  "ALP 2300",
  "EH 1200",
  "SEH 1200",
  "eh 1200",
  "ON LINE",
  "VRTL REMOTE",
  "TBA",
  "HIB 100",
  "HIB 10",
  "H_B 100",
];
const names = [
  "STAFF",
  "SMITH, J.",
  "Smith, K.",
  "SMITHSON, J.",
  "O'NEIL, P.",
  "DE LA CRUZ, M.",
  "A_B, C.",
  "100%, D.",
  "ÉRARD, É.",
];

/** Everything that a filter may stumble over, in a small vocabulary, so that near misses abound. */
const nastySection: fc.Arbitrary<Partial<Section>> = fc.record({
  schoolName: anyOf("School of Arts", "School of Arts and Letters", "school of arts", "Élan", ""),
  deptCode: anyOf("I&C SCI", "IC SCI", "ART", "ART HIS", "CRM/LAW", "100%", "A_T", "i&c sci"),
  courseNumber: anyOf(
    "1",
    "1A",
    "1a",
    "H1",
    "161",
    "161H",
    "M118L",
    "118",
    "LAB",
    "99",
    "100",
    "199",
    "200",
    "0",
    "32A",
    "33B",
  ),
  courseTitle: anyOf("INTRO", "INTRO TO BALLET", "Intro", "100% X_Y", 'O\'NEIL \\ "Q"', "ÉTUDES", ""),
  sectionType: anyOf("Act", "Dis", "Lab", "Lec", "Lec", "Tut", "Xyz"),
  units: anyOf("4", "4.0", "1-4", "2.0-4", "0", "1.3", "0.5", "12", ""),
  instructors: fc.subarray(names, { maxLength: 3 }),
  meetings: fc.array(
    fc.oneof(
      fc
        .tuple(
          anyOf("MWF", "TuTh", "Tu", "Th", "Sa", "Su", "SuSa", "MTuWThF", ""),
          anyOf(...times),
          fc.subarray(places, { maxLength: 2 }),
        )
        .map(([days, start, bldg]) => meeting(days, start, later[start], ...bldg)),
      anyOf(...places).map((place) => tba(place)),
    ),
    { maxLength: 3 },
  ),
  maxCapacity: anyOf("", "0", "1", "30", "30", "100"),
  numCurrentlyEnrolled: fc.record({ totalEnrolled: anyOf("", "0", "1", "30", "31"), sectionEnrolled: anyOf("", "1") }),
  restrictions: anyOf("", "A", "A and L", "B or K", "A or B and X", "XA", "l", "N"),
  status: anyOf("OPEN", "Waitl", "FULL", "NewOnly", ""),
  cancelled: fc.nat(5).map((n) => n === 0),
  geCategories: fc.subarray(["GE-1A", "GE-1B", "GE-2", "GE-5A", "GE-5B"] as const),
  sectionComment: anyOf("", '<p>\n\t\u2028 "quoted" 😀 </p>'),
});

function nastyTerm(): { sections: Section[]; headings: Heading[] } {
  const sections = fc.sample(nastySection, { numRuns: 500, seed: 20_241 }).map((change, i) =>
    sectionRow({
      ...change,
      courseNumeric: courseDigits(change.courseNumber ?? ""),
      sectionCode: String(1 + i * 199).padStart(5, "0"),
    }),
  );
  // Every fifth department has no heading.
  return { sections, headings: headingsOf(sections).filter((_, i) => i % 5 !== 4) };
}

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
