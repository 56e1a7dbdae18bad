/** GET /calendar (server/RULES.md, Week): the terms with their dates, and the days of one term. */
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";

const days = (year: string) => ({
  ...{ instructionStart: `${year}-09-24`, instructionEnd: `${year}-12-04` },
  ...{ finalsStart: `${year}-12-05`, finalsEnd: `${year}-12-11` },
});
const UNKNOWN = { instructionStart: null, instructionEnd: null, finalsStart: null, finalsEnd: null };
const date = (event: string, firstDay: string | null, lastDay: string | null = firstDay) => ({
  ...{ event, kind: "holiday" as const },
  ...{ firstDay, lastDay },
});
const THANKSGIVING = date("Thanksgiving Holiday", "2026-11-26", "2026-11-27");
const VETERANS = date("Veterans' Day", "2026-11-11");
const ELECTION = date("An Election", "2026-11-11");
/** Bounds that are not known. */
const UNTIL = date("A Strike", null, "2026-10-02");
const FROM = date("A Flood", "2026-10-02", null);
const FALL_2026 = {
  ...{ year: "2026", quarter: "Fall", ...days("2026") },
  dates: [UNTIL, FROM, ELECTION, VETERANS, THANKSGIVING],
};

let folder: Awaited<ReturnType<typeof openFolder>>;
const apps: OpenedApp[] = [];
const open = async (compat = false) => {
  const app = await openApp(folder.artifacts, undefined, { compat });
  apps.push(app);
  return async <T>(path: string) => {
    const response = await app.get(path);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as T };
  };
};
let get: Awaited<ReturnType<typeof open>>;
let first = "";

beforeAll(async () => {
  folder = await openFolder();
  const calendar = [
    { year: "2026", quarter: "Fall" as const, ...days("2026") },
    { year: "2025", quarter: "Fall" as const, ...days("2025") },
  ];
  await publishRows(folder.artifacts, { calendar });
  get = await open();
  first = (await get("/calendar")).headers.get("x-data-snapshot") ?? "";
  await publishRows(folder.artifacts, {
    calendar: [{ year: "2026", quarter: "Summer2", ...days("2026") }, ...calendar],
    calendar_dates: [
      { year: "2026", quarter: "Fall", ...THANKSGIVING },
      { year: "2026", quarter: "Fall", ...VETERANS },
      { year: "2026", quarter: "Fall", ...ELECTION },
      { year: "2026", quarter: "Fall", ...FROM },
      { year: "2026", quarter: "Fall", ...UNTIL },
      { year: "2027", quarter: "Winter", ...date("Presidents' Day", "2027-02-15") },
    ],
  });
  await apps[0]?.update();
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await folder?.remove();
});

it("lists the terms newest first, each with all of its dates", async () => {
  const all = (await get<{ year: string; quarter: string }[]>("/calendar")).json();
  expect(all.map(({ year, quarter }) => `${year} ${quarter}`)).toEqual([
    "2027 Winter",
    "2026 Fall",
    "2026 Summer2",
    "2025 Fall",
  ]);
  expect(all.slice(0, 2)).toEqual([
    { year: "2027", quarter: "Winter", ...UNKNOWN, dates: [date("Presidents' Day", "2027-02-15")] },
    FALL_2026,
  ]);
  expect(all[3]).toEqual({ year: "2025", quarter: "Fall", ...days("2025"), dates: [] });
  expect((await get("/calendar?quarter=Fall&limit=1&offset=1")).json()).toEqual(all.slice(3));
  expect((await get("/calendar?year=1999")).json()).toEqual([]);
  expect((await get("/calendar?year=2026&quarter=ANY")).json()).toEqual(all.slice(1, 3));
});

it("with year and quarter it is the four days of that term, which limit and offset do not touch", async () => {
  for (const more of ["", "&limit=1&offset=1"]) {
    const { json, headers } = await get(`/calendar?year=2026&quarter=Fall${more}`);
    expect(json()).toEqual(days("2026"));
    expect([headers.get("x-total-count"), headers.get("link")]).toEqual([null, null]);
  }
  const csv = (await get("/calendar?year=2026&quarter=Fall&format=csv")).text;
  expect(parse(csv, { columns: true })).toEqual([{ ...FALL_2026, dates: JSON.stringify(FALL_2026.dates) }]);
  expect((await get("/calendar?year=2026&quarter=Fall&explain=true")).json()).toMatchObject({
    title: "Terms of the academic calendar, Fall 2026",
    rows: 1,
  });
});

it("a term without known days is a 404, in every form", async () => {
  for (const more of ["", "&format=csv", "&explain=true"])
    for (const term of ["year=1999&quarter=Fall", "year=2027&quarter=Winter"]) {
      const { status, json } = await get<{ message: string }>(`/calendar?${term}${more}`);
      expect([status, json().message]).toEqual([404, expect.stringMatching(/^The academic calendar has no \d{4} /)]);
    }
});

it("answers as of an earlier snapshot, and in an envelope with COMPAT=1", async () => {
  expect((await get(`/calendar?year=2026&quarter=Fall&asOf=${first}`)).json()).toEqual(days("2026"));
  expect((await get(`/calendar?year=2026&quarter=Summer2&asOf=${first}`)).status).toBe(404);
  expect((await get<object[]>(`/calendar?asOf=${first}`)).json()).toHaveLength(2);
  const compat = await open(true);
  expect((await compat("/calendar?year=2026&quarter=Fall")).json()).toMatchObject({
    payload: days("2026"),
    success: true,
  });
});
