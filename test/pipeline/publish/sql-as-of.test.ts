/** `make sql ASOF=…`: the snapshot that was current then. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { UsageError } from "../../../pipeline/errors.ts";
import { runSql } from "../../support/run-sql.ts";
import { openPublisher } from "./publisher.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const options = { tempFolder: join(scratch, "spill") };
const database = await scratchDatabase();

describe("asOf", () => {
  const old = join(scratch, "old artifacts");
  const at = (hour: number) => new Date(Date.UTC(2024, 9, 1, hour));
  const ids: string[] = [];
  beforeAll(async () => {
    mkdirSync(old);
    let clock = at(0);
    const publisher = await openPublisher(old, { database, rows: 2, tables: ["terms"], now: () => clock });
    for (const hour of [1, 2, 3]) {
      clock = at(hour);
      ids.push((await publisher.publish()).id);
    }
  });
  const first = async (asOf: string) => {
    let text = "";
    const stream = runSql(old, `SELECT DISTINCT "longName" FROM terms`, "json", { ...options, asOf });
    for await (const piece of stream) text += piece;
    return (JSON.parse(text) as { longName: string }[])[0]?.longName;
  };

  test("queries the snapshot that was current then", async () => {
    expect(await first("2024-10-01T01:59:59Z")).toBe("generation 1");
    expect(await first("2024-10-01T02:00:00Z")).toBe("generation 2");
    expect(await first(ids[0] ?? "")).toBe("generation 1");
    expect(await first("2024-10-01")).toBe("generation 3");
  });

  test("names the nearest snapshots where none is retained, and says what it wants", async () => {
    await expect(first("2024-09-01")).rejects.toThrow(
      `no snapshot is retained for "2024-09-01"; the nearest: ${ids[0]}, served from 2024-10-01T01:00:00.000Z to 2024-10-01T02:00:00.000Z`,
    );
    await expect(first("last week")).rejects.toThrow(/^ASOF must be a snapshot id, a day such as .*, not "last week"$/);
    const [manifest = ""] = readdirSync(join(old, "snapshots"));
    rmSync(join(old, "snapshots", manifest));
    await expect(first(ids[0] ?? "")).rejects.toThrow(UsageError);
  });
});
