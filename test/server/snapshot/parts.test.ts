/** Snapshots whose files differ here and there share what is made of the others: each answers like a server that has loaded nothing before. */
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { isWhole } from "../../support/extent.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { askedAsOf, drawParts, QUESTIONS } from "../../support/worlds/drawn-parts.ts";

const PUBLICATIONS = isWhole ? 7 : 4;
const folder = await openFolder();
const opened: OpenedApp[] = [];
afterAll(async () => {
  for (const app of opened) await app.close();
  await folder.remove();
});
async function open(): Promise<OpenedApp> {
  const app = await openApp(folder.artifacts, undefined, { judgedEvery: 50 });
  opened.push(app);
  return app;
}

it("answers of snapshots that share parts are those of a server that loads everything afresh", async () => {
  const drawn = fc.sample(drawParts, { numRuns: PUBLICATIONS, seed: 11 });
  const snapshots: string[] = [];
  let shared: OpenedApp | undefined;
  for (const [i, rows] of drawn.entries()) {
    const { id } = await publishRows(folder.artifacts, rows, { now: new Date(Date.UTC(2025, 2, 1 + i)) });
    snapshots.push(id);
    shared ??= await open();
    await shared.update();
    const fresh = await open();
    for (const asOf of ["", ...snapshots.slice(-3)])
      for (const question of QUESTIONS) {
        const path = askedAsOf(question, asOf);
        const [answer, expected] = await Promise.all([shared, fresh].map((app) => app.get(path)));
        expect(await answer?.text(), path).toBe(await expected?.text());
        expect([answer?.status, answer?.headers.get("x-total-count")], path).toEqual([
          200,
          expected?.headers.get("x-total-count"),
        ]);
      }
  }
});
