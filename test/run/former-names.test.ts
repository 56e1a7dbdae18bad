/**
 * Former names from the registrar's pages through whole runs to the server, also when the pages fail or no longer print
 * them.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { System } from "../../pipeline/settings/pipeline.ts";
import { openSmallCampus, OCTOBER } from "../support/upstream/small-campus.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";

let campus: Awaited<ReturnType<typeof openSmallCampus>>;
let folder: Awaited<ReturnType<typeof openFolder>>;
let page = "";

beforeAll(async () => {
  campus = await openSmallCampus(["2019 Fall"]);
  folder = await openFolder();
  page = join(folder.artifacts, "..", "prerequisites.html");
});
afterAll(async () => {
  await campus?.close();
  await folder?.remove();
});

const print = (rows: readonly (readonly [course: string, requirement: string])[]) =>
  writeFile(
    page,
    `<html><body><table>${rows.map(([course, requirement]) => `<tr><td>${course.replaceAll("&", "&amp;")}</td><td>T</td><td>${requirement.replaceAll("&", "&amp;")}</td></tr>`).join("")}</table></body></html>`,
  );

async function build(prerequisites: string, only: readonly System[] = ["catalogue"]) {
  const report = await run(
    { ...folder.env, ...campus.urls({ only }), PREREQUISITES_URL: prerequisites },
    "build",
    () => OCTOBER,
  );
  return report.products.find(({ product }) => product === "catalogue");
}

async function served<T>(read: (get: (path: string) => Promise<Response>) => Promise<T>): Promise<T> {
  const server = await serve(folder.env);
  try {
    return await read((path) => server.get(path));
  } finally {
    await server.close();
  }
}

it("are answered, searched and joined; they stay when the pages fail and when they are printed no more", async () => {
  await print([["NOBODY 1 * NOBODY 2", "MATH 2A"]]);
  const first = await build(page, ["schedule", "catalogue"]);
  expect(first?.dropped).toContainEqual({
    reason: "a requirement of a course that the catalogue does not have",
    count: 1,
    names: ["NOBODY 1 * NOBODY 2: MATH 2A"],
  });
  const names = await served(async (get) => {
    const courses = (await (await get("/courses?limit=3")).json()) as { department: string; courseNumber: string }[];
    return courses.map(({ department, courseNumber }) => `${department} ${courseNumber}`);
  });
  const [renamed = "", asking = "", kept = ""] = names;
  const idOf = (name: string) => name.replaceAll(" ", "");

  await print([
    [`${renamed}<br>* OLDDEP\u00a043\n since F17`, "MATH 2A"],
    [asking, "( OLDDEP 43 ( min grade = C ) OR MATH 2B )"],
    // The catalogue has only the former name.
    [`NEWDEP 7 * ${kept} since W19`, "MATH 2B"],
  ]);
  await build(page);
  const check = async (get: (path: string) => Promise<Response>) => {
    const old = await get("/courses/OLDDEP43");
    expect([old.status, old.headers.get("content-location")]).toEqual([
      200,
      `/v1/rest/courses/${encodeURIComponent(idOf(renamed))}`,
    ]);
    expect(await old.json()).toMatchObject({
      id: idOf(renamed),
      prerequisiteText: "MATH 2A",
      prerequisiteFor: [asking],
    });
    const newer = (await (await get("/courses/newdep%207")).json()) as object;
    expect(newer).toMatchObject({ id: idOf(kept), prerequisiteText: "MATH 2B" });
    const [hit] = (await (await get("/search?q=olddep43")).json()) as { id: string }[];
    expect(hit?.id).toBe(idOf(renamed));
  };
  await served(check);

  const failing = await build("http://127.0.0.1:9/");
  expect(failing?.damaged.join()).toContain("prerequisites");
  await served(check);

  await print([
    [renamed, "MATH 2A"],
    [asking, "( OLDDEP 43 ( min grade = C ) OR MATH 2B )"],
    [kept, "MATH 2B"],
  ]);
  const later = await build(page);
  expect(later?.noted).toContainEqual({
    reason: "a former name that the registrar no longer prints stays",
    count: 3,
    names: ["NOBODY1 * NOBODY2", `${idOf(renamed)} * OLDDEP43`, `NEWDEP7 * ${idOf(kept)}`].toSorted(),
  });
  await served(check);
});
