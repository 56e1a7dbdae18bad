/** Searches courses, people and departments, and the section codes of the newest terms. */
import { toRows } from "../duckdb/query.ts";
import { courseIdKeySql } from "../../pipeline/contract/course-name.ts";
import { constant, type Fragment, sql } from "../duckdb/sql.ts";
import { type EndpointContext, defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { rowOf } from "../response/representations/layout.ts";
import { givenRows } from "../snapshot/loading/loading.ts";
import { limitParam } from "../response/paging.ts";
import { ParamProblem, required, text } from "../response/params.ts";
import { shapeOf } from "../response/shapes/shapes.ts";
import { inHeader } from "../response/warnings.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { searchIndex, type SearchResult } from "../search/search-index.ts";
import { FOUND_FIELDS, type FoundSection, type Hit, toHit, toSectionHit } from "../search/hits.ts";

const MAX_LENGTH = 200;
const DEFAULT_HITS = 10;
/** Keeps the Warning header short. */
const MAX_NAMED_WORDS = 5;
/** How many of the newest terms are searched for a section code, because every term reuses codes. */
const SECTION_TERMS = 3;
const SECTION_CODE = /^\s*\d{5}\s*$/;

const searchText = text(
  "what is looked for: a course, a person, a department or a section code, also misspelt or in part",
  { withCommas: true },
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
  limit: limitParam(DEFAULT_HITS),
};

const searchedTerms = ({ snapshot }: EndpointContext): Term[] => snapshot.publishedTerms.slice(0, SECTION_TERMS);

async function findSections(code: string, context: EndpointContext): Promise<Hit[]> {
  const { snapshot, pool } = context;
  const searches = searchedTerms(context).map((term) =>
    snapshot.withTerm(term, async ({ from }) => {
      const columns = await pool.columns(
        sql`SELECT deptCode, courseNumber, courseTitle, sectionType FROM ${from} WHERE sectionCode = ${Number(code)}`,
      );
      return toRows<FoundSection>(FOUND_FIELDS, columns).map((section) => toSectionHit(term, code, section));
    }),
  );
  return (await Promise.all(searches)).flatMap((hits) => hits ?? []);
}

/** A hit, and the kind of published rows that it comes from. */
interface SourcedHit {
  readonly hit: Hit;
  readonly source: keyof typeof PUBLISHED;
}

/** Returns all hits in order; `part` returns those in [from, to). */
async function findHits({ q = "" }: { q?: string }, context: EndpointContext) {
  const { snapshot } = context;
  const [newest] = snapshot.publishedTerms;
  const sections = SECTION_CODE.test(q) ? await findSections(q.trim(), context) : [];
  const index = await snapshot.derive(searchIndex);
  const found = [...sections, ...index.find(q)];
  const toSourced = (item: Hit | SearchResult): SourcedHit =>
    "entry" in item
      ? { hit: toHit(item, newest), source: item.entry.uncatalogued ? "uncatalogued" : item.entry.kind }
      : { hit: item, source: "section" };
  return { total: found.length, part: (from: number, to: number) => found.slice(from, to).map(toSourced) };
}

/** Selects the published rows of each kind of hit, with the hit's id. */
const PUBLISHED = {
  course: "SELECT 'course' AS kind, id, to_json(courses) AS published FROM courses",
  instructor: "SELECT 'instructor' AS kind, netid AS id, to_json(instructors) AS published FROM instructors",
  department: "SELECT 'department' AS kind, deptCode AS id, to_json(departments) AS published FROM departments",
  section:
    "SELECT 'section' AS kind, year || ' ' || quarter || ' ' || sectionCode AS id, to_json(sections) AS published FROM sections",
  uncatalogued: `SELECT 'course' AS kind, regexp_replace(min(department), '\\s', '', 'g') || min(courseNumber) AS id,
      to_json({department: min(department), courseNumber: min(courseNumber)}) AS published
    FROM (SELECT deptCode AS department, courseNumber FROM sections UNION ALL SELECT department, courseNumber FROM grades)
    WHERE ${courseIdKeySql("department || courseNumber")} NOT IN (SELECT ${courseIdKeySql("id")} FROM courses)
    GROUP BY ${courseIdKeySql("department || courseNumber")}`,
} as const;

/** Selects the rows of hits. The search itself is not in SQL, so the statement lists the ids of its hits. */
function rowsOf(hits: readonly SourcedHit[]): Fragment {
  const sources = [...new Set(hits.map(({ source }) => source))];
  const keys = hits.map(({ hit: { kind, id } }) => `${kind} ${id}`);
  const rows = constant(
    (sources.length === 0 ? (["course"] as const) : sources).map((source) => PUBLISHED[source]).join(" UNION ALL "),
  );
  return sql`SELECT kind, id, published FROM (${rows})
    WHERE list_contains(${keys}, kind || ' ' || id) ORDER BY list_position(${keys}, kind || ' ' || id)`;
}

export const searchEndpoint: Endpoint = defineEndpoint({
  path: "/search",
  summary: "Courses, instructors, departments and section codes that the words may mean, the likeliest first",
  title: ({ q = "" }) => `Search results for "${q.trim()}"`,
  params,
  tables: [...searchIndex.tables, "headings"],
  products: ["catalogue", "instructors", "schedule", "grades"],
  returns: shapeOf("SearchHits"),
  warnings({ q = "" }, snapshot) {
    const unmatched = SECTION_CODE.test(q) ? [] : snapshot.find(searchIndex)?.unmatchedWords(q);
    return (unmatched ?? []).slice(0, MAX_NAMED_WORDS).map((word) => `no result has the word ${inHeader(word)}`);
  },
  async answer(values, context) {
    const { total, part } = await findHits(values, context);
    return { total, part: (from, to) => [Buffer.from(JSON.stringify(part(from, to).map(({ hit }) => hit)))] };
  },
  async statement(values, context, page) {
    const { total, part } = await findHits(values, context);
    const { offset = 0, limit = total } = page ?? {};
    const hits = part(offset, offset + limit);
    const isOf = (wanted: SourcedHit["source"]) => hits.some(({ source }) => source === wanted);
    return {
      reads: [
        { table: "courses" },
        { table: "instructors" },
        { table: "departments" },
        { table: "former_names" },
        ...(isOf("section") ? searchedTerms(context).map((term) => ({ table: "sections", term }) as const) : []),
        ...(isOf("uncatalogued") ? ([{ table: "sections" }, { table: "grades" }] as const) : []),
      ],
      select: rowsOf(hits),
      flat: givenRows(
        rowOf(shapeOf("SearchHits")),
        hits.map(({ hit }) => hit),
      ),
    };
  },
});
