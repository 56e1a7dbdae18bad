/**
 * The grade exports that an hourly run fetches, and those that it reads (pipeline/RULES.md, Runs: "new or changed grade
 * exports").
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHourlyCampus } from "../support/upstream/hourly-campus.ts";
import { FALL, later, NEXT_FALL, SUMMER, WINTER } from "../support/worlds/small-world.ts";
import { isOf, type Row, type WorldGrade } from "../support/worlds/world.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";

const SYSTEMS = ["SCHEDULE_URL", "RECORDS_URL", "CALENDAR_URL"];

describe("grade exports of an hourly run", () => {
  const { world, upstream, folder, urls, refresh, exportsAsked } = openHourlyCampus(SYSTEMS);
  const gradesOf = (report: Awaited<ReturnType<typeof run>>) =>
    report.products.find(({ product }) => product === "grades");

  it("unchanged ones are requested with their tags and not read again, also when the schedule moved on", async () => {
    const sections = world().sections.map((row) =>
      isOf(NEXT_FALL)(row) ? { ...row, totalEnrolled: `${Number(row.totalEnrolled) + 1}` } : row,
    );
    upstream().setWorld({ ...world(), sections });
    const report = await refresh({ hours: 1 });
    expect(report.changed).toBe(true);
    expect(exportsAsked(304)).toHaveLength(3);
    expect(exportsAsked(200)).toEqual([]);
    expect(gradesOf(report)).toMatchObject({ read: 0, kept: 0, status: "published" });
  });

  it("one that changed is fetched, alone, and its rows are published", async () => {
    const change = (row: WorldGrade) => (isOf(SUMMER)(row) ? { ...row, gradeACount: 321 } : row);
    upstream().setWorld({ ...world(), grades: world().grades.map(change) });
    const report = await refresh({ hours: 1 });
    expect(report.changed).toBe(true);
    expect(exportsAsked(200)).toEqual([expect.stringMatching(/Summer/)]);
    expect(exportsAsked(304)).toHaveLength(2);
    const server = await serve(folder().env);
    try {
      const rows = await server.json<Row[]>("/grades/raw?quarter=Summer1");
      expect(rows.map((row) => row["gradeACount"])).toEqual(
        world()
          .grades.filter(isOf(SUMMER))
          .map(() => 321),
      );
      expect(await server.json<Row[]>("/grades/raw")).toHaveLength(world().grades.length);
    } finally {
      await server.close();
    }
    await refresh({ hours: 2 });
    expect(exportsAsked(304)).toHaveLength(3);
  });

  it("a new one is published beside the others", async () => {
    const known = world().grades.filter((row) => !isOf(WINTER)(row));
    const own = await openFolder();
    const { RECORDS_URL = "", SCHEDULE_URL = "" } = urls();
    const env = { ...own.env, RECORDS_URL, SCHEDULE_URL };
    try {
      upstream().setWorld({ ...world(), grades: known });
      await run(env, "build", later({}));
      upstream().setWorld(world());
      upstream().reset();
      const report = await run(env, "refresh", later({ hours: 1 }));
      expect([report.changed, report.failed]).toEqual([true, false]);
      expect(exportsAsked(200)).toEqual([expect.stringMatching(/Winter/)]);
      expect(exportsAsked(304)).toHaveLength(2);
      expect(gradesOf(report)?.kept).toBe(world().grades.length);
    } finally {
      await own.remove();
    }
  });

  it("the sections of a graded term changed: its rows are joined anew, without fetching", async () => {
    const newcomer = (code: string) => [`NEWCOMER, ${"NOP"[Number(code) % 3]}.`];
    const sections = world().sections.map((row) =>
      isOf(FALL)(row) ? { ...row, instructors: newcomer(row.sectionCode) } : row,
    );
    upstream().setWorld({ ...world(), sections });
    await refresh({ hours: 1 });
    expect(exportsAsked(200)).toEqual([]);
    const server = await serve(folder().env);
    try {
      const rows = await server.json<Row[]>("/grades/raw?year=2019&quarter=Fall");
      expect(rows.map((row) => row["instructors"])).toEqual(rows.map((row) => newcomer(String(row["sectionCode"]))));
    } finally {
      await server.close();
    }
  });

  it("a withdrawn one stays, whatever is lost but its copy; without a copy it is named, with status 1", async () => {
    upstream().setWorld({ ...world(), grades: world().grades.filter((row) => !isOf(WINTER)(row)) });
    const kept = join(folder().data, "exports/office");
    await writeFile(join(kept, "exports.json"), "{");
    await rm(folder().artifacts, { recursive: true });
    const restored = await refresh({ hours: 1 });
    expect([restored.failed, gradesOf(restored)?.kept]).toEqual([false, world().grades.length]);
    for (const lost of [kept, folder().artifacts]) await rm(lost, { recursive: true });
    const report = await refresh({ hours: 2 });
    expect(report.failed).toBe(true);
    expect(gradesOf(report)?.damaged).toEqual([
      expect.stringMatching(/Winter.*the kept copy is gone: its rows are lost/),
    ]);
  });

  it("without tags, from a folder, the hash tells; a dropped file is read as soon as it is there", async () => {
    const office = join(folder().data, "office");
    await mkdir(office, { recursive: true });
    const index = upstream().urls["RECORDS_URL"] as string;
    const names = [
      ...(await (await fetch(index)).text()).matchAll(/href="(?:\/records\/)?([^"]+\.(?:csv|xlsx))"/g),
    ].map(([, name]) => decodeURIComponent(name as string));
    const bytesOf = async (name: string) => Buffer.from(await (await fetch(new URL(name, index))).arrayBuffer());
    for (const name of names.slice(1)) await writeFile(join(office, name), await bytesOf(name));
    const env = { RECORDS_URL: office, ALLOW_SHRINK: "1" };
    await rm(join(folder().data, "exports/office"), { recursive: true });
    expect(gradesOf(await refresh({ hours: 1 }, env))?.read).toBeGreaterThan(0);
    expect(gradesOf(await refresh({ hours: 2 }, env))?.read).toBe(0);
    await mkdir(join(folder().data, "grades"), { recursive: true });
    await writeFile(join(folder().data, "grades", names[0] as string), await bytesOf(names[0] as string));
    const report = await refresh({ hours: 3 }, env);
    expect([report.failed, gradesOf(report)?.kept]).toEqual([false, world().grades.length]);
  });
});
