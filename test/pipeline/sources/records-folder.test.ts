import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { readCalendarCsv } from "../../../pipeline/sources/calendar.ts";
import { readLocal } from "../../../pipeline/sources/client/exchange.ts";
import { readEnrollmentFolder } from "../../../pipeline/sources/enrollment-files.ts";
import { compareDeliveries, hasDroppedExports, readDroppedExports } from "../../../pipeline/sources/records.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dropped-"));
  await mkdir(join(folder, "empty"));
});
afterAll(() => rm(folder, { recursive: true }));

async function droppedNames(path: string, into = createTally("grades")): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, bytes, sha256 } of readDroppedExports(path, into)) {
    expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    names.push(name);
  }
  return names;
}

describe("the drop folder", () => {
  it("gives its .csv and .xlsx files by name, without hidden files and README", async () => {
    const drop = join(folder, "drop");
    await mkdir(drop, { recursive: true });
    for (const name of ["b 10.csv", "b 9.CSV", "a.xlsx", "README.md", ".gitkeep", "old.xls"]) {
      await writeFile(join(drop, name), name);
    }
    const notes = createTally("grades");
    expect(await droppedNames(drop, notes)).toEqual(["a.xlsx", "b 9.CSV", "b 10.csv"]);
    expect(notes.report("published", 0).noted).toMatchObject([{ count: 1, names: ["old.xls"] }]);
  });

  it("may be absent or empty", async () => {
    expect(await droppedNames(join(folder, "nowhere"))).toEqual([]);
    expect(await droppedNames(join(folder, "empty"))).toEqual([]);
  });
});

describe("what is no file is named, and nobody waits for it", () => {
  /** How it comes to stand at a path, and the word for it. */
  const KINDS: readonly (readonly [word: string, make: (path: string) => unknown])[] = [
    ["a folder", (path) => mkdir(path)],
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a pipe", (path) => (execFileSync("mkfifo", [`${path}.pipe`]), symlink(`${path}.pipe`, path))],
    ["a device", (path) => symlink("/dev/zero", path)],
    ["a broken link", (path) => symlink("/nowhere/at/all", path)],
  ];

  it.each(KINDS.map((kind, i) => [...kind, i] as const))("%s", async (word, make, i) => {
    const data = join(folder, `data-${i}`);
    for (const [name, file] of [
      ["grades", "x.csv"],
      ["enrollment", "x.ndjson"],
    ] as const) {
      await mkdir(join(data, name), { recursive: true });
      await make(join(data, name, file));
      await symlink(import.meta.filename, join(data, name, `linked${extname(file)}`));
    }
    await make(join(data, "calendar.csv"));
    const tally = createTally("grades");
    expect(await hasDroppedExports(join(data, "grades"))).toBe(true);
    expect(await droppedNames(join(data, "grades"), tally)).toEqual(["linked.csv"]);
    expect((await readEnrollmentFolder(data, tally)).map(({ name }) => name)).toEqual(["linked.ndjson"]);
    const { damaged } = tally.report("published", 0);
    for (const name of ["x.csv", "x.ndjson"]) expect(damaged).toContain(`${name}: ${word}, not a file`);
    await expect(readLocal("records", pathToFileURL(join(data, "grades/x.csv")), 1e6)).rejects.toThrow(
      /no such file|cannot be read/,
    );
    if (word === "a broken link") expect(await readCalendarCsv(data)).toBe(undefined);
    else await expect(readCalendarCsv(data)).rejects.toThrow("calendar.csv cannot be read");
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
