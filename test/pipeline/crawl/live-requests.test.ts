import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Section } from "../../../pipeline/contract/rows/section.ts";
import {
  DAYS,
  DIVISIONS,
  FULL_COURSES,
  GE_CATEGORIES,
  SECTION_TYPES,
  type Term,
} from "../../../pipeline/contract/vocabulary.ts";
import { UpstreamBadResponse, type UpstreamError, UpstreamRefused, UpstreamTimeout } from "../../../pipeline/errors.ts";
import type { LiveQuery } from "../../../pipeline/live.ts";
import { createLive, type LiveOptions } from "../../../pipeline/crawl/live-requests.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { Query } from "../../support/oracle/query.ts";
import type { Tables } from "../../support/oracle/rows.ts";
import { findSections } from "../../support/oracle/schedule.ts";
import type { Fault } from "../../support/upstream/faults.ts";
import type { Upstream } from "../../support/upstream/upstream.ts";
import { toExpected, type World } from "../../support/worlds/world.ts";
import { inventedWorld, testWorlds } from "../../support/worlds/worlds.ts";
import { draws, isWhole, someOf } from "../../support/extent.ts";

const FALL: Term = { year: "2017", quarter: "Fall" };
const SUMMER: Term = { year: "2017", quarter: "Summer1" };

const sectionsOf = (world: World, term: Term): Section[] =>
  world.sections.filter((s) => s.year === term.year && s.quarter === term.quarter).map((s) => toExpected(world, s));

const byCode = (a: Section, b: Section) => (a.sectionCode < b.sectionCode ? -1 : 1);

