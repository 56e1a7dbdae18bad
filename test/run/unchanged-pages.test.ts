/** A refresh parses a page again only when the page, the listing or the program has changed; what is published is the same either way. */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openFolder, run } from "../support/whole-run.ts";
import { HARMS } from "../support/published/damaged-base.ts";
import { OCTOBER, openSmallCampus } from "../support/upstream/small-campus.ts";

const TERM = "2019-Fall";
const HOUR_MS = 3_600_000;
let now = OCTOBER;
let campus: Awaited<ReturnType<typeof openSmallCampus>>;
const folders: Awaited<ReturnType<typeof openFolder>>[] = [];

beforeAll(async () => {
  campus = await openSmallCampus(["2019 Winter", "2019 Fall"], () => now);
});
afterEach(async () => {
  now = OCTOBER;
  for (const folder of folders.splice(0)) await folder.remove();
});
afterAll(() => campus.close());

async function place() {
  const folder = await openFolder();
  folders.push(folder);
  const pages = join(folder.data, "landing/schedule-published");
  const refresh = (hours: number) => {
    now = new Date(OCTOBER.getTime() + hours * HOUR_MS);
    return run({ ...folder.env, ...campus.urls() }, "refresh", () => now);
  };
  /** The kept files of departments by inode: a file that was linked is the same one. A search for a GE category is split here. */
  const inodes = async () => {
    const names = (await readdir(join(pages, TERM))).filter((name) => /^department-.*\.parquet$/.test(name));
    return new Map(
      await Promise.all(names.map(async (name) => [name, (await stat(join(pages, TERM, name))).ino] as const)),
    );
  };
  return { folder, pages, refresh, inodes };
}

it("an unchanged page: its rows are those of the last crawl, and the snapshot stays", async () => {
  const { refresh, inodes, folder, pages } = await place();
  await refresh(0);
  const first = await refresh(1);
  const before = await inodes();
  expect(before.size).toBeGreaterThan(3);
  const second = await refresh(2);
  expect(second).toMatchObject({ failed: false, changed: false, snapshot: first.snapshot });
  const after = await inodes();
  for (const [name, inode] of before) expect([name, after.get(name)]).toEqual([name, inode]);
  expect(second.products.find(({ product }) => product === "schedule")?.kept).toBe(
    first.products.find(({ product }) => product === "schedule")?.kept,
  );
  // A term that is over is not kept.
  expect(await readdir(pages)).toEqual([TERM]);
  expect(await readdir(join(folder.data, "landing/schedule"))).toEqual([]);
});

it("changed pages are published as a run publishes them that has no older pages", async () => {
  const warm = await place();
  await warm.refresh(0);
  await warm.refresh(1);
  const before = await warm.inodes();
  const report = await warm.refresh(24 * 7);
  expect(report).toMatchObject({ failed: false, changed: true });
  const after = await warm.inodes();
  const changed = [...before].filter(([name, inode]) => after.get(name) !== inode);
  expect(changed.length).toBeGreaterThan(0);

  const cold = await place();
  await cold.refresh(0);
  await cold.refresh(1);
  await rm(cold.pages, { recursive: true });
  expect((await cold.refresh(24 * 7)).snapshot).toBe(report.snapshot);
});

it.each([
  ["is damaged", (index: string) => writeFile(index, "{")],
  [
    "is of another program",
    async (index: string) => {
      const pages = JSON.parse(await readFile(index, "utf8")) as { made: string };
      await writeFile(index, JSON.stringify({ ...pages, made: "another" }));
    },
  ],
  [
    "names files that are gone",
    async (index: string) => {
      const folder = join(index, "..");
      for (const name of await readdir(folder)) if (name !== "pages.json") await rm(join(folder, name));
    },
  ],
  [
    "names damaged files",
    async (index: string) => {
      const folder = join(index, "..");
      for (const name of await readdir(folder)) if (name.endsWith(".parquet")) HARMS["flipped"]?.(join(folder, name));
    },
  ],
])("an index that %s: every page is parsed", async (_what, harm) => {
  const { refresh, inodes, pages } = await place();
  await refresh(0);
  const first = await refresh(1);
  const before = await inodes();
  await harm(join(pages, TERM, "pages.json"));
  expect(await refresh(2)).toMatchObject({ failed: false, snapshot: first.snapshot });
  const after = await inodes();
  for (const [name, inode] of before) expect(after.get(name)).not.toBe(inode);
});
