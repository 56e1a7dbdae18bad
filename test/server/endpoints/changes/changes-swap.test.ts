/** Publishes while clients read: no snapshot is seen without its changes, and none of them twice. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import { changeRow, publishChanges } from "../../../support/published/published-changes.ts";
import { isWhole } from "../../../support/extent.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";

const PUBLISHES = isWhole ? 12 : 4;
const READERS = 2;
/** Readers share the event loop with the publisher. */
const PAUSE_MS = 20;

const folder = await openFolder();
afterAll(() => folder.remove());

it("every response has exactly the changes up to its snapshot", async () => {
  const known = new Map<string, number>();
  let all: Change[] = [];
  const publish = async (n: number) => {
    const at = new Date(Date.UTC(2026, 2, 1) + n * 3_600_000).toISOString();
    const drafts = ["10000", "10010", "10020"].map((sectionCode) => changeRow({ at, sectionCode, after: String(n) }));
    const { id, all: published } = await publishChanges(folder.artifacts, all, n === 0 ? [] : drafts);
    all = published;
    known.set(id, published.length);
  };
  await publish(0);
  const server = await serve(folder.env);
  const seen: { snapshot: string; changes: Change[] }[] = [];
  let isOver = false;
  const read = async () => {
    while (!isOver) {
      const response = await fetch(`${server.url}/v1/rest/changes`);
      expect(response.status).toBe(200);
      const snapshot = response.headers.get("x-data-snapshot") ?? "";
      seen.push({ snapshot, changes: (await response.json()) as Change[] });
      await sleep(PAUSE_MS);
    }
  };
  const readers = Array.from({ length: READERS }, read);
  try {
    for (let n = 1; n <= PUBLISHES; n++) await publish(n);
    const newest = [...known.keys()].at(-1);
    await expect.poll(() => seen.at(-1)?.snapshot, { timeout: 30_000 }).toBe(newest);
  } finally {
    isOver = true;
    await Promise.all(readers);
    await server.close();
  }
  expect(new Set(seen.map(({ snapshot }) => snapshot)).size).toBeGreaterThan(PUBLISHES / 4);
  for (const { snapshot, changes } of seen) {
    const count = known.get(snapshot);
    expect(changes).toHaveLength(count ?? -1);
    if (changes.length > 0) expect(changes.at(-1)?.snapshot).toBe(snapshot);
    expect(new Set(changes.map(({ at, sectionCode, field }) => `${at} ${sectionCode} ${field}`)).size).toBe(count);
  }
});
