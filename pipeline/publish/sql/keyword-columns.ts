/** Columns whose names are keywords: DuckDB says that a statement which names one cannot be parsed, not why. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier } from "../../contract/sql-text.ts";
import { TABLES } from "../../contract/tables.ts";
import { COLUMN_ALIASES } from "../../contract/views.ts";
import { COMMENT, QUOTED } from "./statement-text.ts";

/** What a column may not be called without quotes. */
const KEYWORDS = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'";

/** Comments, which count as blanks, and texts and quoted names, in which no word is a keyword. */
const UNREAD = new RegExp(`${QUOTED}|${COMMENT}`, "gi");

/** The name of a column where the text cannot be read any further, if it is a keyword: by itself, or the word before. */
export function columnBefore(
  text: string,
  position: number | undefined,
  keywords: readonly string[],
): string | undefined {
  const bytes = Buffer.from(
    text.replaceAll(UNREAD, (token) => (/^(?:--|\/\*)/.test(token) ? " " : "'").repeat(Buffer.byteLength(token))),
  );
  const at = position ?? bytes.length;
  const [here] = /^\w*/.exec(bytes.subarray(at).toString()) ?? [];
  const [, before] = /(\w+)\s*$/.exec(bytes.subarray(0, at).toString()) ?? [];
  return [before, here]
    .map((word) => word?.toLowerCase() ?? "")
    .find((word) => keywords.includes(word) && Object.values(TABLES).some(({ row }) => word in row.shape));
}

/** How to write the column that a statement failed at; nothing where it failed at something else. */
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
