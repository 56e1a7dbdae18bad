/** Search over courses, people and departments, and over the section codes of the newest terms. */
import { sql } from "../duckdb/sql.ts";
import { type EndpointContext, defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { ParamProblem, required, text } from "../response/params.ts";
import { searchIndex } from "../search/search-index.ts";
import { type SectionRow, type Hit, toHit, toSectionHit } from "../search/hits.ts";

const MAX_LENGTH = 200;
const DEFAULT_HITS = 10;
/** Newest terms that are searched for a section code, which every term reuses. */
const SECTION_TERMS = 3;

const searchText = text(
  "what is looked for: a course, a person, a department or a section code, also misspelt or in part",
);

const params = {
  q: required<string>({
    ...searchText,
    schema: { type: "string", minLength: 1, maxLength: MAX_LENGTH, examples: ["algorithms", "ICS 46"] },
    read(items) {
      if ((items[0]?.length ?? 0) > MAX_LENGTH) throw new ParamProblem(`at most ${MAX_LENGTH} characters`);
      return searchText.read(items);
    },
  }),
};

async function findSections(code: string, { snapshot, pool }: EndpointContext): Promise<Hit[]> {
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
      })) as SectionRow[];
    }),
  );
  return (await Promise.all(found)).flatMap((sections) => (sections ?? []).map(toSectionHit));
}

export const searchEndpoint: Endpoint = defineEndpoint({
  path: "/search",
  summary: "Courses, instructors, departments and section codes that the words may mean, the likeliest first",
  params,
  tables: [...searchIndex.tables, "sections", "headings"],
  products: ["catalogue", "instructors", "schedule"],
  returns: "SearchHits",
  defaultLimit: DEFAULT_HITS,
  async answer({ q = "" }, context) {
    const { snapshot } = context;
    const [newest] = snapshot.publishedTerms("sections");
    const sections = /^\s*\d{5}\s*$/.test(q) ? await findSections(q.trim(), context) : [];
    const index = await snapshot.derive(searchIndex);
    const found = index.find(q);
    return {
      total: sections.length + found.length,
      part: (from, to) => {
        const others = found.slice(Math.max(0, from - sections.length), Math.max(0, to - sections.length));
        const hits = [...sections.slice(from, to), ...others.map((one) => toHit(one, newest))];
        return [Buffer.from(JSON.stringify(hits))];
      },
    };
  },
});
