import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calendar as calendarTable } from "../../../pipeline/contract/rows/calendar.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { mergeCalendars, toTermDates } from "../../../pipeline/normalize/calendar.ts";
import { parseCalendarIndex, parseCalendarPage } from "../../../pipeline/parse/calendar-html.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { readCalendarCsv, walkCalendar } from "../../../pipeline/sources/calendar.ts";
import type { Upstream } from "../../support/upstream/upstream.ts";
import type { World } from "../../support/worlds/world.ts";
import { testWorlds } from "../../support/worlds/worlds.ts";
import { hastyClient } from "./hasty-client.ts";

const parsers = { index: parseCalendarIndex, year: parseCalendarPage };

describe.each(testWorlds)("the calendar through an upstream, $name", (testWorld) => {
  let world: World;
  let upstream: Upstream;
  beforeAll(async () => {
    world = testWorld.read();
    upstream = await testWorld.start(world);
  });
  afterAll(() => upstream.close());

  const read = async (url: URL, lastYear = 2023) => {
    const tally = createTally("calendar");
    const { pages, damaged } = await walkCalendar(hastyClient("calendar"), url, parsers, lastYear, tally);
    return {
      rows: mergeCalendars(pages.flatMap((page) => toTermDates(page, tally))),
      damaged,
      report: tally.report("published", 0),
    };
  };
  const address = () => new URL(upstream.urls.CALENDAR_URL);
  const key = ({ year, quarter }: Record<string, unknown>) => `${String(year)} ${String(quarter)}`;

  test("every term of the world, field by field, in calendar order", async () => {
    upstream.reset();
    const { rows, report } = await read(address());
    expect(rows.map(key)).toEqual(world.calendar.map(key));
    expect(rows).toEqual(world.calendar);
    for (const row of rows) expect(calendarTable.row.safeParse(row).error).toBeUndefined();
    expect(report).toMatchObject({ dropped: [], damaged: [] });
    // A term without dates is no fault: the page of 2013-14 has no Fall here, that of 2021-22 nothing but one.
    expect(report.noted[0]?.names).toContain("2013 Fall");
  });

  test("404 is the answer for a year that is not published, and damage for one that the index lists", async () => {
    const { damaged } = await read(address(), 2030);
    expect(damaged).toEqual([]);
    upstream.setFaults([{ match: { path: "/calendars/quarterly/2016-2017/quarterly16-17.html" }, status: 404 }]);
    const { rows, damaged: missing, report } = await read(address());
    upstream.setFaults([]);
    expect(missing).toEqual(["calendar of 2016"]);
    expect(report.damaged[0]).toContain("calendar of 2016");
    expect(rows).toHaveLength(world.calendar.length - 6);
  });

  test("without an index the addresses follow from the years", async () => {
    for (const status of [404, 403]) {
      upstream.setFaults([{ match: { path: "/calendars/quarterly/" }, status }]);
      const { rows } = await read(address());
      expect(rows).toEqual(world.calendar);
    }
    upstream.setFaults([]);
  });

  test("nothing at all, or another page, is a failure", async () => {
    upstream.setFaults([{ match: { system: "calendar" }, status: 404 }]);
    await expect(read(address())).rejects.toThrow(UpstreamBadResponse);
    upstream.setFaults([{ match: { system: "calendar" }, htmlError: true }]);
    await expect(read(address())).rejects.toThrow(UpstreamBadResponse);
    upstream.setFaults([]);
  });

  test("a local folder or one page, file: addresses", async () => {
    const folder = await mkdtemp(join(tmpdir(), "calendar-"));
    await mkdir(join(folder, "2016-2017"));
    const page = join(folder, "2016-2017", "quarterly16-17.html");
    await writeFile(page, await (await fetch(new URL("2016-2017/quarterly16-17.html", address()))).text());
    const expected = world.calendar.filter(
      ({ year, quarter }) => (year === "2016") === (quarter === "Fall") && /2016|2017/.test(year),
    );
    expect((await read(pathToFileURL(folder))).rows).toEqual(expected);
    expect((await read(pathToFileURL(page))).rows).toEqual(expected);
    await rm(folder, { recursive: true });
  });
});

test("calendar.csv is read where an operator has put one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "calendar-"));
  expect(await readCalendarCsv(folder)).toBeUndefined();
  await writeFile(join(folder, "calendar.csv"), "year\n");
  expect(await readCalendarCsv(folder)).toBe("year\n");
  await writeFile(join(folder, "calendar.csv"), Buffer.from("Fäll\n", "latin1"));
  expect(await readCalendarCsv(folder)).toBe("Fäll\n");
  await writeFile(join(folder, "calendar.csv"), "F\ufffdll\n");
  await expect(readCalendarCsv(folder)).rejects.toThrow("U+FFFD");
  await rm(folder, { recursive: true });
});
