/** The sample campus's catalogue and prerequisites. */
import { describe, expect, test } from "vitest";
import { courseName } from "../../../pipeline/campus/courses/courses.ts";
import { fullName } from "../../../pipeline/campus/people.ts";
import type { PrerequisiteNode } from "../../../pipeline/campus/courses/prerequisite-trees.ts";
import { campus, catalogued, openCampus, page } from "./campus-pages.ts";

openCampus();

describe("the catalogue", () => {
  test("leads from the index to a page for each department, with every catalogued course in one of two kinds of markup", async () => {
    const index = await page(`${campus().urls.CATALOGUE_URL}allcourses/`);
    const links = index("#atozindex > ul > li > a").toArray();
    expect(links).toHaveLength(campus().world.departments.length);
    const kinds = { classic: 0, labelled: 0 };
    for (const link of links) {
      const $ = await page(new URL(index(link).attr("href") as string, campus().urls.CATALOGUE_URL));
      const code = /\(([^()]*)\)$/.exec($(".page-title").text())?.[1] as string;
      const blocks = $("#courseinventorycontainer > .courses > .courseblock").toArray();
      const printed = blocks.map((block) => {
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
      expect(printed.map(([name, title]) => [name, title])).toEqual(
        catalogued(code).map((course) => [`${courseName(course)}.`, `${course.title}.`]),
      );
      for (const [, , units] of printed) expect(units).toMatch(/^(\d*\.?\d+-)?\d*\.?\d+ Units?\.$/);
    }
    expect(kinds.classic).toBeGreaterThan(200);
    expect(kinds.labelled).toBeGreaterThan(200);
  });

  test("and the schedule each have courses that the other lacks", () => {
    const courses = campus().world.courses.flat();
    expect(courses.some((course) => course.offered && !course.catalogued)).toBe(true);
    expect(courses.some((course) => !course.offered && course.catalogued)).toBe(true);
  });

  test("has the odd course numbers and units", () => {
    const courses = campus().world.courses.flat();
    const numbers = courses.map(({ number }) => number);
    expect(numbers).toEqual(expect.arrayContaining(["H32", "M118L", "190W", "1A", "7LC", "C7"]));
    expect(courses.some(({ units }) => /^\d*\.\d/.test(units))).toBe(true);
    expect(courses.some(({ units }) => units.includes("-"))).toBe(true);
  });

  test("leads from the schools to faculty and inventories of every department", async () => {
    const schools = await page(`${campus().urls.CATALOGUE_URL}schoolsandprograms/`);
    const names = new Set<string>();
    const courses = new Set<string>();
    for (const link of schools("#textcontainer > h4 > a").toArray()) {
      const url = new URL(schools(link).attr("href") as string, campus().urls.CATALOGUE_URL);
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
    const people = campus()
      .world.people.flat()
      .filter(({ netid }) => netid !== undefined);
    expect([...names].toSorted()).toEqual(
      [...new Set(people.map((person) => fullName(person).normalize("NFC")))].toSorted(),
    );
    expect([...courses].toSorted()).toEqual(
      campus()
        .world.courses.flat()
        .filter((course) => course.catalogued)
        .map(courseName)
        .toSorted(),
    );
  });

  test("says Not Found with status 404", async () => {
    expect((await fetch(`${campus().urls.CATALOGUE_URL}allcourses/nowhere/`)).status).toBe(404);
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
    const list = await page(campus().urls.PREREQUISITES_URL);
    const codes = list('select[name="dept"] option')
      .toArray()
      .map((option) => list(option).attr("value"))
      .filter(Boolean);
    // Departments that have ended have no courses any more.
    expect(codes).toEqual(campus().world.departments.flatMap(({ code, ended }) => (ended ? [] : code)));
    let groups = 0;
    for (const code of codes as string[]) {
      const $ = await page(
        `${campus().urls.PREREQUISITES_URL}?${new URLSearchParams({ dept: code, action: "view_all" })}`,
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
