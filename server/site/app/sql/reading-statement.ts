/** Checks statements before they run, and words errors, exactly as `make sql` does. */
import { tokenize } from "./sql-tokens.ts";

const ALLOWED = "SELECT, WITH, FROM, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN";
/** Words that begin other statements; what begins with none of them is DuckDB's to refuse. */
const OTHERS =
  /^(alter|analyze|attach|begin|call|checkpoint|commit|copy|create|delete|detach|drop|execute|export|import|insert|install|load|merge|pragma|prepare|reset|rollback|set|truncate|update|use|vacuum)$/;

/** Without the semicolon at its end. */
export const trimStatement = (text: string): string => text.trim().replace(/[\s;]+$/, "");

/** Why a text is not one statement that only reads; undefined when it is. */
export function statementProblem(text: string): string | undefined {
  const words = tokenize(trimStatement(text));
  const [first] = words;
  if (first === undefined) return "no SQL statement was given";
  if (words.includes(";")) return "one statement at a time, and only one that reads";
  // `with … as (…) insert into …`, `explain create …`
  const isOther = words.some(
    (word, i) => OTHERS.test(word) && (i === 0 || [")", "explain"].includes(words[i - 1] ?? "")),
  );
  return isOther ? `only statements that read are allowed: ${ALLOWED}` : undefined;
}

/** True for statements that tell about tables and read no rows. */
export const isAboutTables = (text: string): boolean => /^(describe|desc|show)\b/i.test(text);

/** DuckDB's own DESCRIBE leaves the descriptions out. `names`: of tables and views. */
export function withDescriptions(text: string, names: readonly string[]): string {
  const [, name] = /^desc(?:ribe)?\s+"?(\w+)"?$/i.exec(text) ?? [];
  const tableName = names.find((candidate) => candidate === name?.toLowerCase());
  return tableName === undefined
    ? text
    : `SELECT "column" AS column_name, "type" AS column_type, description FROM columns WHERE "table" = '${tableName}'`;
}

/** Describes an error in one line, with its place in the statement. */
export const oneLine = (message: string, statement: string): string =>
  message
    .replace(/\n\s*LINE (\d+): (.*)\n( *)\^[^]*$/, (_, line: string, drawn: string, blank: string) =>
      placeOf(statement, Number(line), drawn, blank.length - `LINE ${line}: `.length),
    )
    .replaceAll(/\s+/g, " ")
    .trim();

/** DuckDB draws the line, cut on both sides if it is long, and an arrow below the place. */
function placeOf(statement: string, line: number, drawn: string, arrow: number): string {
  const [, cut = "", part = ""] = /^((?:\.{3})?)(.*?)(?:\.{3})?$/.exec(drawn) ?? [];
  const column = (statement.split("\n")[line - 1] ?? "").indexOf(part);
  return column < 0 ? "" : ` (line ${line}, column ${column + arrow - cut.length + 1})`;
}
