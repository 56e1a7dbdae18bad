/** A term's schedule, crawled: every section, field by field, whatever the schedule system does to it. */
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { headings, landedSections } from "../../../pipeline/contract/rows/section.ts";
import { termName } from "../../../pipeline/contract/vocabulary.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { readLanded } from "../../support/published/landed.ts";
import { FALL, openTermCrawls, SUMMER } from "./term-crawls.ts";
import { termsOf, type World, type WorldSection } from "../../support/worlds/world.ts";
import { testWorlds } from "../../support/worlds/worlds.ts";
import { someOf } from "../../support/extent.ts";

const page = (department: string, codes: string[]) =>
  `<websoc_results><term/><course_list><school school_name="S"><department dept_code="${department}" dept_name="D"><course course_number="1" course_title="T">${codes
    .map((code) => `<section><course_code>${code}</course_code><sec_status>OPEN</sec_status></section>`)
    .join("")}</course></department></school></course_list><restriction_codes/></websoc_results>`;

/** A world with the template's markup around every comment that has none. */
function withWrappedComments(world: World): World {
  const wrap = (text: string) =>
    text === "" || /^\s|<p>/.test(text) ? text : `\n\t\t\t    <p>${text}</p>\n\t\t\t    `;
  return {
    ...world,
    departments: world.departments.map((row) => ({ ...row, comment: wrap(row.comment) })),
    sections: world.sections.map((row) => ({
      ...row,
      courseComment: wrap(row.courseComment),
      sectionComment: wrap(row.sectionComment),
    })),
  };
}

