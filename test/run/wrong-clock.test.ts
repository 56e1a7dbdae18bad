/**
 * Runs with a clock that was days ahead for a while: no false day is recorded, and afterwards the data is the same as
 * without it.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSql } from "../support/run-sql.ts";
import { openHourlyCampus } from "../support/upstream/hourly-campus.ts";
import { later } from "../support/worlds/small-world.ts";
import { serve } from "../support/whole-run.ts";

/** The systems that are due every hour, once a day and once a week. */
const SYSTEMS = ["SCHEDULE_URL", "RECORDS_URL", "LARC_URL", "CALENDAR_URL"];

describe("a clock that is ahead", () => {
  const { folder, freshness, refresh, askedSystems, upstream, world } = openHourlyCampus(SYSTEMS);
  const recordedDays = async (): Promise<string[]> => {
    const sql = "SELECT DISTINCT date FROM enrollment_days WHERE NOT imported ORDER BY date";
    let text = "";
    for await (const part of runSql(folder().artifacts, sql, "csv", { tempFolder: join(folder().data, "sql") }))
      text += part;
    return text.trim().split("\n").slice(1);
  };
  const enrollment = ({ products }: Awaited<ReturnType<typeof refresh>>) =>
    products.find(({ product }) => product === "enrollment");
  /** Adds students to every section. */
  const busier = (by: number) =>
    upstream().setWorld({
      ...world(),
      sections: world().sections.map((row) => ({ ...row, totalEnrolled: String(Number(row.totalEnrolled) + by) })),
    });

  it("records no day that the upstream's own clock does not confirm, and says so in the report and in /health/ready", async () => {
    upstream().setClock(later({ hours: 1 }));
    const ahead = await refresh({ days: 5, hours: 1 });
    expect(ahead.failed).toBe(true);
    const why = "this computer's clock says 2019-10-15, the schedule system's 2019-10-10: the day is not recorded";
    expect(enrollment(ahead)).toMatchObject({ status: "failed", error: why });
    expect(await readFile(join(folder().artifacts, "report.txt"), "utf8")).toContain(why);
    expect(await recordedDays()).toEqual(["2019-10-10"]);
    const server = await serve(folder().env);
    const ready = (await (await fetch(`${server.url}/health/ready`)).json()) as { lastRun: { faults: object[] } };
    await server.close();
    expect(ready.lastRun.faults).toContainEqual({ product: "enrollment", why });

    upstream().setClock(later({ days: 1 }));
    const right = await refresh({ days: 1 });
    expect(right.failed).toBe(false);
    expect(await recordedDays()).toEqual(["2019-10-10", "2019-10-11"]);
  });

  it("that nobody noticed stops nothing: later true days are recorded, changes and snapshots are in order", async () => {
    busier(1);
    // Its clock is wrong as well.
    const all = { RETAIN: "1000h", TERMS: "2019 Fall", RECORDS_URL: "", LARC_URL: "", CALENDAR_URL: "" };
    expect((await refresh({ days: 5 }, all)).failed).toBe(false);
    expect(await recordedDays()).toEqual(["2019-10-10", "2019-10-15"]);
    for (const [days, more] of [
      [1, 2],
      [5, 3],
    ] as const) {
      busier(more);
      expect((await refresh({ days }, all)).failed).toBe(false);
    }
    expect(await recordedDays()).toEqual(["2019-10-10", "2019-10-11", "2019-10-15"]);
    const server = await serve(folder().env);
    const rows = await server.json<{ at: string; since: string }[]>("/changes");
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter(({ at, since }) => Date.parse(since) > Date.parse(at))).toEqual([]);
    const snapshots = (await (await fetch(`${server.url}/v1/snapshots`)).json()) as {
      servedFrom: string;
      servedUntil: string | null;
    }[];
    await server.close();
    expect(snapshots).toHaveLength(4);
    const times = snapshots.toReversed().flatMap(({ servedFrom, servedUntil }) => [servedFrom, servedUntil ?? "9"]);
    expect(times).toEqual(times.toSorted());
  });

  it("leaves no product that is taken for fresh until the clock gets there", async () => {
    await refresh({ days: 30 });
    expect(askedSystems()).toContain("calendar");
    expect((await freshness()).products["calendar"]).toBe(later({ days: 30 })().toISOString());
    const report = await refresh({ hours: 1 });
    expect(report.failed).toBe(false);
    expect(askedSystems()).toEqual(["calendar", "larc", "records", "schedule"]);
    expect((await freshness()).products["calendar"]).toBe(later({ hours: 1 })().toISOString());
    await refresh({ hours: 2 });
    expect(askedSystems()).toEqual(["records", "schedule"]);
  });
});
