/** Adds courses by name or by what they are about, and sections by their codes, also a list of another planner. */
import type { TargetedSubmitEvent } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { addressOf } from "../data/addresses.ts";
import { errorMessage, fetchJson, fetchShared, type ResponseBody } from "../data/fetch-json.ts";
import { courseQuery, scheduleAddresses, sectionsIn } from "../data/sections.ts";
import { termTitle } from "../data/term-names.ts";
import { plural } from "../format.ts";
import type { Hit } from "../parts/hits.tsx";
import { addCourse } from "./add.ts";
import { readCodes } from "./import-text.ts";
import { planOf, storePlan } from "./stored-plan.ts";
import { isSectionCode } from "./term-plans.ts";

const WAIT_MS = 150;
const MAX_HITS = "8";
const MAX_LENGTH = 100;

const coursesCalled = async (text: string): Promise<Hit[]> => {
  const hits = await fetchShared<Hit[]>(addressOf("/search", { q: text.slice(0, MAX_LENGTH), limit: MAX_HITS }));
  return hits.filter(({ kind }) => kind === "course");
};

/** Codes that the term does not have are named, those that it has are added. @throws Error as `fetchJson` does */
async function addCodes(term: string, codes: readonly string[]): Promise<string> {
  const addresses = scheduleAddresses(term, { sectionCodes: codes.join(",") });
  const schedules = await Promise.all(addresses.map((address) => fetchJson<ResponseBody<"Schedule">>(address)));
  const knownCodes = new Set(schedules.flatMap(sectionsIn).map(({ sectionCode }) => sectionCode));
  const [added, unknown] = [
    codes.filter((code) => knownCodes.has(code)),
    codes.filter((code) => !knownCodes.has(code)),
  ];
  if (added.length > 0) storePlan(term, { codes: [...planOf(term).codes, ...added] });
  return [
    `${plural(added.length, "section")} added.`,
    unknown.length > 0 && `Not in the ${termTitle(term)} schedule: ${unknown.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

interface AddToPlanProps {
  readonly term: string;
  /** A course was added. */
  readonly onCourse?: (name: string) => void;
}

export function AddToPlan({ term, onCourse }: AddToPlanProps) {
  const id = useId();
  const [said, setSaid] = useState("");
  const [hits, setHits] = useState<readonly Hit[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const suggest = (text: string) => {
    clearTimeout(timer.current);
    const load = () => void coursesCalled(text).then(setHits, () => setHits([]));
    if (text.trim() !== "") timer.current = setTimeout(load, WAIT_MS);
  };
  const report = (work: Promise<string>) => void work.then(setSaid, (error: unknown) => setSaid(errorMessage(error)));
  /** As the schedule calls it, else as the search finds it. */
  const addNamed = async (text: string): Promise<string> => {
    const { department, courseNumber } = courseQuery(text);
    const isName = department !== "" && /^[a-z]?\d{1,3}[a-z]{0,2}$/i.test(courseNumber);
    const named = isName ? await addCourse(term, text) : undefined;
    const title = named ?? (await coursesCalled(text))[0]?.title;
    const name = named ?? (title === undefined ? undefined : await addCourse(term, title));
    if (name === undefined)
      return title ? `${title} is not offered in ${termTitle(term)}.` : `No results for “${text}”.`;
    onCourse?.(name);
    return `${name} added to your plan.`;
  };
  const add = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("course")).trim();
    event.currentTarget.reset();
    if (text !== "") report(isSectionCode(text) ? addCodes(term, [text]) : addNamed(text));
  };
  const importText = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { codes, unread } = readCodes(String(new FormData(event.currentTarget).get("codes")));
    const ignored = unread.length === 0 ? "" : ` Skipped: ${unread.map((line) => `“${line}”`).join(", ")}.`;
    if (codes.length === 0) setSaid(`No section codes schedules.${ignored}`);
    else report(addCodes(term, codes).then((words) => words + ignored));
  };
  return (
    <div class="add-to-plan">
      <form onSubmit={add}>
        <label for={`${id}course`}>Add a course or section code</label>
        <input
          id={`${id}course`}
          name="course"
          required
          autocomplete="off"
          maxLength={MAX_LENGTH}
          placeholder="COMPSCI 161"
          list={`${id}hits`}
          onInput={({ currentTarget }) => suggest(currentTarget.value)}
        />
        <datalist id={`${id}hits`}>
          {hits.map(({ title, subtitle }) => (
            <option value={title}>{subtitle}</option>
          ))}
        </datalist>
        <button type="submit" class="small">
          Add
        </button>
      </form>
      <details>
        <summary>Paste section codes</summary>
        <form onSubmit={importText}>
          <label for={`${id}codes`}>Section codes, or a list from another planner</label>
          <textarea id={`${id}codes`} name="codes" rows={4} required placeholder="34130, 34131" />
          <button type="submit" class="small">
            Add all
          </button>
        </form>
      </details>
      <p role="status" class="quiet">
        {said}
      </p>
    </div>
  );
}