describe.each(someOf(testWorlds.toReversed(), 1))("crawlTerm, $name", (testWorld) => {
  const { world, upstream, root, start, crawl, expectTerm } = openTermCrawls(testWorld);

  it.each<[string, object, (world: World) => World]>([
    ["as the system mixes them", {}, (as) => as],
    ["comments as CDATA, no split blocks", { cdata: "always", splitBlocks: false }, (as) => as],
    ["comments escaped, all statuses there", { cdata: "never", missingStatus: false }, (as) => as],
    ["in ISO-8859-1, comments wrapped in the template's markup", { encoding: "latin1" }, withWrappedComments],
  ])("brings every section of a term, field by field, %s", async (_, quirks, change) => {
    const served = change(world);
    await start(served, { quirks });
    const terms = termsOf(world).filter((_term, i) => Object.keys(quirks).length === 0 || i % 5 === 2);
    for (const term of someOf(terms, 3)) {
      const crawled = await crawl(term);
      await expectTerm(served, term, crawled);
      expect(crawled.report.dropped).toEqual([]);
      expect(crawled.report.noted).toEqual([]);
      const above = await readLanded(headings, crawled.departmentPaths);
      for (const heading of above) {
        const department = served.departments.find(({ code }) => code === heading["deptCode"]);
        expect(heading).toMatchObject({
          deptName: department?.name,
          deptComment: department?.comment,
          schoolName: department?.school,
        });
      }
      const offering = new Set(world.sections.filter((s) => termName(s) === termName(term)).map((s) => s.deptCode));
      expect(above.map((heading) => heading["deptCode"]).sort()).toEqual([...offering].sort());
    }
  });

  it("splits a department of 2,000 sections and a GE category of 1,500", async () => {
    const [model] = world.sections.filter((s) => s.deptCode === "PHYSICS" && s.year === "2017" && s.quarter === "Fall");
    const sections = Array.from({ length: 2_000 }, (_, i) => ({
      ...(model as WorldSection),
      sectionCode: String(47_000 + i * 3),
      courseNumber: String(1 + (i % 90)),
      courseTitle: "PHYSICS",
      courseComment: "",
      prerequisiteLink: "",
      geCategories: i < 1_500 ? ["GE-2" as const] : [],
    }));
    const large: World = { ...world, sections };
    await start(large);
    const crawled = await crawl(FALL);
    expect(crawled.sections).toBe(2_000);
    await expectTerm(large, FALL, crawled);
  });

  it("drops codes from 98000 on, by name", async () => {
    const [model] = world.sections.filter((s) => s.deptCode === "DANCE" && s.year === "2017" && s.quarter === "Fall");
    const sections = [{ ...(model as WorldSection), sectionCode: "40000", geCategories: [] }];
    await start({ ...world, sections });
    const body = `<websoc_results><term/><course_list><school school_name="S"><department dept_code="DANCE" dept_name="Dance"><course course_number="1" course_title="T">
      <section><course_code>98001</course_code></section><section><course_code>40000</course_code></section></course></department></school></course_list><restriction_codes/></websoc_results>`;
    upstream().setFaults([{ match: { params: { Dept: "DANCE" } }, body, type: "text/xml" }]);
    const crawled = await crawl(FALL, { departments: [{ deptCode: "DANCE", deptName: "Dance" }] });
    expect(crawled.sections).toBe(1);
    expect(crawled.report.dropped).toEqual([
      { reason: "a code of study abroad or tests", count: 1, names: ["2017 Fall DANCE 1 98001"] },
    ]);
  });

  it("leaves a section that two departments have to the first, and names it", async () => {
    await start(world);
    upstream().setFaults([
      { match: { params: { Dept: "AAA" } }, body: page("AAA", ["10001", "10002"]), type: "text/xml" },
      { match: { params: { Dept: "BBB" } }, body: page("BBB", ["10002", "10003"]), type: "text/xml" },
      {
        match: { params: { Breadth: "/GE/i", Submit: "/Web/i" } },
        body: "<html>No courses matched your search</html>",
      },
      { match: { params: { Breadth: "/GE/i" } }, empty: true },
    ]);
    const departments = [
      { deptCode: "AAA", deptName: "A" },
      { deptCode: "BBB", deptName: "B" },
    ];
    // The second time from the landing, the third time beside the published crawl.
    for (let run = 0; run < 3; run++) {
      const crawled = await crawl(FALL, { departments });
      expect(crawled.published).toBeUndefined();
      const rows = await readLanded(landedSections, crawled.departmentPaths);
      expect(rows.map((row) => [row["deptCode"], row["sectionCode"]]).sort()).toEqual([
        ["AAA", "10001"],
        ["AAA", "10002"],
        ["BBB", "10003"],
      ]);
      expect(crawled.report.dropped).toEqual([
        { reason: "a section code that another department has", count: 1, names: ["2017 Fall BBB 10002: of AAA"] },
      ]);
      if (run === 1) await crawled.keep({ sections: "s", headings: "h" });
    }
  });

  it("takes equal pages from the published crawl without parsing them, and parses what changed", async () => {
    await start(world);
    const AS = { sections: "s", headings: "h" };
    const first = await crawl(FALL);
    expect(first.published).toBeUndefined();
    await first.keep(AS);
    const same = await crawl(FALL);
    expect(same).toMatchObject({ published: AS, sha256: first.sha256, report: first.report });
    await expectTerm(world, FALL, same);
    await same.keep(AS);
    const changed = {
      ...world,
      sections: world.sections.map((section) =>
        section.deptCode === "PHYSICS" ? { ...section, totalEnrolled: `1${section.totalEnrolled}` } : section,
      ),
    };
    await upstream().close();
    await start(changed);
    const next = await crawl(FALL);
    expect(next.published).toBeUndefined();
    expect(next.sha256).not.toBe(first.sha256);
    await expectTerm(changed, FALL, next);
    await next.keep(AS);
    expect((await crawl(FALL, { isReused: false })).published).toBeUndefined();
  });

  it("refuses a list without departments, and a term without sections", async () => {
    await start(world);
    await expect(crawl(FALL, { departments: [] })).rejects.toBeInstanceOf(UpstreamBadResponse);
    const departments = [{ deptCode: "NONE", deptName: "None" }];
    await expect(crawl(FALL, { departments })).rejects.toThrow("2017 Fall has no section in any of its departments");
    expect(await crawl(FALL, { departments, allowEmpty: true })).toMatchObject({ sections: 0, departmentPaths: [] });
  });

  it("keeps to the client's concurrency, and its landing goes when it is discarded", async () => {
    await start(world, { latency: 5 });
    const crawled = await crawl(SUMMER);
    expect(upstream().stats().maxConcurrent).toBeLessThanOrEqual(4);
    expect(await readdir(root())).toEqual(["2017-Summer1"]);
    await crawled.discard();
    expect(await readdir(root())).toEqual([]);
  });
});
