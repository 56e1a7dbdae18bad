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
