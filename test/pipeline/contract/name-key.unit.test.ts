/** The key of a person's name; that SQL makes the same one is tested beside a database. */
import { expect, it } from "vitest";
import { nameKey, nameKeySql, withoutDiacritics } from "../../../pipeline/contract/name-key.ts";

it("is without case and diacritics, and letters that are none of Latin stay", () => {
  const keys = { "MÜLLER, E.": "muller, e.", "Weiß ŁĄŞ": "weiss las", ΟΔΥΣΣΕΥΣ: "οδυσσευσ", 山田: "山田", "": "" };
  expect(Object.keys(keys).map(nameKey)).toEqual(Object.values(keys));
  expect(nameKey("O‘NEILL’S–GARCÍA")).toBe("o'neill's-garcia");
});

it("without diacritics the case stays", () => {
  expect(withoutDiacritics("Łoś WEIẞ Weiß ØRSTED Æbel Ægir İ")).toBe("Los WEISS Weiss ORSTED AEbel AEgir I");
  expect(withoutDiacritics("Plain, P.")).toBe("Plain, P.");
});

it("in SQL every special letter is replaced, those that become two letters one by one", () => {
  const text = nameKeySql("name");
  expect(text).toMatch(/^CASE WHEN .*name.* END$/);
  for (const [letter, plain] of [
    ["ß", "ss"],
    ["æ", "ae"],
    ["œ", "oe"],
    ["þ", "th"],
  ])
    expect(text).toContain(`'${letter}', '${plain}')`);
  const [, letters = "", plains = ""] =
    /strip_accents\(name\)\), '([^']*)', '((?:[^']|'')*)'\)/
      .exec(text)
      ?.map((literal) => literal.replaceAll("''", "'")) ?? [];
  // Each letter is beside its replacement.
  expect(letters).toContain("ø");
  expect([...letters].map(nameKey).join("")).toBe(plains);
  expect(text.split("replace(")).toHaveLength(5);
});
