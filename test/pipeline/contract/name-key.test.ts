/**
 * "People's names match regardless of case and diacritics everywhere" (pipeline/RULES.md, People): the same key in
 * TypeScript and in SQL.
 */
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { nameKey, nameKeySql, withoutDiacritics } from "../../../pipeline/contract/name-key.ts";

const connection = await (await DuckDBInstance.create(":memory:")).connect();

async function keysInSql(names: readonly string[]): Promise<unknown[]> {
  const reader = await connection.runAndReadAll(
    `SELECT ${nameKeySql("name")} FROM (SELECT unnest($1::JSON::VARCHAR[]) AS name)`,
    [JSON.stringify(names)],
  );
  return reader.getColumnsJS()[0] as unknown[];
}

describe("the key of a name", () => {
  it.each([
    ["MÜLLER, E.", "muller, e."],
    ["MU\u0308LLER, E.", "muller, e."],
    ["Müller, e.", "muller, e."],
    ["WEIẞ, G.", "weiss, g."],
    ["Weiß, G.", "weiss, g."],
    ["ŁĘCKA, Ø.", "lecka, o."],
    ["Đorđe Ægir Œuvre Þór", "dorde aegir oeuvre thor"],
    ["İNAN, I.", "inan, i."],
    ["Yıldız", "yildiz"],
    ["O’NEILL-GARCÍA, Ñ.", "o'neill-garcia, n."],
    ["VAN DER BERG, J.", "van der berg, j."],
    ["Nguyễn Thị Hoà", "nguyen thi hoa"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
    ["山田, 太", "山田, 太"],
    ["한글", "한글"],
    ["", ""],
  ])("%s", async (name, key) => {
    expect(nameKey(name)).toBe(key);
    expect(await keysInSql([name])).toEqual([key]);
  });

  it("is the same in SQL for every letter of Latin, Greek and Cyrillic, alone, doubled, decomposed and with a mark", async () => {
    const ranges = [
      [0x20, 0x7e],
      [0xa0, 0x52f],
      [0x1e00, 0x1fff],
      [0x2010, 0x2027],
    ] as const;
    const letters = ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)),
    );
    const names = letters.flatMap((letter) => [
      letter,
      `${letter}${letter}`,
      letter.normalize("NFD"),
      `x${letter}\u0301X`,
    ]);
    expect(names.length).toBeGreaterThan(6000);
    expect(await keysInSql(names)).toEqual(names.map(nameKey));
  });

  it("without diacritics the case stays", () => {
    expect(withoutDiacritics("Erik MÜLLER-Łoś WEIẞ Weiß ØRSTED Æbel")).toBe("Erik MULLER-Los WEISS Weiss ORSTED AEbel");
  });
});