const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
const digits = (code: number) => String(code).padStart(5, "0");
/** To the upstream, a letter with a mark is a different letter. */
const marked = (name: string) => name.replace(/\P{ASCII}/gu, encodeURIComponent);
/** The sections that match, as the oracle says of the same request over HTTP. */
function matching(sections: readonly Section[], { term: _term, ...asked }: LiveQuery): Section[] {
  const { sectionCodes, startTime, endTime, maxCapacity, instructorName, ...others } = asked;
  const texts = {
    ...others,
    ...(instructorName === undefined ? {} : { instructorName: marked(instructorName) }),
    ...(sectionCodes ? { sectionCodes: sectionCodes.map(({ low, high }) => `${digits(low)}-${digits(high)}`) } : {}),
    ...(startTime === undefined ? {} : { startTime: clock(startTime) }),
    ...(endTime === undefined ? {} : { endTime: clock(endTime) }),
    ...(maxCapacity ? { maxCapacity: `${maxCapacity.operator}${maxCapacity.count}` } : {}),
  };
  const sent = new URLSearchParams(
    Object.entries(texts).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const query = new Query(sent, false);
  const compared = sections.map((section) => ({ ...section, instructors: section.instructors.map(marked) }));
  const { found } = findSections(compared, query, { section_instructors: [] } as unknown as Tables);
  expect([...query.wrong]).toEqual([]);
  const matched = new Set(found.map(({ sectionCode }) => sectionCode));
  return sections.filter(({ sectionCode }) => matched.has(sectionCode)).sort(byCode);
}

const codes = (sections: readonly Section[]) => sections.map((section) => section.sectionCode).sort();

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const liveOf = ({ urls }: Upstream, more: Partial<LiveOptions>) =>
  createLive({ scheduleUrl: new URL(urls.SCHEDULE_URL), timeoutMs: 5_000, concurrency: 4, log: silentLog, ...more });

describe.each(someOf(testWorlds.toReversed(), 1))("createLive, $name", (testWorld) => {
  const whole = testWorld.read();
  let upstream: Upstream;

  const start = async (world: World, more: Partial<LiveOptions> = {}, options: object = {}) => {
    upstream = await testWorld.start(world, options);
    return liveOf(upstream, more);
  };
  afterEach(() => upstream.close());

  it("answers random questions so that our own filters give what they give over the whole term", async () => {
    const fall = sectionsOf(whole, FALL);
    const hidden = {
      ...whole.sections.find((s) => s.quarter === "Fall" && s.year === "2017")!,
      sectionCode: "98123",
      geCategories: [],
    };
    const world = { ...whole, sections: [...whole.sections, hidden] };
    const live = await start(world);
    const all = [...fall, toExpected(world, hidden)];
    const section = fc.constantFrom(...all);
    const near = fc.nat({ max: 400 });
    const starred = fc.oneof(
      section.map((s) => ({ department: s.deptCode.toLowerCase().replace(" ", "") })),
      section.map((s) => ({ instructorName: s.instructors[0] ?? "STAFF" })),
      section.map((s) => ({ instructorName: `${(s.instructors[0] ?? "STAFF").split(",")[0]?.toLowerCase()},` })),
      section.map((s) => ({ instructorName: (s.instructors[0] ?? "STAFF").slice(0, 3).replace(",", "") })),
      fc.constantFrom(...GE_CATEGORIES).map((ge) => ({ ge })),
      fc.array(fc.tuple(section, near), { minLength: 1, maxLength: 14 }).map((list) => ({
        sectionCodes: list.map(([s, width]) => ({
          low: Number(s.sectionCode),
          high: Number(s.sectionCode) + (width > 380 ? width : 0),
        })),
      })),
    );
    const others = fc.record({
      room: maybe(section.map((s) => s.meetings[0]?.bldg[0] ?? "")),
      division: maybe(fc.constantFrom(...DIVISIONS)),
      courseNumber: maybe(
        fc.array(
          fc.oneof(
            section.map((s) => s.courseNumber.toLowerCase()),
            section.map((s) => `${s.courseNumber}-${s.courseNumeric + 40}`),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      ),
      courseTitle: maybe(section.map((s) => s.courseTitle.slice(2, 6).toLowerCase().trim())),
      sectionType: maybe(fc.constantFrom(...SECTION_TYPES)),
      units: maybe(fc.array(fc.constantFrom("4", "4.0", "VAR", "0", ".5", "1.3"), { minLength: 1, maxLength: 3 })),
      days: maybe(fc.subarray([...DAYS], { minLength: 1, maxLength: 3 })),
      startTime: maybe(fc.integer({ min: 0, max: 1439 })),
      endTime: maybe(fc.constantFrom(600, 650, 659, 660, 770, 1010, 1200, 1439)),
      maxCapacity: maybe(fc.record({ operator: fc.constantFrom(">", "<", "="), count: fc.constantFrom(20, 30, 100) })),
      fullCourses: maybe(fc.constantFrom(...FULL_COURSES)),
      cancelledCourses: maybe(fc.constantFrom("Exclude", "Include", "Only")),
    });
    let matched = 0;
    // Use at most three of the other filters at once, or nothing would ever match.
    const question = fc
      .tuple(
        starred,
        others,
        fc.subarray(Object.keys(others), { maxLength: 3 }),
        fc.array(fc.nat(11), { maxLength: 3 }),
      )
      .map(([first, rest, , picks]): LiveQuery => {
        const names = Object.keys(rest) as (keyof typeof rest)[];
        const chosen = new Set(picks.map((pick) => names[pick]));
        const kept = Object.fromEntries(
          Object.entries(rest).filter(([name, value]) => value !== undefined && chosen.has(name as never)),
        );
        const { room: place, ...filters } = kept as Partial<LiveQuery>;
        const [building, ...room] = place?.split(" ") ?? [];
        return {
          term: FALL,
          ...first,
          ...filters,
          ...(building ? { building: building.toLowerCase() } : {}),
          ...(building && room.length > 0 ? { room: room.join(" ") } : {}),
        };
      });
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        // Codes from 98000 on are found by code only.
        const reachable = asked.sectionCodes ? all : fall;
        const wanted = matching(reachable, asked);
        const { sections, headings } = await live.query(asked);
        const answered = matching(sections, asked);
        const geCategories = asked.ge ? [asked.ge] : [];
        expect(answered).toEqual(wanted.map((s) => ({ ...s, geCategories })));
        for (const { schoolName, deptCode } of answered) {
          expect(headings.some((h) => h.schoolName === schoolName && h.deptCode === deptCode)).toBe(true);
        }
        matched += wanted.length > 0 ? 1 : 0;
      }),
      { numRuns: draws(250, 50), seed: 7 },
    );
    expect(matched).toBeGreaterThan(isWhole ? 50 : 20);
  });

  it.each([
    ["by code, where no codes were asked for", { instructorName: "ama" }, "00001-49000"],
    ["by halving the range that was asked for", { sectionCodes: [{ low: 1, high: 99_999 }] }, "00001-50000"],
  ])("splits a question over the limit, as often as it takes: %s", async (_, asked, half) => {
    const world = { ...whole, sections: whole.sections.map((s) => ({ ...s, instructors: ["AMAN, A."] })) };
    const live = await start(world);
    const { sections } = await live.query({ term: FALL, ...asked });
    expect(sections.length).toBeGreaterThan(900);
    expect(codes(sections)).toEqual(codes(sectionsOf(world, FALL)));
    expect(upstream.requests.some(({ params }) => params["CourseCodes"] === half)).toBe(true);
  });

  it("recovers from a fault that passes", async () => {
    const live = await start(whole);
    upstream.setFaults([{ match: { params: { Dept: "PHYSICS" }, nth: 1 }, status: 503 }]);
    expect((await live.query({ term: SUMMER, department: "physics" })).sections.length).toBeGreaterThan(0);
  });

  it("says truly nothing where the page for people confirms it", async () => {
    const live = await start(whole);
    expect(await live.query({ term: FALL, instructorName: "NOBODYATALL" })).toEqual({ sections: [], headings: [] });
    expect(upstream.requests.map(({ params }) => params["Submit"])).toEqual([
      "Display XML Results",
      "Display Web Results",
    ]);
  });

  it("sends identical requests at the same time once", async () => {
    const live = await start(whole, {}, { latency: 30 });
    const question: LiveQuery = { term: FALL, department: "I&CSCI" };
    const same: LiveQuery = { term: FALL, department: "i&c sci", cancelledCourses: "Only", fullCourses: "SkipFull" };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => live.query(i % 2 ? question : same)));
    expect(new Set(answers.map(({ sections }) => sections.length)).size).toBe(1);
    // The form, for the department's spelling, and one search.
    expect(upstream.requests.map(({ params }) => params["Dept"])).toEqual([undefined, "I&C SCI"]);
    await live.query(question);
    expect(upstream.requests).toHaveLength(3);
  });

  it("lets one who stops waiting go, and the others have their answer", async () => {
    const live = await start(whole, {}, { latency: 60 });
    const question: LiveQuery = { term: FALL, ge: "GE-2" };
    const gone = new AbortController();
    const first = live.query(question, gone.signal);
    const second = live.query(question);
    setTimeout(() => gone.abort(), 20);
    await expect(first).rejects.toBeInstanceOf(UpstreamTimeout);
    expect((await second).sections.length).toBeGreaterThan(0);
    expect(upstream.requests).toHaveLength(1);
  });

  it("never has more requests under way than it may, and lets nobody wait past the deadline", async () => {
    const live = await start(whole, { concurrency: 2, timeoutMs: 600 }, { latency: 50 });
    const asked = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        live.query({ term: SUMMER, sectionCodes: [{ low: 10_000 + i * 500, high: 10_400 + i * 500 }] }),
      ),
    );
    expect(upstream.stats().maxConcurrent).toBeLessThanOrEqual(2);
    const failed = asked.filter((outcome) => outcome.status === "rejected");
    expect(failed.length).toBeGreaterThan(0);
    for (const { reason } of failed) expect(reason).toBeInstanceOf(UpstreamTimeout);
  });

  it("retries an upstream that was down: the first query after it is back is answered", async () => {
    const live = await start(whole);
    upstream.setFaults([{ status: 404 }]);
    for (let i = 0; i < 6; i++) {
      await expect(live.query({ term: FALL, instructorName: `A${i}` })).rejects.toThrow("status 404");
    }
    upstream.setFaults([]);
    expect((await live.query({ term: FALL, department: "STATS" })).sections.length).toBeGreaterThan(0);
  });
});

