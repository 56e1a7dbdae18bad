/** Random requests to every endpoint: the statement that explains a response gives its rows, in `make sql`. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { runSql } from "../../../../pipeline/publish/sql/sql-shell.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { type Asked, eachAlone, openExplainWorld, requestTo } from "./explain-world.ts";
import { COMPARISONS, type Explained } from "./same-rows.ts";

const RUNS = 4;

let folder: Awaited<ReturnType<typeof openExplainWorld>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openExplainWorld();
  app = await openApp(folder.artifacts);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

async function rowsOf(statement: string): Promise<Record<string, unknown>[]> {
  let text = "";
  for await (const part of runSql(folder.artifacts, statement, "json", { tempFolder: folder.data })) text += part;
  return JSON.parse(text) as Record<string, unknown>[];
}

/** How many rows agreed. */
async function compare({ path, address }: Asked): Promise<number> {
  const [response, explanation] = await Promise.all([app.get(address), app.get(`${address}&explain=true`)]);
  expect([response.status, explanation.status], address).toEqual([200, 200]);
  const explained = (await explanation.json()) as Explained;
  const rows = await rowsOf(explained.sql);
  expect(explained.rows, explained.sql).toBe(rows.length);
  COMPARISONS[path]?.(rows, (await response.json()) as never, explained, address);
  return rows.length;
}

describe("the statement of an explanation", () => {
  it("gives the rows of the response, for each filter of each endpoint", async () => {
    const found: Record<string, number> = {};
    for (const request of eachAlone) {
      const [asked] = fc.sample(request, { numRuns: 1, seed: 9 }) as [Asked];
      found[asked.path] = (found[asked.path] ?? 0) + (await compare(asked));
    }
    // Responses without rows prove little.
    expect(Object.entries(found).filter(([, rows]) => rows === 0)).toEqual([]);
  });

  it.each(endpoints.map(({ path }) => path))(`gives the rows of ${RUNS} random requests to %s`, async (path) => {
    await fc.assert(
      fc.asyncProperty(requestTo(path), async (asked) => void (await compare(asked))),
      { numRuns: RUNS },
    );
  });
});
