import { load, type CheerioAPI } from "cheerio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { courseName } from "../../pipeline/campus/courses.ts";
import { isoDay } from "../../pipeline/campus/days.ts";
import { tutoredCourses } from "../../pipeline/campus/pages/larc.ts";
import { fullName } from "../../pipeline/campus/people.ts";
import type { PrerequisiteNode } from "../../pipeline/campus/prerequisite-trees.ts";
import { startCampus } from "../../pipeline/campus/server.ts";
import { campusTerm } from "../../pipeline/campus/term-calendar.ts";
import { QUARTERS } from "../../pipeline/contract/vocabulary.ts";

let campus: Awaited<ReturnType<typeof startCampus>>;
beforeAll(async () => {
  campus = await startCampus({ size: "standard", clock: () => new Date("2026-11-21T20:00:00Z") });
});
afterAll(() => campus.close());

async function page(url: string | URL): Promise<CheerioAPI> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return load(await response.text());
}

const catalogued = (code: string) =>
  campus.world.courses.flat().filter((course) => course.catalogued && course.department.code === code);

describe("the catalogue", () => {
  test("leads from the index to a page for each department, with every catalogued course in one of two kinds of markup", async () => {
    const index = await page(`${campus.urls.CATALOGUE_URL}allcourses/`);
    const links = index("#atozindex > ul > li > a").toArray();
    expect(links).toHaveLength(campus.world.departments.length);
    const kinds = { classic: 0, labelled: 0 };
    for (const link of links) {
      const $ = await page(new URL(index(link).attr("href") as string, campus.urls.CATALOGUE_URL));
      const code = /\(([^()]*)\)$/.exec($(".page-title").text())?.[1] as string;
      const blocks = $("#courseinventorycontainer > .courses > .courseblock").toArray();
      const found = blocks.map((block) => {
        const title = $(block).find(".courseblocktitle").text().normalize("NFKD").split("  ");
        if (title.length > 1) {
          kinds.classic++;
          return [title[0], title[1], title[2]];
        }
        kinds.labelled++;
        return [".detail-code", ".detail-title", ".detail-hours_html"].map((part) =>
          $(block).find(part).text().normalize("NFKD"),
        );
      });
      expect(found.map(([name, title]) => [name, title])).toEqual(
        catalogued(code).map((course) => [`${courseName(course)}.`, `${course.title}.`]),
      );
      for (const [, , units] of found) expect(units).toMatch(/^(\d*\.?\d+-)?\d*\.?\d+ Units?\.$/);
    }
    expect(kinds.classic).toBeGreaterThan(200);
    expect(kinds.labelled).toBeGreaterThan(200);
  });

  test("and the schedule each have courses that the other lacks", () => {
    const courses = campus.world.courses.flat();
    expect(courses.some((course) => course.offered && !course.catalogued)).toBe(true);
    expect(courses.some((course) => !course.offered && course.catalogued)).toBe(true);
  });

  test("has the odd course numbers and units", () => {
    const courses = campus.world.courses.flat();
    const numbers = courses.map(({ number }) => number);
    expect(numbers).toEqual(expect.arrayContaining(["H32", "M118L", "190W", "1A", "7LC", "C7"]));
    expect(courses.some(({ units }) => /^\d*\.\d/.test(units))).toBe(true);
    expect(courses.some(({ units }) => units.includes("-"))).toBe(true);
  });

  test("leads from the schools to faculty and inventories of every department", async () => {
    const schools = await page(`${campus.urls.CATALOGUE_URL}schoolsandprograms/`);
    const names = new Set<string>();
    const courses = new Set<string>();
    for (const link of schools("#textcontainer > h4 > a").toArray()) {
      const url = new URL(schools(link).attr("href") as string, campus.urls.CATALOGUE_URL);
      const school = await page(url);
      const leaves = school(".levelone li a")
        .toArray()
        .map((a) => new URL(school(a).attr("href") as string, url));
      for (const leaf of leaves.length > 0 ? leaves : [url]) {
        const $ = await page(leaf);
        for (const name of $(".faculty .name").toArray())
          names.add($(name).text().split(",")[0]?.replace(/ I+$/, "") as string);
        for (const block of $(".courseblocktitle").toArray())
          courses.add($(block).text().normalize("NFKD").split(".  ")[0] as string);
      }
    }
    const people = campus.world.people.flat().filter(({ netid }) => netid !== undefined);
    expect([...names].toSorted()).toEqual(
      [...new Set(people.map((person) => fullName(person).normalize("NFC")))].toSorted(),
    );
    expect([...courses].toSorted()).toEqual(
      campus.world.courses
        .flat()
        .filter((course) => course.catalogued)
        .map(courseName)
        .toSorted(),
    );
  });

  test("says Not Found with status 404", async () => {
    expect((await fetch(`${campus.urls.CATALOGUE_URL}allcourses/nowhere/`)).status).toBe(404);
  });
});

/** The course names and exams of a tree. */
function leavesOf(tree: PrerequisiteNode | undefined): string[] {
  if (tree === undefined) return [];
  if (typeof tree === "string") return [tree];
  return ("AND" in tree ? tree.AND : tree.OR).flatMap(leavesOf);
}

