/** An operand of a requirement: whether it is a course, an exam or a condition, and the remarks after it. */
import { describe, expect, it, test } from "vitest";
import { printRequirement, toRequirementTree } from "../../../pipeline/normalize/catalogue/prerequisite-tree.ts";
import { parseRequirement } from "../../../pipeline/normalize/catalogue/requirement.ts";

function read(text: string) {
  const parsed = parseRequirement(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return {
    words: printRequirement(parsed.requirement),
    items: Object.values(toRequirementTree(parsed.requirement) ?? { AND: [] })[0] as object[],
  };
}
const itemsOf = (text: string) => read(text).items;
const course = (courseId: string, more: object = {}) => ({ prereqType: "course", coreq: false, courseId, ...more });
const exam = (examName: string, more: object = {}) => ({ prereqType: "exam", examName, ...more });

test.each([
  // Words of exams, conditions and prose are words of their own.
  "CONTEST 2A",
  "LATIN 1A",
  "BESTIARY 2",
  "ART BEST 2",
  "P 2A",
  "ABCDEFGHIJKL 2",
  "MATH ABCD2",
  "MATH 2ABCD",
])("%s is a course", (name) => expect(itemsOf(name)).toEqual([course(name)]));

test.each(["MATH PLACEMENT TEST", "AP BIOLOGY"])("%s is an exam", (name) =>
  expect(itemsOf(name)).toEqual([exam(name)]),
);

test.each([
  "BEST 2 COURSES",
  "BEST 2",
  "PHYSICS MAJOR 2A",
  "UNIT 4",
  "2 MATH 3",
  "MATH? 2",
  "ABCDEFGHIJKLM 2",
  "MATH ABCDE2",
  "MATH 2ABCDE",
  "NO",
  "* MATH 2A",
])("%s is a condition, told as it is", (text) => expect(read(text)).toEqual({ words: text, items: [] }));

test.each<[remark: string, words: string, more: object]>([
  ["min. grade of C", "(min grade C)", { minGrade: "C" }],
  ["MINIMUM Grade: B-", "(min grade B-)", { minGrade: "B-" }],
  ["min grade >= C or better", "(min grade C or better)", { minGrade: "C" }],
  ["min score = 4", "(min score 4)", { minGrade: "4" }],
  ["admin grade = C", "(admin grade = C)", {}],
  ["COREQUISITE.", "(corequisite)", { coreq: true }],
  ["concurrent", "(corequisite)", { coreq: true }],
  ["coreq or concurrent", "(coreq or concurrent)", { coreq: true }],
  ["see coreq", "(see coreq)", {}],
  ["not recommended", "(not recommended)", {}],
])("a course with the remark %s", (remark, words, more) =>
  expect(read(`MATH 2A ( ${remark} )`)).toEqual({ words: `MATH 2A ${words}`, items: [course("MATH 2A", more)] }),
);

it("a recommended course is none that is required", () => {
  for (const remark of ["recommended", "RECOMMENDED.", "recommended for majors"])
    expect(itemsOf(`MATH 2A ( ${remark} )`)).toEqual([]);
  expect(read("MATH 2A ( Recommended. )").words).toBe("MATH 2A (recommended)");
  expect(read("MATH 2A ( )").words).toBe("MATH 2A");
});

test.each<[text: string, item: object]>([
  ["SAT MATH score of 650 or higher", exam("SAT MATH", { minGrade: "650" })],
  ["AP BIOLOGY ( min grade = B )", exam("AP BIOLOGY", { minGrade: "B" })],
  ["AP BIOLOGY ( min grade = B ) ( min score = 4 )", exam("AP BIOLOGY", { minGrade: "4" })],
  ["LATIN ( min score = 4 ) ( min grade = B )", exam("LATIN", { minGrade: "4" })],
  ["PLACEMENT EXAM or authorization", exam("PLACEMENT EXAM")],
  ["AP CALCULUS AB ( SUB ) ( min score = 3 )", exam("AP CALCULUS AB (SUB)", { minGrade: "3" })],
  ["NO AP GOVT AND POLITICS ( min score = 3 )", { NOT: [exam("AP GOVT AND POLITICS", { minGrade: "3" })] }],
  ["AP GOVT AND POLITICS SCORE OF 3 or better", exam("AP GOVT AND POLITICS", { minGrade: "3" })],
])("%s is one exam", (text, item) => expect(itemsOf(text)).toEqual([item]));

test.each<[text: string, items: object[]]>([
  ["AP BIOLOGY AND NO LATIN ( min score = 3 )", [exam("AP BIOLOGY"), { NOT: [exam("LATIN", { minGrade: "3" })] }]],
  ["AP GOVT AND POLITICS 6 ( min score = 3 )", [exam("AP GOVT"), course("POLITICS 6", { minGrade: "3" })]],
  ["AP GOVT AND AP LATIN ( min score = 3 )", [exam("AP GOVT"), exam("AP LATIN", { minGrade: "3" })]],
  ["MATH 2A AND LATIN ( min score = 3 )", [course("MATH 2A"), exam("LATIN", { minGrade: "3" })]],
  ["AP GOVT ( coreq ) AND POLITICS ( min score = 3 )", [exam("AP GOVT"), exam("POLITICS", { minGrade: "3" })]],
])("%s are two", (text, items) => expect(itemsOf(text)).toEqual(items));

describe("operators and brackets", () => {
  it("OR joins before every word that is not GREATER, HIGHER or BETTER", () => {
    expect(
      toRequirementTree(
        (parseRequirement("MATH 2A OR BETTERMENT 2 OR UNBETTER 2") as { requirement: null }).requirement,
      ),
    ).toEqual({
      AND: [{ OR: ["MATH 2A", "BETTERMENT 2", "UNBETTER 2"].map((name) => course(name)) }],
    });
  });
  it("brackets are one after the other without end, and fifty within each other", () => {
    expect(itemsOf(Array(60).fill("( MATH 2A )").join(" AND "))).toHaveLength(60);
    const nested = (depth: number) => parseRequirement(`${"( ".repeat(depth)}MATH 2A${" )".repeat(depth)}`);
    expect([nested(50), nested(51)]).toMatchObject([
      { requirement: { AND: [{ text: "MATH 2A" }] } },
      { problem: "the brackets nest too deeply" },
    ]);
  });
  it.each([
    ["AND MATH 2A", "a course is missing before AND"],
    ["MATH 2A OR", "a course is missing before the end"],
    ["MATH 2A )", "a bracket is closed that was not opened"],
    ["( MATH 2A", "a bracket is not closed"],
    ["MATH 2A ( coreq", "a bracket is not closed"],
    ["( MATH 2A ) MATH 2B", "AND or OR is missing before MATH"],
    ["( ( MATH 2A ) MATH 2B )", "AND or OR is missing before MATH"],
    ["( MATH 2A ) ( coreq )", "AND or OR is missing before a bracket"],
    ["MATH 2A ( MATH 2B AND MATH 2C )", "AND or OR is missing before a bracket"],
  ])("%s: %s", (text, problem) => expect(parseRequirement(text)).toEqual({ problem }));
});
