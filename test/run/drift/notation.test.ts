/** Drift and its effects: the schedule writes its texts differently, or omits elements. */
import { describe, expect, it } from "vitest";
import { someOf } from "../../support/extent.ts";
import { openDriftingCampus } from "../../support/upstream/drifting-campus.ts";
import { product } from "../../support/upstream/guarded-campus.ts";

const inElement = (name: string, change: (text: string) => string) => (body: string) =>
  body.replaceAll(
    new RegExp(`<${name}>([^<]*)</${name}>`, "g"),
    (_, text: string) => `<${name}>${change(text)}</${name}>`,
  );

const without = (name: string) => (body: string) =>
  body.replaceAll(new RegExp(`<${name}>[^<]*</${name}>\\n?`, "g"), "");

/** `10:30-12:30pm` → `10h30 to 12h30`, only for what ends in the afternoon where `isPartly`. */
const otherTimes =
  (isPartly: boolean) =>
  (text: string): string =>
    !isPartly || /p/.test(text) ? text.replaceAll(/(\d+):(\d\d)/g, "$1h$2").replace("-", " to ") : text;

const capitals = (body: string) =>
  body.replaceAll(/<(\/?)(sec_\w+)/g, (_, slash: string, name: string) => {
    const words = name.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
    return `<${slash}${["sec_meet", "sec_final", "sec_meetings"].includes(name) ? name : words.join("")}`;
  });

describe("the schedule's notation", () => {
  const { drift } = openDriftingCampus();

  const withheld: [string, (body: string) => string, string, RegExp][] = [
    [
      "all times are written otherwise",
      inElement("sec_time", otherTimes(false)),
      "meetings.startTime",
      /texts of `sec_time` cannot be read/,
    ],
    [
      "only the times of the afternoon are",
      inElement("sec_time", otherTimes(true)),
      "meetings.startTime",
      /texts of `sec_time` cannot be read/,
    ],
    [
      "finals are written otherwise",
      inElement("sec_final_date", (text) => text.replace(/^(\w+) (\d+)$/, "$2. $1")),
      "finalExam.examStatus",
      /texts of `sec_final_time` cannot be read/,
    ],
    ["sixteen elements in capitals at once", capitals, "sectionType", /`SecType` of `section` is new/],
    [
      "no section has a type",
      without("sec_type"),
      "sectionType",
      /`sectionType` of 2019 Fall, in sections, is empty \(\d+ before\)/,
    ],
    [
      "every section has the same type",
      inElement("sec_type", () => "Lec"),
      "sectionType",
      /has one value in all rows \(\d+ values before\)/,
    ],
    [
      "no section has an instructor",
      without("instructor"),
      "instructors",
      /`instructors` of 2019 Fall, in sections, is empty/,
    ],
    ["no meeting has days", without("sec_days"), "meetings.days", /is empty/],
    ["places have no room", without("sec_room"), "meetings.room", /is empty/],
  ];
  it.each(someOf(withheld, 2))("%s: the terms are withheld", async (_what, rewrite, column, cause) => {
    const { report, before, after, recorded } = await drift({ system: "schedule", rewrite });
    expect(after).toEqual(before);
    expect([report.failed, recorded]).toEqual([true, []]);
    const words = product(report, "schedule")?.damaged.join("\n") ?? "";
    expect(words).toContain(`\`${column}\` of 2019 Fall`);
    expect(words).toMatch(cause);
  });

  /** Reserved seats, waitlists and restrictions end, as when an enrollment window opens. */
  const ended = (body: string) =>
    ["sec_new_only_reserved", "sec_waitlist", "sec_restrictions"]
      .reduce((text, name) => without(name)(text), body)
      .replaceAll(/<sec_status>(?:NewOnly|Waitl)</g, "<sec_status>OPEN<");

  const seasons: [string, (body: string) => string, string][] = [
    ["a season ends", ended, "numOnWaitlist"],
    ["no section has a waitlist", without("sec_waitlist"), "numOnWaitlist"],
    ["no section is restricted any more", without("sec_restrictions"), "restrictions"],
    ["nobody requests a seat", without("sec_enroll_requests"), "numRequested"],
  ];
  it.each(someOf(seasons, 1))("%s, as it happens every year: published and noted", async (_what, rewrite, column) => {
    const { report, lost } = await drift({ system: "schedule", rewrite });
    expect(report.failed).toBe(false);
    expect(lost).toContain(`sections.${column}`);
    const noted = product(report, "schedule")?.noted.find(({ reason }) => reason === "a column that emptied");
    expect(noted?.names.join("\n")).toContain(`\`${column}\` of 2019 Fall, in sections, is empty`);
  });

  it("an element that is new, and nothing is lost by it: published and noted", async () => {
    const rewrite = (body: string) => body.replaceAll("</sec_type>", "</sec_type><sec_campus>Main</sec_campus>");
    const { report, lost } = await drift({ system: "schedule", rewrite });
    expect([report.failed, lost]).toEqual([false, []]);
    const noted = product(report, "schedule")?.noted.find(
      ({ reason }) => reason === "a field that the parser does not know",
    );
    expect(noted?.names).toContainEqual(
      expect.stringContaining("2019 Fall: the element `sec_campus` of `section` is new, in "),
    );
  });

  it("ALLOW_SHRINK=<id> accepts the column of that part and nothing else", async () => {
    const renamed = (name: string) => (body: string) =>
      body.replaceAll(new RegExp(`(</?)${name}>`, "g"), `$1${name}s>`);
    const rewrite = (body: string) => renamed("sec_waitlist")(renamed("sec_bldg")(body));
    const refused = await drift({ system: "schedule", rewrite });
    const words = product(refused.report, "schedule")?.damaged.join("\n") ?? "";
    expect(words).toContain("`numOnWaitlist` of 2019 Fall");
    const ids = /2019 Fall.*ALLOW_SHRINK=([\w,]+) accepts it/.exec(words)?.[1]?.split(",") ?? [];
    expect(ids.length).toBeGreaterThanOrEqual(3);
    const partly = await drift({ system: "schedule", rewrite, env: { ALLOW_SHRINK: ids[0] as string } });
    expect(partly.after).toEqual(partly.before);
    const whole = await drift({ system: "schedule", rewrite, env: { ALLOW_SHRINK: ids.join(",") } });
    expect(whole.report.failed).toBe(true);
    expect(product(whole.report, "schedule")?.damaged).toEqual([expect.stringContaining("2020 Fall")]);
    expect(whole.lost).toContain("sections.numOnWaitlist");
  });

  it("ALLOW_SHRINK=1 accepts what was withheld", async () => {
    const { report, lost } = await drift({
      system: "schedule",
      rewrite: without("sec_type"),
      env: { ALLOW_SHRINK: "1" },
    });
    expect(report.failed).toBe(false);
    expect(lost).toEqual(["sections.sectionType", "enrollment_history.sectionType"]);
    const noted = product(report, "schedule")?.noted.find(({ reason }) => reason === "accepted by ALLOW_SHRINK");
    expect(noted?.names.join("\n")).toContain("`sectionType` of 2019 Fall, in sections, is empty");
  });
});
