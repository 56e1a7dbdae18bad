/** A refresh that finds the same pages publishes nothing new, and says what it kept as the first one did. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openFolder, run } from "../support/whole-run.ts";
import { OCTOBER, openSmallCampus } from "../support/upstream/small-campus.ts";

const HOUR_MS = 3_600_000;
let now = OCTOBER;
let campus: Awaited<ReturnType<typeof openSmallCampus>>;
let folder: Awaited<ReturnType<typeof openFolder>>;

beforeAll(async () => {
  campus = await openSmallCampus(["2019 Winter", "2019 Fall"], () => now);
  folder = await openFolder();
});
afterEach(() => void (now = OCTOBER));
afterAll(async () => {
  await campus.close();
  await folder.remove();
});

const refresh = (hours: number) => {
  now = new Date(OCTOBER.getTime() + hours * HOUR_MS);
  return run({ ...folder.env, ...campus.urls() }, "refresh", () => now);
};

it("unchanged pages: the snapshot stays, and so does the landing of terms that go on; changed ones are published", async () => {
  await refresh(0);
  const first = await refresh(1);
  // Within the same hour on campus.
  const second = await refresh(1.5);
  expect(second).toMatchObject({ failed: false, changed: false, snapshot: first.snapshot });
  const schedule = ({ products }: typeof first) => products.find(({ product }) => product === "schedule");
  expect(schedule(second)).toMatchObject({ status: "published", kept: schedule(first)?.kept });
  expect(await readdir(join(folder.data, "landing/schedule"))).toEqual(["2019-Fall.published"]);
  expect(await refresh(24 * 7)).toMatchObject({ failed: false, changed: true });
});
