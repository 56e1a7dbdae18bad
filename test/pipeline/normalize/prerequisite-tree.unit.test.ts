import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PrerequisiteItem, PrerequisiteTree, RequirementTree } from "../../../pipeline/contract/rows/course.ts";
import {
  listOf,
  printRequirement,
  toPrerequisiteTree,
  toRequirementTree,
} from "../../../pipeline/normalize/catalogue/prerequisite-tree.ts";
import { parseRequirement, type Requirement } from "../../../pipeline/normalize/catalogue/requirement.ts";

interface Case {
  shows: string;
  text: string;
  tree?: PrerequisiteTree | null;
  /** The tree of objects. */
  required?: RequirementTree;
  words?: string;
  problem?: string;
}
const fixture = new URL("../../fixtures/prerequisites/requirements.json", import.meta.url);
const cases = JSON.parse(readFileSync(fixture, "utf8")) as Case[];

function read(text: string): Requirement | null {
  const parsed = parseRequirement(text);
  if ("problem" in parsed) throw new Error(`${text}: ${parsed.problem}`);
  return parsed.requirement;
}
const treeOf = (text: string) => toPrerequisiteTree(read(text));

describe("the registrar's prerequisite grammar", () => {
  test.each(cases.filter(({ problem }) => problem === undefined))("$shows", ({ text, tree }) => {
    expect(treeOf(text)).toEqual(tree);
  });

  test.each(cases.filter(({ problem }) => problem !== undefined))("$shows", ({ text, problem }) => {
    expect(parseRequirement(text)).toEqual({ problem });
  });

  test.each(cases.filter(({ words }) => words !== undefined))("in words: $words", ({ text, words }) => {
    expect(printRequirement(read(text))).toBe(words);
  });

  test.each(cases.filter(({ required }) => required !== undefined))("as objects: $text", ({ text, required }) => {
    expect(toRequirementTree(read(text))).toEqual(required);
  });

  test("at least sixty texts, each of its own", () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(cases.map(({ text }) => text)).size).toBe(cases.length);
  });

  test('"flat list of course names in the tree": each once, in the order of the text', () => {
    expect(listOf(treeOf("( MATH 2A OR MATH 5A ) AND ( MATH 2A OR MATH 2B )"))).toEqual([
      "MATH 2A",
      "MATH 5A",
      "MATH 2B",
    ]);
  });

  test("none: list [] and text ''", () => {
    expect([listOf(null), printRequirement(null)]).toEqual([[], ""]);
  });

  test("what the catalogue has is a course, whatever its name looks like", () => {
    const isCatalogued = () => true;
    const parsed = parseRequirement("AP 10 AND LEVEL 2 AND AP CALCULUS AB", isCatalogued);
    expect(parsed).toMatchObject({
      requirement: {
        AND: [
          { item: { prereqType: "course", courseId: "AP 10" } },
          { item: { prereqType: "course", courseId: "LEVEL 2" } },
          { item: { prereqType: "exam", examName: "AP CALCULUS AB" } },
        ],
      },
    });
  });
});

/* Printing in the upstream's grammar, independently of the parser. */

const department = fc.constantFrom(
  "MATH",
  "I&C SCI",
  "CRM/LAW",
  "PORTUG",
  "BRAND",
  "HISTORY",
  "KOREAN",
  "BIO SCI",
  "NORWEGN",
);
const course = fc
  .tuple(
    department,
    fc.constantFrom("", "H", "M"),
    fc.integer({ min: 1, max: 299 }),
    fc.constantFrom("", "A", "LC", "W"),
  )
  .map(([code, prefix, number, suffix]) => `${code} ${prefix}${number}${suffix}`);
const exam = fc.constantFrom("AP CALCULUS AB", "AP WORLD HISTORY", "AP PHYSICS C:MECH", "AP COMP SCI AB");
const leaf = fc.oneof({ weight: 5, arbitrary: course }, exam);

const group = (depth: number): fc.Arbitrary<PrerequisiteTree> => {
  const item: fc.Arbitrary<PrerequisiteItem> =
    depth === 0 ? leaf : fc.oneof({ weight: 2, arbitrary: leaf }, group(depth - 1));
  return fc
    .tuple(fc.constantFrom("AND", "OR"), fc.array(item, { minLength: 2, maxLength: 4 }))
    .map(([word, items]) => ({ [word]: items }) as PrerequisiteTree);
};
const itemsOf = (tree: PrerequisiteTree): PrerequisiteItem[] => Object.values(tree)[0] as PrerequisiteItem[];
const nests = (item: PrerequisiteItem): boolean =>
  typeof item !== "string" && itemsOf(item).some((i) => typeof i !== "string");
/** Trees as the upstream writes them: an AND of items, or a group that nests further. */
const tree: fc.Arbitrary<PrerequisiteTree> = fc.oneof(
  fc
    .array(fc.oneof(leaf, group(0), group(2)), { minLength: 1, maxLength: 5 })
    .filter((items) => items.length > 1 || !nests(items[0] as PrerequisiteItem))
    .map((items) => ({ AND: items })),
  group(3).filter((t) => "OR" in t && nests(t)),
);

const remarks = ["", " ( min grade = C )", " ( min grade = B- )", " ( coreq )"];
const gaps = [" ", "\n", "\u00a0", " \n "];