describe("prerequisites", () => {
  test("list a row of three cells for each catalogued course, with every leaf of its tree", async () => {
    const list = await page(campus.urls.PREREQUISITES_URL);
    const codes = list('select[name="dept"] option')
      .toArray()
      .map((option) => list(option).attr("value"))
      .filter(Boolean);
    expect(codes).toEqual(campus.world.departments.map(({ code }) => code));
    let groups = 0;
    for (const code of codes as string[]) {
      const $ = await page(
        `${campus.urls.PREREQUISITES_URL}?${new URLSearchParams({ dept: code, action: "view_all" })}`,
      );
      const rows = $("table tr")
        .toArray()
        .map((row) =>
          $(row)
            .find("td")
            .toArray()
            .map((cell) => $(cell).text().replace(/\s+/g, " ").trim()),
        )
        .filter((cells) => cells.length === 3);
      const courses = catalogued(code);
      expect(rows.map(([name]) => name?.split(" * ")[0])).toEqual(courses.map(courseName));
      rows.forEach(([, , text = ""], i) => {
        const tree = courses[i]?.prerequisite;
        for (const leaf of leavesOf(tree)) expect(text).toContain(leaf);
        expect(text === "").toBe(tree === undefined);
        if (/\( .* OR .* \)/.test(text)) groups++;
      });
    }
    expect(groups).toBeGreaterThan(20);
  });
});

const ask = async (name: string) =>
  (await (
    await fetch(campus.urls.DIRECTORY_URL, {
      method: "POST",
      body: new URLSearchParams({ uciKey: name, filter: "all" }),
    })
  ).json()) as [number, Record<string, string>][];
const decode = (text: string) => load(text, null, false).text();

describe("the directory", () => {
  test("finds everybody by full name, with title, department and address", async () => {
    const people = campus.world.people.flat().filter(({ netid }) => netid !== undefined);
    let noise = 0;
    for (const person of people) {
      const found = await ask(fullName(person));
      const own = found.find(([, entry]) => entry.UCInetID === person.netid)?.[1];
      expect(decode(own?.Name ?? "").toLowerCase()).toBe(fullName(person).toLowerCase());
      expect(decode(own?.Title ?? "")).toBe(person.title);
      expect(decode(own?.Department ?? "")).toBe(person.department.name);
      expect(Buffer.from(own?.Email ?? "", "base64").toString()).toBe(person.email);
      expect(person.email).toMatch(/^$|@example\.edu$/);
      noise += found.length - 1;
      expect(found.map(([score]) => score)).toEqual(found.map(([score]) => score).toSorted((a, b) => b - a));
    }
    expect(noise).toBeGreaterThan(0);
  });

  test("knows students of the same last name, names in capitals, and nobody of an unknown name", async () => {
    const people = campus.world.people.flat().filter(({ netid }) => netid !== undefined);
    const entries = (await Promise.all(people.map(({ last }) => ask(last)))).flat().map(([, entry]) => entry);
    expect(entries.some((entry) => "Student's Level" in entry)).toBe(true);
    expect(entries.some(({ Name = "" }) => Name === Name.toUpperCase())).toBe(true);
    expect(entries.some(({ Department = "" }) => Department.includes("&amp;"))).toBe(true);
    expect(await ask("Nobody Ofthisname")).toEqual([]);
    expect(await ask("")).toEqual([]);
  });

  test("has two people with one short name, names cut at fourteen letters, and lacks some who teach", () => {
    const people = campus.world.people.flat();
    const known = people.filter(({ netid }) => netid !== undefined);
    expect(new Set(known.map(({ netid }) => netid)).size).toBe(known.length);
    expect(new Set(known.map(({ shortName }) => shortName)).size).toBeLessThan(known.length);
    expect(known.some(({ last, shortName }) => last.length > 14 && shortName.indexOf(",") === 14)).toBe(true);
    expect(people.length).toBeGreaterThan(known.length);
  });
});

describe("calendars", () => {
  test("one page for an academic year, from 2013 to the year after this one, with the dates of every term", async () => {
    const index = await page(campus.urls.CALENDAR_URL);
    const links = index("ul a")
      .toArray()
      .map((a) => index(a).attr("href") as string);
    expect([links[0], links.at(-1)]).toEqual(["2013-2014/quarterly13-14.html", "2027-2028/quarterly27-28.html"]);
    for (const year of [2014, 2020, 2026]) {
      for (const quarter of QUARTERS) {
        const term = campusTerm({ year: String(year), quarter });
        const first = quarter === "Fall" ? year : year - 1;
        const $ = await page(
          `${campus.urls.CALENDAR_URL}${first}-${first + 1}/quarterly${String(first).slice(2)}-${String(first + 1).slice(2)}.html`,
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
    expect((await fetch(`${campus.urls.CALENDAR_URL}2030-2031/quarterly30-31.html`)).status).toBe(404);
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
      const $ = await page(campus.urls.LARC_URL + address);
      const headers = $(".tutorial-group .card-header")
        .toArray()
        .map((header) => /^([^()]*)( \(same as (.*)\))? - (.*) \((.*)\)/.exec($(header).text().trim()));
      const courses = tutoredCourses(campus.world, campusTerm({ year, quarter }));
      expect(headers.map((found) => found?.[1])).toEqual(courses.map(courseName));
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
      expect((await page(campus.urls.LARC_URL + address))(".tutorial-group")).toHaveLength(0);
  });
});
