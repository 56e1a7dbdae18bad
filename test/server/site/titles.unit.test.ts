/** Titles of pages are plain text, which cannot isolate controls of writing direction. */
import { expect, it } from "vitest";
import { titleOf } from "../../../server/site/titles.ts";

const controls = ["\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"].concat([
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
]);

it.each([
  ["/instructors/rlo", { name: "Robin", title: "Reader", department: "Dance" }, "Robin · Academic Data"],
  [
    "/courses/DANCE10",
    { department: "DANCE", courseNumber: "10", title: "Movement", description: "Steps" },
    "DANCE 10 · Movement",
  ],
])("%s has none of them, wherever they stand in the data", async (path, fields, title) => {
  for (const control of controls) {
    const written = Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [name, `${control}${text.slice(0, 2)}${control}${text.slice(2)}`]),
    );
    const plain = await titleOf(path, () => Promise.resolve(fields));
    expect(await titleOf(path, () => Promise.resolve(written))).toEqual(plain);
    expect(plain.title).toContain(title);
  }
});

const TERMS = ["2025 Winter", "2024 Fall", "2024 Spring"];
const scheduled = (...sections: object[]) => ({
  schools: [
    {
      departments: [
        { deptCode: "MATH", courses: [{ deptCode: "MATH", courseNumber: "H3D", courseTitle: "HONORS", sections }] },
      ],
    },
  ],
});
const isOf = (path: string, list: string, fields: Readonly<Record<string, string>>) => {
  const [asked, query] = path.split("?");
  const wanted = new URLSearchParams(query);
  return asked === list && Object.entries(fields).every(([name, value]) => wanted.get(name) === value);
};

/** What the catalogue and the directory do not have, and where it stands alone. */
it.each([
  ["/courses/MATHH3D", "/grades/raw", { department: "MATH", courseNumber: "H3D" }, "MATH H3D · Academic Data"],
  ["/courses/MATHH3D", "/enrollmentHistory", { department: "MATH", courseNumber: "H3D" }, "MATH H3D · Academic Data"],
  ["/courses/MATHH3D", "/schedule", { courseNumber: "H3D", quarter: "Winter" }, "MATH H3D · HONORS · Academic Data"],
  ["/courses/MATHH3D", "/schedule", { courseNumber: "H3D", quarter: "Spring" }, "MATH H3D · HONORS · Academic Data"],
  ["/departments/MATH", "/schedule", { department: "MATH", quarter: "Fall" }, "MATH · Academic Data"],
  ["/instructors/BEE%2C%20A.", "/grades/options", { instructor: "BEE, A." }, "BEE, A. · Academic Data"],
  ["/instructors/BEE%2C%20A.", "/schedule", { instructorName: "BEE, A.", year: "2024" }, "BEE, A. · Academic Data"],
])("%s is a page when only %s with %o has it, and another name is none", async (path, list, fields, title) => {
  const asked: string[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    "/schedule": scheduled({ instructors: ["BEE, A."] }),
    "/grades/options": { years: ["2024"] },
  };
  const row = { department: "MATH", courseNumber: "H3D", year: "2019", quarter: "Fall" };
  const ask = (one: string) => {
    asked.push(one);
    return Promise.resolve(isOf(one, list, fields) ? (answers[list] ?? [row]) : undefined);
  };
  expect(await titleOf(path, ask, TERMS)).toMatchObject({ title, status: 200 });
  for (const other of ["/courses/PHYS4D", "/courses/nothing", "/departments/MATE", "/instructors/BEE%2C%20B."])
    expect([other, (await titleOf(other, ask, TERMS)).status]).toEqual([other, 404]);
  // Whatever the address, and however many terms are published.
  asked.length = 0;
  await titleOf(
    "/courses/MATHH9",
    ask,
    Array.from({ length: 90 }, (_, i) => `${1950 + i} Fall`),
  );
  expect(asked.length).toBeLessThan(24);
});

it("a description is cut to what a preview shows", async () => {
  const course = { department: "DANCE", courseNumber: "10", title: "Movement", description: "Steps. ".repeat(100) };
  const { description } = await titleOf("/courses/DANCE10", () => Promise.resolve(course));
  expect([description.length, description.at(-1)]).toEqual([200, "…"]);
});
