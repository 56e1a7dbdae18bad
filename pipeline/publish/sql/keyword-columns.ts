/** Columns whose names are keywords: DuckDB reports that a statement with such a name cannot be parsed, but not why. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier } from "../../contract/sql-text.ts";
import { TABLES } from "../../contract/tables.ts";
import { COLUMN_ALIASES } from "../../contract/views.ts";
import { COMMENT, QUOTED } from "./statement-text.ts";

/** The names that a column cannot have without quotes. */
const KEYWORDS = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'";

/** Comments, which count as blanks, and texts and quoted names, in which no word is a keyword. */
const UNREAD = new RegExp(`${QUOTED}|${COMMENT}`, "gi");

/** The name of a column where parsing failed, if it is a keyword: the failing word, or the word before. */
export function columnBefore(
  text: string,
  position: number | undefined,
  keywords: readonly string[],
): string | undefined {
  const bytes = Buffer.from(
    text.replaceAll(UNREAD, (token) => (/^(?:--|\/\*)/.test(token) ? " " : "'").repeat(Buffer.byteLength(token))),
  );
  const offset = position ?? bytes.length;
  const [here] = /^\w*/.exec(bytes.subarray(offset).toString()) ?? [];
  const [, previousWord] = /(\w+)\s*$/.exec(bytes.subarray(0, offset).toString()) ?? [];
  return [previousWord, here]
    .map((word) => word?.toLowerCase() ?? "")
    .find((word) => keywords.includes(word) && Object.values(TABLES).some(({ row }) => word in row.shape));
}

/** Explains how to write the column at which a statement failed; empty if it failed at something else. */
export async function keywordAdvice(
  connection: DuckDBConnection,
  text: string,
  position: string | undefined,
): Promise<string> {
  const keywords = (await connection.runAndReadAll(KEYWORDS)).getRowsJson().map(([keyword]) => String(keyword));
  const column = columnBefore(text, position === undefined ? undefined : Number(position), keywords);
  if (column === undefined) return "";
  const others = Object.entries(COLUMN_ALIASES).flatMap(([table, names]) =>
    names[column] === undefined ? [] : [`, or ${names[column]} in ${table}`],
  );
  return `: ${column} is a keyword of SQL; the column is written ${quoteIdentifier(column)}${others.join("")}`;
}
