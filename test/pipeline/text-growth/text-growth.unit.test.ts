/**
 * Every function that takes a text from outside takes time proportional to it, whatever is repeated in it, or refuses
 * it by name. The repeated strings are the words, blanks and signs of its samples, alone and alternating, anywhere in a
 * sample.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isWhole } from "../../support/extent.ts";
import { PARSERS } from "../parse/declared-parsers.ts";
import { CLIENT_READERS } from "./client-readers.ts";
import { growthOf, MOST_GROWTH, refusalOf, SIZE, textsOf } from "./growth.ts";
import { JOIN_READERS } from "./join-readers.ts";
import { NORMALIZE_READERS } from "./normalize-readers.ts";
import { PARSE_READERS } from "./parse-readers.ts";
import { PEOPLE_READERS } from "./people-readers.ts";
import { reads, type TextReader } from "./reader.ts";

const ROOT = fileURLToPath(new URL("../../../pipeline", import.meta.url));
const READERS = { ...PARSE_READERS, ...NORMALIZE_READERS, ...PEOPLE_READERS, ...JOIN_READERS };

test("every function of parse/ and normalize/ is declared: say in the readers' table how it is called with a text", async () => {
  const files = ["parse", "normalize"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const parsers = new Set(PARSERS.map(({ name }) => name));
  const exported = await Promise.all(
    files.map(async (file) => {
      const module = (await import(join(ROOT, file))) as Record<string, unknown>;
      const names = Object.keys(module).filter((name) => typeof module[name] === "function");
      return names.map((name) => `${file} ${name}`);
    }),
  );
  const declared = Object.entries(READERS).flatMap(([file, own]) => Object.keys(own).map((name) => `${file} ${name}`));
  const unknown = exported.flat().filter((name) => !declared.includes(name) && !parsers.has(name.split(" ")[1] ?? ""));
  expect(unknown).toEqual([]);
  expect(declared.filter((name) => !exported.flat().includes(name))).toEqual([]);
});

const readers: readonly (readonly [name: string, reader: TextReader])[] = [
  ...Object.values(READERS).flatMap((own) =>
    Object.entries(own).flatMap(([name, reader]) => (reader ? [[name, reader] as const] : [])),
  ),
  ...Object.entries(CLIENT_READERS),
  ...PARSERS.filter(({ structure }) => structure !== "bytes").map(
    ({ name, fixtures, read }) =>
      [name, reads((text) => read(Buffer.from(text)), ...Object.values(fixtures).map(String))] as const,
  ),
];

test.each(readers)("%s", async (name, reader) => {
  const texts = textsOf(reader, name);
  const slow: { growth: number; text: string }[] = [];
  let worst = 0;
  for (const textOf of texts) {
    if (!isWhole) await refusalOf(reader.read, textOf(SIZE));
    else {
      const growth = await growthOf(reader, textOf);
      worst = Math.max(worst, growth);
      if (growth > MOST_GROWTH) slow.push({ growth, text: textOf(60).slice(0, 400) });
    }
  }
  if (isWhole)
    process.stdout.write(`${JSON.stringify({ name, texts: texts.length, worst: Number(worst.toFixed(2)) })}\n`);
  expect(slow).toEqual([]);
});
