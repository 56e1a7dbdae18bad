/** How functions that take a client's text are called: statements of SQL, and what is searched for. */
import { nameValues } from "../../../pipeline/publish/sql/pivot-values.ts";
import { splitStatements } from "../../../pipeline/publish/sql/statement-text.ts";
import { parseSearchQuery } from "../../../server/search/search-query.ts";
import { toWords } from "../../../server/search/words.ts";
import { reads, type TextReader } from "./reader.ts";

const STATEMENTS = [
  "with a as (pivot t on x.pivot, y in (select 1)) from t -- all\n",
  "select 'it''s', e'\\'', $a$ b $a$ /* c */;",
];

export const CLIENT_READERS: Readonly<Record<string, TextReader>> = {
  nameValues: reads(nameValues, ...STATEMENTS, "pivot t on a, "),
  splitStatements: reads(splitStatements, ...STATEMENTS),
  parseSearchQuery: reads(
    (text) => parseSearchQuery(text, new Map([["i c sci", [{ code: "I&C SCI", rank: 0 }]]])),
    "i&c sci 46, calculus ii: Vane, A.",
  ),
  toWords: reads(toWords, "Gender & Sexuality, “É”"),
};
