/** Published files that are deleted under a running server: 503 for what needs them, and readiness says so, until data is published again. */
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { OBJECT_FOLDERS } from "../../../pipeline/store/layout.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { someOf } from "../../support/extent.ts";
import { serve } from "../../support/whole-run.ts";
import { openExplainWorld } from "../response/explain/explain-world.ts";
import { type Answer, ask } from "../http/wire.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function open(compat: string) {
  const folder = await openExplainWorld();
  closing.push(folder.remove);
  const { artifacts } = folder;
  const sections = ["2019", "2020", "2021", "2022", "2023"].map((year) => sectionRow({ year, quarter: "Fall" }));
  await publishRows(artifacts, { sections, headings: headingsOf(sections) });
  const server = await serve({ ...folder.env, COMPAT: compat });
  closing.push(server.close);
  const get = (path: string, headers: Record<string, string> = {}) => ask(server.url + path, { headers });
  const ready = async () => {
    const { status, text } = await get("/health/ready");
    const { status: word, missing, snapshot } = JSON.parse(text) as Record<string, unknown>;
    return { status, word, missing, snapshot };
  };
  // What they need is in memory then.
  for (const path of ["/v1/rest/search?q=dance", "/v1/rest/courses/all"])
    await expect.poll(async () => (await get(path)).status).toBe(200);
  return { artifacts, get, ready };
}

/** They need files that nothing has loaded. */
const FROM_FILES = [
  "/v1/rest/schedule?year=2019&quarter=Fall&department=DANCE",
  "/v1/rest/enrollmentHistory",
  "/v1/rest/enrollmentHistory?year=2024&quarter=Fall",
  "/v1/rest/enrollmentHistory?department=DANCE",
  "/v1/rest/changes",
  "/v1/rest/changes?format=atom",
  "/v1/rest/grades/raw?format=parquet",
  "/v1/rest/courses?department=DANCE&explain=true",
  "/v1/rest/changes?asOf=SNAPSHOT",
  "/v1/rest/enrollmentHistory?asOf=SNAPSHOT",
];
const FROM_MEMORY = [
  "/v1/rest/week?year=2024&month=10&day=5",
  "/v1/rest/courses/all",
  "/v1/rest/grades/aggregate?department=DANCE",
  "/v1/rest/search?q=dance",
  "/v1/snapshots",
  "/v1/data/manifest.json",
  "/status",
];

function expectUnavailable(path: string, { status, headers, text }: Answer): void {
  expect([path, status, headers["retry-after"]]).toEqual([path, 503, "30"]);
  expect(JSON.parse(text)).toMatchObject({
    statusCode: 503,
    error: "Service Unavailable",
    requestId: headers["x-request-id"],
    message: expect.stringMatching(/^Published files .*try again/) as string,
  });
  expect(text).not.toMatch(/\.parquet|IO Error|SELECT/);
}

describe.each(someOf(["1", "0"], 1))("COMPAT=%s", (compat) => {
  it("all objects", async () => {
    const { artifacts, get, ready } = await open(compat);
    const { word, missing, snapshot } = await ready();
    expect([word, missing]).toEqual(["ready", []]);
    const file = (
      JSON.parse((await get("/v1/data/manifest.json")).text) as { tables: { grades: { files: { url: string }[] } } }
    ).tables.grades.files[0]?.url;
    for (const name of OBJECT_FOLDERS) await rm(join(artifacts, name), { recursive: true, force: true });

    const paths = [...FROM_FILES.map((path) => path.replace("SNAPSHOT", String(snapshot))), String(file)];
    paths.push(String(file).replace(/[^/]+(?=\/grades\/)/, "current"));
    for (const path of paths) expectUnavailable(path, await get(path));
    expectUnavailable("events", await get("/v1/rest/changes?since=2024-01-01", { accept: "text/event-stream" }));
    for (const path of FROM_MEMORY) expect([path, (await get(path)).status]).toEqual([path, 200]);
    const state = await ready();
    expect(state).toMatchObject({ status: 503, word: "files missing", snapshot });
    expect(state.missing).toContain("sections");
    expect((await get("/ready")).status).toBe(503);
    expect((await get("/health/live")).status).toBe(200);
    expect((await get("/v1/rest/courses/NOBODY")).status).toBe(404);
    expect((await get("/v1/rest/courses?limit=0")).status).toBe(400);

    const sections = [sectionRow({ year: "2019", quarter: "Fall" }), sectionRow({ year: "2023", quarter: "Fall" })];
    // A run would fetch everything again, as the first one did.
    for (const name of ["current.json", "snapshots"]) await rm(join(artifacts, name), { recursive: true });
    await publishRows(artifacts, { sections, headings: headingsOf(sections), courses: [] });
    await expect.poll(async () => (await ready()).word).toBe("ready");
    expect((await ready()).snapshot).not.toBe(snapshot);
    expect((await get("/v1/rest/schedule?year=2019&quarter=Fall&department=DANCE")).status).toBe(200);
  });
});

it.each(someOf(["0", "1"], 1))(
  "some files only: what needs others is answered, and all is when they are back (COMPAT=%s)",
  async (compat) => {
    const { artifacts, get, ready } = await open(compat);
    const [table, aside] = [join(artifacts, "enrollment_periods"), join(artifacts, "aside")];
    await rename(table, aside);
    expectUnavailable("history", await get("/v1/rest/enrollmentHistory"));
    for (const path of ["/v1/rest/changes", "/v1/rest/schedule?year=2019&quarter=Fall&department=DANCE"])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect(await ready()).toMatchObject({ status: 503, word: "files missing", missing: ["enrollment_periods"] });
    await rename(aside, table);
    await expect.poll(async () => (await ready()).word).toBe("ready");
    expect((await get("/v1/rest/enrollmentHistory")).status).toBe(200);
  },
);

it("the pointer: everything is answered, but a restart would find no data", async () => {
  const { artifacts, get, ready } = await open("0");
  await rm(join(artifacts, "current.json"));
  for (const path of [...FROM_FILES.filter((one) => !one.includes("asOf")), ...FROM_MEMORY])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect(await ready()).toMatchObject({ status: 200, word: "degraded", missing: ["current.json"] });
});

it("everything: a publication into the empty folder is served", async () => {
  const { artifacts, get, ready } = await open("0");
  await rm(artifacts, { recursive: true });
  await mkdir(artifacts);
  expectUnavailable("schedule", await get("/v1/rest/schedule?year=2019&quarter=Fall&department=DANCE"));
  expect(await ready()).toMatchObject({ status: 503, word: "files missing" });
  const sections = [sectionRow({ year: "2019", quarter: "Fall" })];
  await publishRows(artifacts, { sections, headings: headingsOf(sections) });
  await expect.poll(async () => (await ready()).word).toBe("ready");
  expect((await get("/v1/rest/schedule?year=2019&quarter=Fall&department=DANCE")).status).toBe(200);
});
