import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { compareDeliveries, readDroppedExports } from "../../../pipeline/sources/records.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dropped-"));
  await mkdir(join(folder, "empty"));
});
afterAll(() => rm(folder, { recursive: true }));

async function droppedNames(path: string, into = createTally("grades")): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, bytes, sha256 } of readDroppedExports(path, into)) {
    expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    found.push(name);
  }
  return found;
}

describe("the drop folder", () => {
  it("gives its .csv and .xlsx files by name, without hidden files and README", async () => {
    const drop = join(folder, "drop");
    await mkdir(join(drop, "folder.csv"), { recursive: true });
    for (const name of ["b 10.csv", "b 9.CSV", "a.xlsx", "README.md", ".gitkeep", "old.xls"]) {
      await writeFile(join(drop, name), name);
    }
    const notes = createTally("grades");
    expect(await droppedNames(drop, notes)).toEqual(["a.xlsx", "b 9.CSV", "b 10.csv"]);
    expect(notes.report("published", 0).noted).toMatchObject([
      { count: 2, names: expect.arrayContaining(["folder.csv", "old.xls"]) },
    ]);
  });

  it("may be absent or empty", async () => {
    expect(await droppedNames(join(folder, "nowhere"))).toEqual([]);
    expect(await droppedNames(join(folder, "empty"))).toEqual([]);
  });
});

describe("deliveries in order", () => {
  it("are undated ones, then by date, then by name", () => {
    const deliveries = [
      { name: "b.csv", lastModified: "Sat, 02 Sep 2023 17:30:00 GMT" },
      { name: "a 10.csv", lastModified: "Fri, 01 Sep 2023 17:30:00 GMT" },
      { name: "a 9.csv", lastModified: "Fri, 01 Sep 2023 17:30:00 GMT" },
      { name: "z.csv" },
      { name: "y.csv", lastModified: "yesterday" },
    ];
    const names = deliveries.toSorted(compareDeliveries).map(({ name }) => name);
    expect(names).toEqual(["y.csv", "z.csv", "a 9.csv", "a 10.csv", "b.csv"]);
  });
});
