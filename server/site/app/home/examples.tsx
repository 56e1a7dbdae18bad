/** Example searches that have results: a course, a question, and a person. */
import { useContext } from "preact/hooks";
import { addressOf, courseAddress, findAddress, instructorAddress } from "../data/addresses.ts";
import { fetchShared, type ResponseBody } from "../data/fetch-json.ts";
import { termQuery } from "../data/term-names.ts";
import { SiteContext, termsNotOver } from "../data/terms.ts";
import { useLoading } from "../data/use-json.ts";

const QUESTION = "open GE-4 on TuTh afternoons";
/** The same in the words of `/schedule`. */
const ASKED = { ge: "GE-4", days: "TuTh", startTime: "12:00", fullCourses: "SkipFull" };

const PERSON_FIELDS = "netid,name,courseHistory";

/** Examples are optional: one that cannot be loaded is left out. */
const optional = <T,>(address: string): Promise<T | undefined> => fetchShared<T>(address).catch(() => undefined);

/** A course history ends with the newest term that was taught, so that a person of `terms` is looked for. */
async function loadExamples(term: string, terms: readonly string[]): Promise<{ text: string; address: string }[]> {
  const [people = [], answers] = await Promise.all([
    optional<ResponseBody<"Instructors">>(
      addressOf("/instructors", { taughtInTerms: terms.join(","), limit: "1", fields: PERSON_FIELDS }),
    ),
    optional<{ schools: readonly unknown[] }>(
      addressOf("/schedule", { ...termQuery(term), ...ASKED, cacheOnly: "true", limit: "1", fields: "sectionCode" }),
    ),
  ]);
  const courses = people.flatMap(({ courseHistory }) =>
    Object.keys(courseHistory).filter((name) => courseHistory[name]?.some((taught) => terms.includes(taught))),
  );
  return [
    ...courses.slice(0, 1).map((text) => ({ text, address: courseAddress(text.replaceAll(" ", "")) })),
    ...(answers && answers.schools.length > 0 ? [{ text: QUESTION, address: findAddress({ q: QUESTION }) }] : []),
    ...people.map(({ netid, name }) => ({ text: name, address: instructorAddress(netid) })),
  ];
}

export function Examples({ term }: { term: string }) {
  const terms = [...new Set([term, ...termsNotOver(useContext(SiteContext))])];
  const { value: examples = [] } = useLoading(term, () => loadExamples(term, terms));
  return (
    <p class="examples">
      {examples.length > 0 && "Try: "}
      {examples.map(({ text, address }, i) => (
        <>
          {i > 0 && " · "}
          <a href={address}>{text}</a>
        </>
      ))}
    </p>
  );
}
