import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCampus } from "../../../pipeline/campus/listening/server.ts";

let campus: Awaited<ReturnType<typeof startCampus>>;
beforeAll(async () => {
  campus = await startCampus({ size: "full", clock: () => new Date("2026-11-21T20:00:00Z") });
});
afterAll(() => campus.close());

describe("the search form", () => {
  test("answers an empty GET and an empty POST alike", async () => {
    const [got, posted] = await Promise.all([
      fetch(campus.urls.SCHEDULE_URL).then((response) => response.text()),
      fetch(campus.urls.SCHEDULE_URL, { method: "POST" }).then((response) => response.text()),
    ]);
    expect(posted).toBe(got);
  });

  test("lists terms newest first, from the announced ones to 2014 Summer 1, with two blanks, and terms of other calendars", async () => {
    const $ = load(await (await fetch(campus.urls.SCHEDULE_URL)).text());
    const options = $('select[name="YearTerm"] option')
      .toArray()
      .map((option) => [$(option).attr("value"), $(option).text()]);
    expect(options[0]).toEqual(["2027-14", "2027  Spring Quarter"]);
    expect(options).toContainEqual(["2014-25", "2014  Summer Session 1"]);
    expect(options).toContainEqual(["2026-39", "2026  10-wk Summer"]);
    expect(options.some(([, label]) => /Law/.test(label ?? ""))).toBe(true);
    expect(options.some(([, label]) => /COM/.test(label ?? ""))).toBe(true);
    expect(options.filter(([value]) => /^\d{4}-(03|14|25|39|76|92)$/.test(value ?? ""))).toHaveLength(
      campus.world.terms().length,
    );
    expect(options.some(([value]) => value === "2014-14")).toBe(false);
  });

  test("lists every department with a dot leader, started and ended ones with their suffix", async () => {
    const $ = load(await (await fetch(campus.urls.SCHEDULE_URL)).text());
    const labels = new Map(
      $('select[name="Dept"] option')
        .toArray()
        .map((option) => [$(option).attr("value"), $(option).text()] as const),
    );
    expect(labels.get(" ALL")).toBe("Include All Departments");
    for (const { code, name } of campus.world.departments) {
      const label = labels.get(code) as string;
      expect(label.startsWith(`${code} .`)).toBe(true);
      expect(label).toContain(name);
    }
    expect(labels.get("SWE")).toMatch(/\(started 2019 Fall\)$/);
    expect([...labels.values()].filter((label) => /\(until /.test(label))).toHaveLength(5);
    expect(labels.get("PP&D")).toMatch(/Planning, Policy, and Design +\(until 2018 SS2\)$/);
    expect(campus.world.departments).toHaveLength(132);
    for (const code of ["I&C SCI", "CRM/LAW", "BIO SCI", "PM&R", "OB/GYN"]) expect(labels.has(code)).toBe(true);
  });
});
