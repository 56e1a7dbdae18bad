import { expect, test } from "vitest";
import { asUsage, parserError } from "../../../pipeline/publish/sql/sql-error.ts";

const told = (exception_type: string, exception_message: string, position?: string) =>
  asUsage(
    () => Promise.reject(new Error(JSON.stringify({ exception_type, exception_message, position }))),
    "SELECT 1\nFROM nowhere",
  ).catch((error: Error) => error.message);

test.each([
  [
    "Type with name INET is not in the catalog, but it exists in the inet extension.\n\nPlease try installing and loading the inet extension by running:\nINSTALL inet;\nLOAD inet;\n\n",
    "Type with name INET is not in the catalog, but it exists in the inet extension.",
  ],
  [
    'Max expression depth limit of 1000 exceeded. Use "SET max_expression_depth TO x" to increase the maximum expression depth.',
    "Max expression depth limit of 1000 exceeded.",
  ],
  [
    "could not allocate block of size 256.0 KiB (380.0 MiB/381.4 MiB used)\n\nPossible solutions:\n* Reducing the number of threads (SET threads=X)\n* Increasing the memory limit (SET memory_limit='...GB')\n\nSee also https://duckdb.org/docs/stable/guides/performance/how_to_tune_workloads",
    "could not allocate block of size 256.0 KiB (380.0 MiB/381.4 MiB used)",
  ],
  [
    "Could not find key x. Did you mean y? You might need to add explicit type casts.",
    "Could not find key x. Did you mean y? You might need to add explicit type casts.",
  ],
])("an error advises nothing that is impossible here: %j", async (message, line) => {
  expect(await told("Catalog", message)).toBe(`Catalog Error: ${line}`);
});

test("what remains keeps its place in the statement", async () => {
  expect(await told("Binder", "No such column. Use SET x = 1.", "14")).toBe(
    "Binder Error: No such column. (line 2, column 6)",
  );
});

test("an error of another form is told as it is, in one line", async () => {
  const line = (thrown: unknown, text = "") =>
    asUsage(() => Promise.reject(thrown), text).catch((error: Error) => error.message);
  expect(await line(new Error("no  connection\n here"))).toBe("no connection here");
  expect(await line("a text")).toBe("a text");
  expect(await line(new Error('Failed to run: {"exception_type":"Binder","exception_message":"No such column"}'))).toBe(
    "Binder Error: No such column",
  );
  expect(await asUsage(() => Promise.resolve(7), "")).toBe(7);
});

test("a place is one of the user's own lines, counted in characters", async () => {
  const at = (position: number, headLines: number) => {
    const told = { exception_type: "Binder", exception_message: "No", position: String(position) };
    const failed = asUsage(() => Promise.reject(new Error(JSON.stringify(told))), "EXPLAIN\nSELECT 'é' x", headLines);
    return failed.catch((error: Error) => error.message);
  };
  expect(await at(20, 1)).toBe("Binder Error: No (line 1, column 12)");
  expect(await at(20, 0)).toBe("Binder Error: No (line 2, column 12)");
  expect(await at(2, 1)).toBe("Binder Error: No");
  // The position is at the end of the text.
  expect(await at(21, 1)).toBe("Binder Error: No");
});

test("what cannot be parsed says where, and what would help", () => {
  expect(parserError("syntax error", "2", "a b").message).toBe("Parser Error: syntax error (line 1, column 3)");
  expect(parserError("syntax error", undefined, "a b", ": write x").message).toBe(
    "Parser Error: syntax error: write x",
  );
});
