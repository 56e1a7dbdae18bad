/** Random runs through the real step, against a plain model of what is asked of it: a map of days for each section. */
import fc from "fast-check";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draws } from "../../support/extent.ts";
import { type Section } from "../../../pipeline/contract/rows/section.ts";
import { FALL, type HistoryDays, openHistoryDays, sectionOf } from "../../support/published/history-days.ts";
import { openFolder } from "../../support/whole-run.ts";

interface Said {
  readonly totalEnrolled: string;
  readonly status: string;
}
interface Known {
  instructors: string[];
  /** True when a crawl ever saw it. */
  seen: boolean;
  readonly days: Map<string, Said & { imported: boolean }>;
}
type Model = Map<string, Known>;

const START = Date.parse("2022-05-01T00:00:00Z");
const dayOf = (number: number) => new Date(START + number * 86_400_000).toISOString().slice(0, 10);

/** Each section is a separate case: many in a single run are cheaper than many runs. */
const CODES = Array.from({ length: 30 }, (_, i) => String(10000 + 7 * i));
const said = fc.record({ totalEnrolled: fc.constantFrom("0", "1"), status: fc.constantFrom("OPEN", "FULL") });
const named = fc.constantFrom("AMBERLEY, R.", "BRISTOW, T.");
const seen = fc.record({
  kind: fc.constant("run" as const),
  /** Days since the run before: nought is the same day again, less than nought a clock that runs backwards. */
  after: fc.constantFrom(0, 0, 1, 1, 1, 2, 3, -1),
  refused: fc.constantFrom(false, false, false, true),
  sections: fc.uniqueArray(fc.record({ code: fc.constantFrom(...CODES), said, name: named }), {
    selector: ({ code }) => code,
    minLength: 15,
  }),
});
const imported = fc.record({
  kind: fc.constant("import" as const),
  rows: fc.array(fc.record({ code: fc.constantFrom(...CODES), day: fc.nat(12), said, name: fc.option(named) }), {
    minLength: 1,
    maxLength: 60,
  }),
});
const steps = fc.array(fc.oneof({ arbitrary: seen, weight: 3 }, { arbitrary: imported, weight: 1 }), {
  minLength: 6,
  maxLength: 14,
});

const get = (model: Model, code: string): Known => {
  const known = model.get(code) ?? { instructors: [], seen: false, days: new Map() };
  model.set(code, known);
  return known;
};

/** A record for each section and day, in the form of the model and of the published periods. */
const ofModel = (model: Model) =>
  [...model]
    .map(([code, { instructors, days }]) => ({
      code,
      instructors,
      days: [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, day]) => ({ date, ...day })),
    }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));

async function ofRows(days: HistoryDays) {
  const expanded = (await days.rows(FALL)).map(({ sectionCode, instructors, periods }) => ({
    code: sectionCode,
    instructors,
    periods,
    days: periods.flatMap(({ first, last, totalEnrolled, status, imported }) => {
      const dates = [];
      for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
        dates.push({ date: new Date(at).toISOString().slice(0, 10), totalEnrolled, status, imported });
      return dates;
    }),
  }));
  for (const { periods } of expanded) {
    // "Two periods that could be one are one."
    for (const [i, next] of periods.slice(1).entries()) {
      const { last, first: _f, ...values } = periods[i] as (typeof periods)[number];
      const { first, last: _l, ...others } = next;
      const adjacent = Date.parse(first) - Date.parse(last) === 86_400_000 && !first.endsWith("-01");
      expect(adjacent && JSON.stringify(values) === JSON.stringify(others)).toBe(false);
    }
  }
  return expanded.map(({ periods: _p, ...section }) => section).sort((a, b) => (a.code < b.code ? -1 : 1));
}

let folder: Awaited<ReturnType<typeof openFolder>>;
let days: HistoryDays;
beforeAll(async () => {
  folder = await openFolder();
  days = await openHistoryDays(folder);
});
afterAll(async () => {
  days.close();
  await folder.remove();
});

test("any order of runs, repeats, refusals, wrong clocks and imports equals the plain model", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const drops = join(folder.data, "enrollment");
      await rm(folder.artifacts, { recursive: true, force: true });
      await rm(drops, { recursive: true, force: true });
      await mkdir(drops, { recursive: true });
      const model: Model = new Map();
      let today = 10;
      const written: { code: string; day: number; said: Said }[] = [];
      // Something is published whatever comes.
      await days.run(dayOf(0), [{ term: { year: "2030", quarter: "Fall" }, sections: [sectionOf({ year: "2030" })] }]);
      for (const step of taken) {
        if (step.kind === "import") {
          const files = (await readdir(drops)).length;
          const lines = step.rows.map(({ code, day, said: { totalEnrolled, status }, name }) =>
            JSON.stringify({
              year: "2022",
              quarter: "Fall",
              sectionCode: code,
              date: dayOf(day),
              maxCapacity: 1,
              ...{
                totalEnrolled,
                status,
                instructors: name ?? undefined,
              },
            }),
          );
          await writeFile(join(drops, `${files}.ndjson`), lines.join("\n"));
          await days.run(dayOf(today));
          // All files are read again when one is new: a day that was in the future may be past by now.
          written.push(...step.rows);
          for (const { code, day, said } of written.filter((row) => row.day <= today)) {
            const { days: known } = get(model, code);
            if (known.get(dayOf(day))?.imported !== false) known.set(dayOf(day), { ...said, imported: true });
          }
          continue;
        }
        today = Math.max(0, today + step.after);
        const rows: Section[] = step.sections.map(({ code, said: { totalEnrolled, status }, name }) =>
          sectionOf({
            sectionCode: code,
            instructors: [name],
            numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled: "" },
            status,
            maxCapacity: "1",
            numOnWaitlist: "",
            numWaitlistCap: "",
            numRequested: "",
          }),
        );
        await days.run(dayOf(today), [{ term: FALL, sections: rows, refused: step.refused }]);
        if (step.refused) continue;
        for (const { code, said, name } of step.sections) {
          const known = get(model, code);
          known.instructors = [name];
          known.seen = true;
          known.days.set(dayOf(today), { ...said, imported: false });
        }
      }
      // The instructors of a section that only files describe are tested by examples.
      const comparable = (sections: ReturnType<typeof ofModel>) =>
        sections.map((section) => (model.get(section.code)?.seen ? section : { ...section, instructors: [] }));
      expect(comparable(await ofRows(days))).toEqual(comparable(ofModel(model)));
    }),
    { numRuns: draws(12, 3), endOnFailure: true },
  );
});
