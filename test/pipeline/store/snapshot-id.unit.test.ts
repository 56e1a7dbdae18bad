/** Which id a snapshot has that follows another one. */
import { expect, it } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { nextSnapshot } from "../../../pipeline/store/snapshot-id.ts";
import { fileOf } from "../../support/memory-generations.ts";

it("changed data that comes back has another id, when changes are recorded", async () => {
  const files = (grades: string, changes?: string): PublishedFile[] =>
    Object.entries({ grades, ...(changes === undefined ? {} : { changes }) }).map(([table, text]) =>
      fileOf(table, { year: "2024" }, text),
    );
  const step = (before: ReturnType<typeof nextSnapshot> & { files: PublishedFile[] }, next: PublishedFile[]) => ({
    ...nextSnapshot(before, next),
    files: next,
  });
  const first = { ...nextSnapshot(undefined, files("a")), files: files("a") };
  expect(first.changesBefore).toBeNull();
  const second = step(first, files("b", "1"));
  const third = step(second, files("a", "2"));
  const fourth = step(third, files("a", "2"));
  expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  expect([second.changesBefore, third.changesBefore]).toEqual([null, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(fourth.id).toBe(third.id);
  // All changes were lost before this run.
  const lost = nextSnapshot(third, files("a"), files("a"));
  expect(lost.id).not.toBe(third.id);
  expect(lost.changesBefore).not.toBeNull();
});
