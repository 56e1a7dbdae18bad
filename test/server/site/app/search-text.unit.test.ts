/** Reads searched texts: short forms, exact names, ignored words; and ids of courses. */
import { expect, it } from "vitest";
import { splitsOf } from "../../../../server/site/app/course/course-splits.ts";
import { exactHit, ignoredWords, writtenOut } from "../../../../server/site/app/find/search-text.ts";

type Hit = Parameters<typeof exactHit>[1][number];
const hit = (kind: string, id: string, title: string, subtitle: string, score = 0.7): Hit =>
  ({ kind, id, title, subtitle, score, department: title.split(" ")[0] ?? "", links: {} }) as unknown as Hit;

it.each([
  ["o chem", "organic chemistry"],
  ["OChem lab", "organic chemistry lab"],
  ["com sci 161", "COMPSCI 161"],
  ["cs 161", "COMPSCI 161"],
  ["poli sci", "POL SCI"],
  ["intro to bio", "introduction biology"],
  ["chem 1a", undefined],
  ["econ of water", undefined],
  ["data structures", undefined],
  ["", undefined],
])("%j is written out as %j", (text, meant) => {
  expect(writtenOut(text)).toBe(meant);
});

const ALGORITHMS = hit("course", "COMPSCI161", "COMPSCI 161", "Design and Analysis of Algorithms", 1);
const PERSON = hit("instructor", "atavolaf", "Aurelio Tavolafort", "Professor, Computer Science");

it.each([
  ["design algorithms heindrustru", [ALGORITHMS], "heindrustru"],
  ["desing of algorithms", [ALGORITHMS], ""],
  ["compsci 161", [ALGORITHMS], ""],
  ["algo", [ALGORITHMS], ""],
  ["tavolafort zzz qqq", [PERSON, ALGORITHMS], "zzz qqq"],
  ["heindrustru", [], ""],
  // Another name of the department, and words that are not.
  ["ics 161", [ALGORITHMS], ""],
  ["prof tavolafort", [PERSON], ""],
  ["compsci 161 dance", [ALGORITHMS], "dance"],
])("of %j, %j ignores the words", async (text, hits, words) => {
  const search = (word: string) =>
    Promise.resolve(
      word === "ics"
        ? [hit("department", "COMPSCI", "COMPSCI", "Computer Science", 1)]
        : word === "dance"
          ? [hit("department", "DANCE", "DANCE", "Dance", 1)]
          : [],
    );
  expect((await ignoredWords(text, hits, search)).join(" ")).toBe(words);
});

const section = (term: string) => hit("section", `${term} 34100`, "COMPSCI 162", "Lec 34100", 1);
it.each([
  ["compsci 161", [ALGORITHMS, hit("department", "COMPSCI", "COMPSCI", "Computer Science", 0.5)], "COMPSCI161"],
  ["34100", [section("2027 Winter"), section("2026 Fall")], "2026 Fall 34100"],
  ["34100", [section("2027 Winter"), section("2025 Fall")], undefined],
  ["34100", [section("2027 Winter")], "2027 Winter 34100"],
  ["tavolafort", [PERSON], "atavolaf"],
  ["Tavolafort", [PERSON, hit("instructor", "other", "Ada Tavolafort", "")], undefined],
  ["ada tavolafort", [PERSON, hit("instructor", "other", "Ada Tavolafort", "")], "other"],
  ["algorithms", [{ ...ALGORITHMS, score: 0.7 }], undefined],
  ["music", [hit("department", "MUSIC", "MUSIC", "Music", 1), hit("instructor", "m", "Music Major", "")], "MUSIC"],
  ["nothing", [], undefined],
])("%j means one hit, or none", (text, hits, id) => {
  expect(exactHit(text, hits, "2026 Fall")?.id).toBe(id);
});

it.each([
  ["COMPSCI161", "COMPSCI 161|COMPSC I161"],
  ["I&CSCIH32", "I&CSCIH 32|I&CSCI H32"],
  ["MATH2B", "MATH 2B|MAT H2B"],
  ["E106", "E 106"],
  ["nothing", ""],
  ["161", ""],
])("the id %j may be %j", (id, names) => {
  expect(
    splitsOf(id)
      .map(({ department, courseNumber }) => `${department} ${courseNumber}`)
      .join("|"),
  ).toBe(names);
});