// These run concurrently: they spend most of their time waiting.
describe.concurrent("createLive, while the upstream fails", () => {
  const world = inventedWorld.read();
  const faults: [string, Fault, abstract new (...args: never[]) => UpstreamError][] = [
    ["status 500", { status: 500 }, UpstreamRefused],
    ["status 503 with Retry-After", { status: 503, retryAfter: 30 }, UpstreamRefused],
    ["a redirect", { redirect: true }, UpstreamRefused],
    ["no answer", { hang: 3_000 }, UpstreamTimeout],
    ["XML cut off", { truncate: 0.5 }, UpstreamBadResponse],
    ["HTML with status 200", { htmlError: true }, UpstreamBadResponse],
    ["an empty list", { empty: true }, UpstreamBadResponse],
    ["a cut connection", { drop: 0.5 }, UpstreamBadResponse],
    ["a body that trickles", { trickle: { bytes: 10, everyMs: 50 } }, UpstreamTimeout],
  ];

  it.each(faults)("fails within its deadline, and never answers with nothing: %s", async (_, fault, cause) => {
    const upstream = await inventedWorld.start(world);
    const live = liveOf(upstream, { timeoutMs: 2_000 });
    upstream.setFaults([{ match: { params: { YearTerm: "/2017/i" } }, ...fault }]);
    await expect(live.query({ term: SUMMER, department: "PHYSICS" })).rejects.toBeInstanceOf(cause);
    await upstream.close();
  });
});
