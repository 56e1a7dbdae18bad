import { expect, test } from "vitest";
import { onOneLine, splitStatements } from "../../../pipeline/publish/sql/statement-text.ts";

const trimmed = (text: string) => {
  const { statements, rest } = splitStatements(text);
  return [...statements.map((statement) => statement.trim()), `rest: ${rest.trim()}`];
};

test.each([
  ["select 1", ["rest: select 1"]],
  ["select 1; select 2;", ["select 1", "select 2", "rest: "]],
  [" ;; -- no statement;\n /* nor ; this */ ; /* */", ["rest: "]],
  ["select ';', \";\" -- ;\n; from t", ["select ';', \";\" -- ;", "rest: from t"]],
  ["select 'it''s;' /* ; */;", ["select 'it''s;' /* ; */", "rest: "]],
  ["select e'\\';' ; x", ["select e'\\';'", "rest: x"]],
  ["select $$;$$, $a$ $$;$a$; select $1;", ["select $$;$$, $a$ $$;$a$", "select $1", "rest: "]],
  ["select 'open; select 2;", ["rest: select 'open; select 2;"]],
  ["select 1 /* open; select 2;", ["rest: select 1 /* open; select 2;"]],
  ['select "open; select 2;', ['rest: select "open; select 2;']],
])("splits %j", (text, parts) => {
  expect(trimmed(text)).toEqual(parts);
});

test("a statement keeps its line and column", () => {
  const text = "select 'é';\n  select 2;select 3";
  const { statements, rest } = splitStatements(text);
  expect([...statements, rest]).toEqual(["select 'é'", "           \n  select 2", "           \n           select 3"]);
});

test.each([
  ["select 1\n  from t\n where x;", "select 1 from t where x;"],
  ["select 1 -- one\nfrom t;", "select 1 /* one*/ from t;"],
  ["select '--  a  b' as \"c  d\";", "select '--  a  b' as \"c  d\";"],
  ["select 'two\nlines';", undefined],
])("%j on one line", (text, line) => {
  expect(onOneLine(text)).toBe(line);
});
