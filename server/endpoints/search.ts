/** Search over courses, people and departments, and over the section codes of the newest terms. */
import { sql } from "../bind.ts";
import { type Asked, defineEndpoint, type Endpoint } from "../endpoint.ts";
import { formOf, type Param, ParamProblem, required, text } from "../params.ts";
import { type FoundSection, type Hit, toHit, toSectionHit } from "../search/hits.ts";

const LONGEST_QUESTION = 200;
const MOST_HITS = 50;
const USUAL_HITS = 10;
/** A code means another section in every term: it is looked for in so many of the newest ones. */
const SECTION_TERMS = 3;

const question = text(
  "what is looked for: a course, a person, a department or a section code, also misspelt or in part",
);

const params = {
  q: required<string>({
    ...question,
    schema: { type: "string", minLength: 1, maxLength: LONGEST_QUESTION, examples: ["algorithms", "ICS 46"] },
    read(items) {
      if ((items[0]?.length ?? 0) > LONGEST_QUESTION) throw new ParamProblem(`at most ${LONGEST_QUESTION} characters`);
      return question.read(items);
    },
  }),
  limit: {
    ...formOf(`the most hits to give, ${USUAL_HITS} when not given`, readLimit, `a number from 1 to ${MOST_HITS}`),
    schema: { type: "integer", minimum: 1, maximum: MOST_HITS, default: USUAL_HITS, examples: [5] },
  } satisfies Param<number>,
};

function readLimit(value: string): number | undefined {
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  return limit >= 1 && limit <= MOST_HITS ? limit : undefined;
}

async function findSections(code: string, { snapshot, pool }: Asked): Promise<Hit[]> {
  const terms = snapshot.publishedTerms("sections").slice(0, SECTION_TERMS);
  const found = terms.map((term) =>
    snapshot.withTerm(term, async ({ from }) => {
      const [departments = [], numbers = [], titles = [], types = []] = await pool.columns(
        sql`SELECT deptCode, courseNumber, courseTitle, sectionType FROM ${from} WHERE sectionCode = ${Number(code)}`,
      );
      return departments.map((department, i) => ({
        term,
        sectionCode: code,
        department,
        courseNumber: numbers[i],
        courseTitle: titles[i],
        sectionType: types[i],
      })) as FoundSection[];
    }),
  );
  return (await Promise.all(found)).flatMap((sections) => (sections ?? []).map(toSectionHit));
}

export const searchEndpoint: Endpoint = defineEndpoint({
  path: "/search",
  summary: "Courses, instructors, departments and section codes that the words may mean, the likeliest first",
  params,
  products: ["catalogue", "instructors", "schedule"],
  returns: "SearchHits",
  async answer({ q = "", limit = USUAL_HITS }, asked) {
    const { snapshot } = asked;
    const [newest] = snapshot.publishedTerms("sections");
    const sections = /^\s*\d{5}\s*$/.test(q) ? await findSections(q.trim(), asked) : [];
    const index = await snapshot.search();
    const hits = [...sections, ...index.find(q, limit).map((found) => toHit(found, newest))].slice(0, limit);
    return { body: [Buffer.from(JSON.stringify(hits))] };
  },
});
