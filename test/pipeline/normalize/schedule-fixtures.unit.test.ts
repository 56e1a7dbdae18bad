/** Every quirk of the schedule's XML as a pair of files: what is sent, and what must become of it. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { toHeadings } from "../../../pipeline/normalize/schedule/heading.ts";
import { toLandedSections } from "../../../pipeline/normalize/schedule/section.ts";
import { parseScheduleXml } from "../../../pipeline/parse/schedule/schedule-xml.ts";

interface Wanted {
  /** The rule in words. */
  shows: string;
  /** Only the fields that the rule concerns; the list itself is complete. */
  sections: object[];
  headings: object[];
  dropped?: [reason: string, name: string][];
  noted?: [reason: string, name: string][];
}

const folder = new URL("../../fixtures/schedule/", import.meta.url);
const FALL: Term = { year: "2024", quarter: "Fall" };

const cases = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length))
  .map((name) => ({ name, wanted: JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as Wanted }));

describe("the schedule's quirks", () => {
  it.each(cases)("$name: $wanted.shows", ({ name, wanted }) => {
    const dropped: string[][] = [];
    const noted: string[][] = [];
    const counts = { read: 0, kept: 0 };
    const { schools } = parseScheduleXml(readFileSync(new URL(`${name}.xml`, folder), "utf8"), FALL);
    const sections = toLandedSections(
      FALL,
      schools,
      {
        read: (count = 1) => void (counts.read += count),
        keep: (count = 1) => void (counts.kept += count),
        drop: (reason, what) => void dropped.push([reason, what]),
        note: (reason, what) => void noted.push([reason, what]),
      },
      { keepHidden: false },
    );
    expect(sections).toMatchObject(wanted.sections);
    expect(toHeadings(FALL, schools)).toMatchObject(wanted.headings);
    expect(dropped).toEqual(wanted.dropped ?? []);
    expect(noted).toEqual(wanted.noted ?? []);
    // Nothing is lost silently.
    expect(counts).toEqual({ read: sections.length + dropped.length, kept: sections.length });
  });
});
