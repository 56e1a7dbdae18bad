/** A statement that fails at a column whose name is a keyword says how the column is written. */
import { expect, test } from "vitest";
import { columnBefore } from "../../../pipeline/publish/sql/keyword-columns.ts";

const KEYWORDS = ["at", "select", "order", "from"];
/** `|` is where DuckDB cannot go on; at the end of the text it does not say. */
const before = (marked: string) => {
  const position = marked.indexOf("|");
  const text = marked.replace("|", "");
  return columnBefore(
    text,
    position === text.length ? undefined : Buffer.from(text.slice(0, position)).length,
    KEYWORDS,
  );
};

test.each([
  "SELECT min(at|) FROM changes",
  "SELECT AT |FROM changes",
  "SELECT 'é', max(year), at\n|from changes",
  "FROM changes WHERE |at > now()",
  "FROM changes ORDER BY at|",
])("%s", (statement) => expect(before(statement)).toBe("at"));

test.each(["SELECT 'at' |FROM", "SELECT order |FROM changes", "SELECT year |FROM changes", "|", "FROM flat |x"])(
  "not %s",
  (statement) => expect(before(statement)).toBeUndefined(),
);
