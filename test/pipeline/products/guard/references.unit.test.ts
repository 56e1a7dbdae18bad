/** Which versions of a part staged rows are compared with. */
import { describe, expect, it } from "vitest";
import { isLost, referencesOf, retainedFiles, soundRows } from "../../../../pipeline/products/guard/references.ts";
import { FALL, openVersions, type Version } from "./counted-versions.ts";

type World = Parameters<typeof openVersions>[0];
const version = (name: string, rows: number, more: Partial<Version> = {}): Version => ({ name, rows, ...more });

describe("the versions that are compared", () => {
  const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 10, day, hour)).toISOString();
  const names = async (versions: readonly Version[], more: Partial<World> = {}) =>
    (await referencesOf(openVersions({ staged: { rows: 1 }, versions, ...more }).context, FALL)).map(
      ({ sha256 }) => sha256,
    );

  it("are the newest, the last of each campus day of seven, and the oldest of these", async () => {
    const versions = [
      version("published", 1, { at: at(20, 19) }),
      version("sameDay", 1, { at: at(20, 10) }),
      version("dayBefore", 1, { at: at(20, 7) }),
      version("early", 1, { at: at(19, 18) }),
      version("old", 1, { at: at(15, 20) }),
      version("oldest", 1, { at: at(15, 18) }),
      version("tooOld", 1, { at: at(13, 19) }),
    ];
    expect(await names(versions)).toEqual(["published", "dayBefore", "old", "oldest"]);
    expect(await names(versions, { acceptedAt: { "sections 2026 Fall": at(15, 20) } })).toEqual([
      "published",
      "dayBefore",
      "early",
    ]);
    expect(await names([])).toEqual([]);
  });

  it("are each content once, since the oldest snapshot that had it", async () => {
    const versions = [
      version("published", 1, { at: at(20), content: "a" }),
      version("between", 1, { at: at(19), content: "b" }),
      version("before", 1, { at: at(18), content: "a" }),
      version("elsewhere", 1, {
        at: at(17),
        part: { table: "sections", partition: { year: "2026", quarter: "Winter" } },
      }),
    ];
    const files = await retainedFiles(openVersions({ staged: { rows: 1 }, versions }).context, FALL);
    expect(files.map(({ sha256, createdAt, since, snapshot }) => [sha256, createdAt, since, snapshot])).toEqual([
      ["a", at(20), at(18), "of published"],
      ["b", at(19), at(19), "of between"],
    ]);
  });

  it("of a damaged one are the sound ones that are retained; without any it is lost", async () => {
    const [damaged, older] = [version("published", 1, { at: at(20) }), version("older", 1, { at: at(1) })];
    const look = async (versions: readonly Version[], isDamaged = true) => {
      const { context } = openVersions({ staged: { rows: 1 }, versions, isDamaged });
      return [await isLost(context, FALL), await soundRows(context, FALL)];
    };
    expect(await look([damaged, older])).toEqual([false, expect.stringContaining("/generations/older.parquet")]);
    expect(await look([damaged, older], false)).toEqual([false, expect.stringContaining("'published.parquet")]);
    for (const versions of [[damaged], [damaged, { ...older, isBroken: true }]])
      expect(await look(versions)).toEqual([true, expect.stringContaining("WHERE false")]);
    expect(await look([])).toEqual([false, expect.stringContaining("WHERE false")]);
  });
});
