/**
 * A day is recorded under the campus day of its crawl. A clock that was ahead must neither block correct days nor
 * invent any.
 */
import { describe, expect, test } from "vitest";
import { GuardError } from "../../../pipeline/errors.ts";
import { enrolled } from "../../support/published/history-days.ts";
import { csv, days, drop, history, recordDays, row, saw } from "./recorded-days.ts";

recordDays();

const HELD = "the history has a later day than the recorded one";

describe("a later day that stands already", () => {
  test("does not stop the days before it, and is replaced when it comes", async () => {
    await days().run("2022-05-17", saw(enrolled(1)));
    // Five days ahead.
    await days().run("2022-05-22", saw(enrolled(1)));
    const { report } = await days().run("2022-05-18", saw(enrolled(1)));
    expect(report).toMatchObject({
      damaged: [],
      noted: [{ reason: HELD, count: 1, names: ["2022 Fall: 2022-05-22"] }],
    });
    await days().run("2022-05-19", saw(enrolled(2)));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1", "2022-05-19 2", "2022-05-22 1"]);
    await days().run("2022-05-21", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1", "2022-05-19 2", "2022-05-21..2022-05-22 1"]);
    const reached = await days().run("2022-05-22", saw(enrolled(7)));
    expect(reached.report.noted).toEqual([]);
    await days().run("2022-05-23", saw(enrolled(7)));
    expect(await history()).toEqual([
      "2022-05-17..2022-05-18 1",
      "2022-05-19 2",
      "2022-05-21 1",
      "2022-05-22..2022-05-23 7",
    ]);
  });

  test("is joined where the day before it says the same on both sides, and split where it does not", async () => {
    await days().run("2022-05-17", saw(enrolled(1)));
    await days().run("2022-05-19", saw(enrolled(1)));
    await days().run("2022-05-18", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17..2022-05-19 1"]);
    await days().run("2022-05-18", saw(enrolled(2)));
    expect(await history()).toEqual(["2022-05-17 1", "2022-05-18 2", "2022-05-19 1"]);
    await days().run("2022-05-18", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17..2022-05-19 1"]);
  });

  test("may be in a later month, and of a section that is not listed any more", async () => {
    await days().run("2022-06-02", saw(enrolled(1), enrolled(5, { sectionCode: "35740" })));
    await days().run("2022-05-30", saw(enrolled(3)));
    await days().run("2022-05-31", saw(enrolled(3)));
    await days().run("2022-06-01", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-30..2022-05-31 3", "2022-06-01..2022-06-02 1"]);
    expect(await history("35740")).toEqual(["2022-06-02 5"]);
  });

  test("of a file is never one with a recorded day, which takes its place in the middle of an imported period", async () => {
    await drop("a.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1), row("2022-05-19", 1)));
    await days().run("2022-05-20", []);
    expect(await history()).toEqual(["2022-05-17..2022-05-19 1*"]);
    await days().run("2022-05-18", saw(enrolled(1, { numRequested: "" })));
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-18 1", "2022-05-19 1*"]);
  });
});

describe("the day of a crawl", () => {
  test("is that on which it began on the campus, whatever the day of the run", async () => {
    await days().run("2022-05-18", saw(enrolled(1)), { startedAt: "2022-05-18T06:59:00Z" });
    await days().run("2022-05-18", saw(enrolled(2)), { startedAt: "2022-05-18T07:01:00Z" });
    expect(await history()).toEqual(["2022-05-17 1", "2022-05-18 2"]);
  });

  test("that is later than the upstream's own is refused; an upstream that is ahead is not", async () => {
    await days().run("2022-05-17", saw(enrolled(1)), { upstreamDate: "2022-05-17T20:00:00Z" });
    const ahead = days().run("2022-05-22", saw(enrolled(2)), { upstreamDate: "2022-05-18T06:59:59Z" });
    await expect(ahead).rejects.toThrow(GuardError);
    await expect(ahead).rejects.toThrow(
      "this computer's clock says 2022-05-22, the schedule system's 2022-05-17: the day is not recorded",
    );
    expect(await history()).toEqual(["2022-05-17 1"]);
    await days().run("2022-05-18", saw(enrolled(3)), { upstreamDate: "2026-01-01T00:00:00Z" });
    expect(await history()).toEqual(["2022-05-17 1", "2022-05-18 3"]);
  });

  test("more than a day after the last run is only noted where the upstream has no clock", async () => {
    await days().run("2022-05-17", saw(enrolled(1)));
    expect((await days().run("2022-05-18", saw(enrolled(1)))).report.noted).toEqual([]);
    const { report } = await days().run("2022-05-25", saw(enrolled(1)));
    expect(report).toMatchObject({
      damaged: [],
      noted: [{ count: 1, names: ["2022 Fall: 2022-05-25 after 2022-05-18"] }],
    });
    const dated = await days().run("2022-05-28", saw(enrolled(1)), { upstreamDate: "2022-05-28T20:00:00Z" });
    expect(dated.report.noted).toEqual([]);
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1", "2022-05-25 1", "2022-05-28 1"]);
  });
});