/** `pick` chooses remarks, NO courses and white space. */
function printUpstream(root: PrerequisiteTree, pick: (n: number) => number): string {
  const gap = () => gaps[pick(gaps.length)] ?? " ";
  const show = (item: PrerequisiteItem): string => {
    if (typeof item === "string")
      return item + (item.startsWith("AP ") ? " ( min score = 3 )" : remarks[pick(remarks.length)]);
    const word = "AND" in item ? "AND" : "OR";
    return `(${gap()}${itemsOf(item).map(show).join(`${gap()}${word}${gap()}`)}${gap()})`;
  };
  if (!("AND" in root)) return show(root);
  const parts = root.AND.map(show);
  if (pick(4) === 0) parts.splice(pick(parts.length + 1), 0, "NO AP BIOLOGY score of 4 or greater");
  if (pick(4) === 0) parts.push("NO DANCE 1X");
  if (pick(4) === 0) parts.splice(pick(parts.length + 1), 0, "UPPER DIVISION STANDING ONLY");
  if (pick(4) === 0) parts.push("( PHYSICS MAJORS ONLY OR LOWER DIVISION WRITING )");
  return parts.join(`${gap()}AND${gap()}`);
}

/** The published words of remarks as the upstream has them. */
const reword = (text: string): string =>
  text.replaceAll("(corequisite)", "(coreq)").replace(/\(min (\w+) /g, "(min $1 = ");

describe("printing a tree and parsing it gives the same tree", () => {
  test("in the upstream's grammar, with remarks, NO courses and any white space", () => {
    fc.assert(
      fc.property(tree, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (root, noise) => {
        let at = 0;
        const text = printUpstream(root, (n) => (noise[at++ % noise.length] ?? 0) % n);
        expect(treeOf(text)).toEqual(root);
      }),
      { numRuns: 2000 },
    );
  });

  test("as prerequisiteText, which says everything that the upstream's text does", () => {
    fc.assert(
      fc.property(tree, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (root, noise) => {
        let at = 0;
        const requirement = read(printUpstream(root, (n) => (noise[at++ % noise.length] ?? 0) % n));
        expect(read(reword(printRequirement(requirement)))).toEqual(requirement);
      }),
      { numRuns: 2000 },
    );
  });

  /** Remarks behind a name, and the words that must be in the published text. */
  const remark = fc.oneof(
    fc.constantFrom(
      ["min grade = C", "(min grade C)"],
      ["min grade = B-", "(min grade B-)"],
      ["MIN SCORE = 4", "(min score 4)"],
      ["coreq", "(corequisite)"],
      ["recommended", "(recommended)"],
      ["coreq for majors", "(coreq for majors)"],
      ["concurrent enrollment is fine", "(concurrent enrollment is fine)"],
      ["recommended by the faculty", "(recommended by the faculty)"],
      ["C OR BETTER", "(C OR BETTER)"],
      ["min grade = C ( or permission )", "(min grade C (or permission))"],
      ["see ( the ( other ) ) page", "(see (the (other)) page)"],
      ["( coreq )", "(corequisite)"],
    ),
    fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,2}$/).map((words) => [words, `(${words})`]),
  );
  const name = fc.constantFrom(
    "MATH 2A",
    "AP CALCULUS AB",
    "SENIOR STANDING ONLY",
    "NO DANCE 1X",
    "AP US GOVT",
    "LATIN",
  );

  test("every remark is in the text, in whatever combination", () => {
    const named = fc.tuple(name, fc.array(remark, { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(named, { minLength: 1, maxLength: 4 }), fc.constantFrom(" AND ", " OR "), (all, word) => {
        const text = all
          .map(([course, remarks]) => [course, ...remarks.map(([inside]) => `( ${inside} )`)].join(" "))
          .join(word);
        const printed = printRequirement(read(text)).replace(/^\((.*)\)$/, "$1");
        const parts = printed.split(word === " OR " ? / OR (?!BETTER)/ : word);
        expect(parts).toHaveLength(all.length);
        for (const [i, [course, remarks]] of all.entries()) {
          const said = remarks.map(([, words = ""]) => words);
          expect(parts[i]?.startsWith(course)).toBe(true);
          // The text contains each of them, and nothing else.
          expect(said.reduce((rest, words) => rest.replace(words, ""), parts[i] ?? "").trim()).toBe(course);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("a remark of one name does not become another's", () => {
    expect(printRequirement(read("AP US GOVT ( coreq ) AND POLITICS ( min score = 3 )"))).toBe(
      "AP US GOVT (corequisite) AND POLITICS (min score 3)",
    );
    expect(toRequirementTree(read("MATH 2A ( min score = 4 ) ( min grade = C ) ( coreq )"))).toEqual({
      AND: [{ prereqType: "course", coreq: true, courseId: "MATH 2A", minGrade: "C" }],
    });
  });

  test("a hundred thousand brackets do not exhaust the stack", () => {
    expect(parseRequirement("(".repeat(100_000))).toEqual({ problem: "the brackets nest too deeply" });
    expect(parseRequirement(`MATH 2A ${"( x )".repeat(51)}`)).toEqual({ problem: "a name has too many remarks" });
  });

  test("any text at all is a tree or a problem, never a crash", () => {
    const word = fc.constantFrom(
      "(",
      ")",
      "AND",
      "OR",
      "NO",
      "MATH 2A",
      "AP BIOLOGY",
      "( coreq )",
      "( min score = 3 )",
      "*",
      "since",
      "SENIOR STANDING ONLY",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(" ")),
        ),
        (text) => {
          const parsed = parseRequirement(text);
          expect("requirement" in parsed || parsed.problem.length > 0).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
