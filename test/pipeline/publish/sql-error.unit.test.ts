import { expect, test } from "vitest";
import { asUsage } from "../../../pipeline/publish/sql/sql-error.ts";

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
