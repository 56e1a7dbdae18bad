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

it("a course that the grades have and the catalogue does not has its page, and only such a one", async () => {
  const asked: string[] = [];
  const row = { department: "MATH", courseNumber: "H3D" };
  const ask = (path: string) => {
    asked.push(path);
    return Promise.resolve(path.startsWith("/grades/raw?department=MATH&courseNumber=H3D") ? [row] : undefined);
  };
  expect(await titleOf("/courses/MATHH3D", ask)).toMatchObject({ title: "MATH H3D · Academic Data", status: 200 });
  expect(await titleOf("/courses/MATH4D", ask)).toMatchObject({ status: 404 });
  expect(await titleOf("/courses/nothing", ask)).toMatchObject({ status: 404 });
  expect(asked.length).toBeLessThan(12);
});
