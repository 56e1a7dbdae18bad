/** The sample campus's directory, calendars and tutorials. */
import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { courseName } from "../../../pipeline/campus/courses/courses.ts";
import { isoDay } from "../../../pipeline/campus/days.ts";
import { tutoredCourses } from "../../../pipeline/campus/tutorials.ts";
import { fullName } from "../../../pipeline/campus/people.ts";
import { campusTerm } from "../../../pipeline/campus/sections/term-calendar.ts";
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { campus, openCampus, page } from "./campus-pages.ts";

openCampus();

const ask = async (name: string) =>
  (await (
    await fetch(campus().urls.DIRECTORY_URL, {
      method: "POST",
      body: new URLSearchParams({ uciKey: name, filter: "all" }),
    })
  ).json()) as [number, Record<string, string>][];
const decode = (text: string) => load(text, null, false).text();

describe("the directory", () => {
  test("finds everybody by full name, with title, department and address", async () => {
    const people = campus()
      .world.people.flat()
      .filter(({ netid }) => netid !== undefined);
    let noise = 0;
    for (const person of people) {
      const hits = await ask(fullName(person));
      const own = hits.find(([, entry]) => entry.UCInetID === person.netid)?.[1];
      expect(decode(own?.Name ?? "").toLowerCase()).toBe(fullName(person).toLowerCase());
      expect(decode(own?.Title ?? "")).toBe(person.title);
      expect(decode(own?.Department ?? "")).toBe(person.department.name);
      expect(Buffer.from(own?.Email ?? "", "base64").toString()).toBe(person.email);
      expect(person.email).toMatch(/^$|@example\.edu$/);
      noise += hits.length - 1;
      expect(hits.map(([score]) => score)).toEqual(hits.map(([score]) => score).toSorted((a, b) => b - a));
    }
    expect(noise).toBeGreaterThan(0);
  });

  test("knows students of the same last name, names in capitals, and nobody of an unknown name", async () => {
    const people = campus()
      .world.people.flat()
      .filter(({ netid }) => netid !== undefined);
    const entries = (await Promise.all(people.map(({ last }) => ask(last)))).flat().map(([, entry]) => entry);
    expect(entries.some((entry) => "Student's Level" in entry)).toBe(true);
    expect(entries.some(({ Name = "" }) => Name === Name.toUpperCase())).toBe(true);
    expect(entries.some(({ Department = "" }) => Department.includes("&amp;"))).toBe(true);
    expect(await ask("Nobody Ofthisname")).toEqual([]);
    expect(await ask("")).toEqual([]);
  });

  test("has two people with one short name, names cut at fourteen letters, and lacks some who teach", () => {
    const people = campus().world.people.flat();
    const known = people.filter(({ netid }) => netid !== undefined);
    expect(new Set(known.map(({ netid }) => netid)).size).toBe(known.length);
    expect(new Set(known.map(({ shortName }) => shortName)).size).toBeLessThan(known.length);
    expect(known.some(({ last, shortName }) => last.length > 14 && shortName.indexOf(",") === 14)).toBe(true);
    expect(people.length).toBeGreaterThan(known.length);
  });
});

describe("calendars", () => {
  test("one page for an academic year, from 2013 to the year after this one, with the dates of every term", async () => {
    const index = await page(campus().urls.CALENDAR_URL);
    const links = index("ul a")
      .toArray()
      .map((a) => index(a).attr("href") as string);
    expect([links[0], links.at(-1)]).toEqual(["2013-2014/quarterly13-14.html", "2027-2028/quarterly27-28.html"]);
    for (const year of [2014, 2020, 2026]) {
      for (const quarter of QUARTERS) {
        const term = campusTerm({ year: String(year), quarter });
        const first = quarter === "Fall" ? year : year - 1;
        const $ = await page(
          `${campus().urls.CALENDAR_URL}${first}-${first + 1}/quarterly${String(first).slice(2)}-${String(first + 1).slice(2)}.html`,
        );
        const columns = quarter.startsWith("Summer")
          ? ["Summer1", "Summer10wk", "Summer2"]
          : ["Fall", "Winter", "Spring"];
        const table = $(".calendartable").eq(quarter.startsWith("Summer") ? 1 : 0);
        const cell = (label: RegExp) =>
          table
            .find("tr")
            .toArray()
            .map((row) =>
              $(row)
                .find("td")
                .toArray()
                .map((td) => $(td).text()),
            )
            .find(([name]) => label.test(name ?? ""))?.[1 + columns.indexOf(quarter)];
        const iso = (text: string | undefined) => new Date(`${text} ${year} UTC`).toISOString().slice(0, 10);
        expect(iso(cell(/instruction begins/i))).toBe(isoDay(term.instructionStart));
        expect(iso(cell(/instruction ends/i))).toBe(isoDay(term.instructionEnd));
        expect(iso(cell(/final examinations/i)?.split(/[-–]/)[0])).toBe(isoDay(term.finalsStart));
      }
    }
    expect((await fetch(`${campus().urls.CALENDAR_URL}2030-2031/quarterly30-31.html`)).status).toBe(404);
  });
});

describe("tutorials", () => {
  test("a group for each course, with days, time, tutor and place; an empty page where there are none", async () => {
    for (const [address, year, quarter] of [
      ["202192,1", "2021", "Fall"],
      ["202392,s1", "2023", "Fall"],
      ["202403,1", "2024", "Winter"],
      ["202425,s1", "2024", "Summer1"],
      ["202476,s2", "2024", "Summer2"],
    ] as const) {
      const $ = await page(campus().urls.LARC_URL + address);
      const headers = $(".tutorial-group .card-header")
        .toArray()
        .map((header) => /^([^()]*)( \(same as (.*)\))? - (.*) \((.*)\)/.exec($(header).text().trim()));
      const courses = tutoredCourses(campus().world, campusTerm({ year, quarter }));
      expect(headers.map((header) => header?.[1])).toEqual(courses.map(courseName));
      expect(courses.length).toBeGreaterThan(1);
      for (const group of $(".list-group").toArray()) {
        const [when, who] = $(group)
          .find(".col-lg-4")
          .toArray()
          .map((part) =>
            $(part)
              .find(".col")
              .toArray()
              .map((cell) => $(cell).text()),
          );
        expect(when?.[0]).toMatch(/^(Mon|Tue|Wed|Thu|Fri)(\/(Mon|Tue|Wed|Thu|Fri))*$/);
        expect(when?.[1]).toMatch(/^\d{1,2}:\d\d( AM)? - \d{1,2}:\d\d [AP]M$/);
        expect(who?.[0]).toMatch(/^\S+ \S+/);
        expect(who?.[1]).not.toBe("");
      }
    }
    for (const address of ["201892,1", "202339,s1", "202392,1", "209992,s1"])
      expect((await page(campus().urls.LARC_URL + address))(".tutorial-group")).toHaveLength(0);
  });
});
