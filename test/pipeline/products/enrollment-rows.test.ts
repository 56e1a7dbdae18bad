/** Files of older history with faults in them, against a plain reading of their rows, one after another. */
import fc from "fast-check";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  dayAndSection,
  type SectionFacts,
  sectionName,
} from "../../../pipeline/normalize/enrollment/day-and-section.ts";
import { BadSnapshot } from "../../../pipeline/normalize/enrollment/imported-snapshot.ts";
import { differencesOf, reconcile } from "../../../pipeline/normalize/reconcile.ts";
import { draws } from "../../support/extent.ts";
import { FALL, sectionOf } from "../../support/published/history-days.ts";
import { toImportedSnapshot } from "../parse/enrollment-records.ts";
import { days, drop, folder, HEADER, recordDays } from "./recorded-days.ts";

recordDays();

const TODAY = "2022-06-01";
const mostly = (sound: string[], ...faults: string[]) =>
  fc.oneof({ arbitrary: fc.constantFrom(...sound), weight: 12 }, { arbitrary: fc.constantFrom(...faults), weight: 1 });
const row = fc.record({
  ...{ year: mostly(["2022"], "22", ""), quarter: mostly(["Fall"], "Autumn") },
  sectionCode: mostly(["35730", "5740", " 35730"], "x1", "357301"),
  date: mostly(["2022-05-01", "2022-05-02", "2022-05-03", "2022-04-30"], "2022-02-30", "2022-06-02"),
  maxCapacity: mostly(["330", "20"], "many"),
  totalEnrolled: mostly(["0", "1", "2"], "", "1\n2"),
  ...{
    waitlist: mostly(["n/a", ""], "\u0092"),
    waitlistCap: fc.constantFrom("", "5"),
    requested: mostly(["0"], "few"),
  },
  ...{ newOnlyReserved: fc.constant(""), status: fc.constantFrom("OPEN", "Wait, listed", 'the "status"') },
  department: mostly(["I&C SCI", "i&csci", ""], "OTHER", "x".repeat(501)),
  courseNumber: mostly(["46", "046", ""], "999"),
  sectionType: mostly(["Lec", "LECTURE", ""], "Dis"),
  instructors: mostly(["AMBERLEY, R.", "TBA; BRISTOW, T.", ""], "\u0000"),
});
const COLUMNS = [...HEADER.split(","), "department", "courseNumber", "sectionType", "instructors"];
type Row = Record<string, string>;

const file = fc.record({
  columns: fc.shuffledSubarray(COLUMNS, { minLength: COLUMNS.length }),
  rows: fc.array(fc.tuple(row as fc.Arbitrary<Row>, mostly([""], ",more")), { minLength: 1, maxLength: 40 }),
  form: fc.constantFrom("csv", "csv", "ndjson"),
  isQuoted: fc.boolean(),
  end: fc.constantFrom("\n", "\r\n"),
  isDamaged: mostly([""], '"1,2'),
});
type File = typeof file extends fc.Arbitrary<infer T> ? T : never;

/** The file's text, and the last line of each row. */
function write({ columns, rows, form, isQuoted, end, isDamaged }: File) {
  let text = form === "csv" ? columns.join(",") + end : "";
  const lines = rows.map(([row, more]) => {
    const cell = (value: string) => (isQuoted || /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    text +=
      (form === "csv" ? columns.map((name) => cell(row[name] ?? "")).join(",") + more : JSON.stringify(row)) + end;
    return text.split("\n").length - 1;
  });
  return { text: form === "csv" ? text + isDamaged : text, lines };
}

/** What is published and reported when each row is read by itself. */
function readPlainly(files: readonly { name: string; file: File; lines: readonly number[] }[]) {
  const counts = new Map<string, string>();
  const facts = new Map<string, { facts: SectionFacts; from: string }>();
  const refused: string[] = [];
  for (const { name, file, lines } of files) {
    if (file.form === "csv" && file.isDamaged !== "") continue;
    for (const [i, [row, more]] of file.rows.entries()) {
      const place = `${name} line ${lines[i]}`;
      try {
        const count = COLUMNS.length + 1;
        if (file.form === "csv" && more !== "")
          throw new BadSnapshot(`${count} columns, the header has ${COLUMNS.length}`);
        const day = toImportedSnapshot(row, TODAY);
        const section = facts.get(day.sectionCode);
        if (!section) {
          if (sectionName(day) !== "") facts.set(day.sectionCode, { facts: day, from: place });
        } else {
          const join = dayAndSection(section.from, () => undefined);
          const { isRefused, values } = reconcile(join, day, section.facts);
          const differences = differencesOf(join, day, section.facts);
          if (isRefused) throw new BadSnapshot(`2022 Fall ${day.sectionCode} is ${sectionName(day)}; ${differences}`);
          facts.set(day.sectionCode, { ...section, facts: values });
        }
        counts.set(`${day.sectionCode} ${day.date}`, `${day.totalEnrolled} ${day.status}`);
      } catch (error) {
        if (!(error instanceof BadSnapshot)) throw error;
        refused.push(`${place}: ${error.message}`);
      }
    }
  }
  return { counts: [...counts].sort(), refused: refused.sort() };
}

test("files with any faults are read like their rows one by one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 3 }), async (drawn) => {
      await rm(folder().artifacts, { recursive: true, force: true });
      const drops = join(folder().data, "enrollment");
      for (const name of await readdir(drops)) await rm(join(drops, name));
      const files = drawn.map((file, i) => ({ name: `${i}.${file.form}`, file, ...write(file) }));
      for (const { name, text } of files) await drop(name, text);
      // Another term is published whatever the files have.
      const other = { term: { year: "2030", quarter: "Fall" }, sections: [sectionOf({ year: "2030" })] } as const;
      const { report } = await days().run(TODAY, [other]);
      const counts = (await days().rows(FALL)).flatMap(({ sectionCode, periods }) =>
        periods.flatMap(({ first, last, totalEnrolled, status }) => {
          const dates = [];
          for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
            dates.push(new Date(at).toISOString().slice(0, 10));
          return dates.map((date) => [`${sectionCode} ${date}`, `${totalEnrolled} ${status}`]);
        }),
      );
      const sound = files.filter(({ file }) => file.form !== "csv" || file.isDamaged === "").map(({ name }) => name);
      const refused = report.dropped
        .flatMap(({ names }) => names)
        .filter((text) => sound.some((name) => text.startsWith(`${name} `)));
      expect({ counts: counts.sort(), refused: refused.sort() }).toEqual(readPlainly(files));
      expect(report.damaged.filter((text) => text.includes("nothing of it"))).toHaveLength(files.length - sound.length);
    }),
    { numRuns: draws(60, 15), endOnFailure: true },
  );
});
