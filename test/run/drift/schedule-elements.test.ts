/**
 * Drift and its effects: a renamed element or attribute of the schedule's XML. All of them:
 * test/pipeline/parse/renamed-fields.unit.test.ts.
 */
import { describe, expect, it } from "vitest";
import { SCHEDULE_FIELDS } from "../../../pipeline/parse/schedule/schedule-elements.ts";
import { someOf } from "../../support/extent.ts";
import { openDriftingCampus } from "../../support/upstream/drifting-campus.ts";
import { product } from "../../support/upstream/guarded-campus.ts";

type Field = (typeof SCHEDULE_FIELDS)[number];

const renamed = ({ kind, place, name }: Field, to: string) =>
  kind === "element"
    ? (body: string) => body.replaceAll(new RegExp(`(</?)${name}(?=[\\s/>])`, "g"), `$1${to}`)
    : (body: string) => body.replaceAll(new RegExp(`(<${place}\\b[^>]*?\\s)${name}=`, "g"), `$1${to}=`);

/** A column of each kind: of a heading, of a section, seldom filled, emptied by the seasons, nested. */
const NAMES = [
  "dept_name",
  "school_comment",
  "course_title",
  "course_code",
  "sec_xlist_subenrolled",
  "sec_waitlist",
  "sec_room",
];
/** Names that are known without them, because the form has the departments' names. */
const HARMLESS = ["dept_name"];
/** Without these, sections cannot be distinguished. */
const UNREADABLE = ["course_code"];

describe("the schedule's XML has another name for", () => {
  const { drift } = openDriftingCampus();
  const fields = SCHEDULE_FIELDS.filter(({ name }) => NAMES.includes(name)).map((field) => ({
    ...field,
    what: `the ${field.kind} ${field.name} of ${field.place}`,
  }));

  it.each(someOf(fields, 2))("$what", async (field) => {
    const name = `new_${field.name}`;
    const { report, before, after, recorded } = await drift({ system: "schedule", rewrite: renamed(field, name) });
    expect(after).toEqual(before);
    const schedule = product(report, "schedule");
    const words = JSON.stringify(schedule?.damaged);
    if (HARMLESS.includes(field.name)) {
      expect(report.failed).toBe(false);
      expect(JSON.stringify(schedule?.noted)).toContain(`the ${field.kind} \`${name}\` of \`${field.place}\` is new`);
      return;
    }
    expect(report.failed).toBe(true);
    expect(recorded).toEqual([]);
    expect(words).toMatch(/2019 Fall.*2020 Fall/s);
    if (UNREADABLE.includes(field.name)) return;
    expect(words).toContain(`the ${field.kind} \`${name}\` of \`${field.place}\` is new`);
    expect(field.fills.filter((column) => words.includes(`\`${column}\` of`))).not.toEqual([]);
  });
});
