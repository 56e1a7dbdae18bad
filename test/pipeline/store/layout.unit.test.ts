import { expect, test } from "vitest";
import { samePart, type Partition } from "../../../pipeline/contract/documents/manifest.ts";
import {
  filePath,
  layoutOf,
  parseSnapshotName,
  partitionName,
  partitionTitle,
} from "../../../pipeline/store/layout.ts";
import { changesDigest, contentId, snapshotId } from "../../../pipeline/store/snapshot-id.ts";

const sha256 = "0a1b2c3d4e5f67890a1b2c3d4e5f6789".repeat(2);
const hash = sha256.slice(0, 32);
const FILES = [
  ["courses", {}, `courses/${hash}.parquet`],
  ["grades", { year: "2025" }, `grades/2025-${hash}.parquet`],
  ["larc", { year: "2026", quarter: "Summer10wk" }, `larc/2026-Summer10wk-${hash}.parquet`],
  [
    "enrollment_periods",
    { year: "2026", quarter: "Fall", month: "2026-11" },
    `enrollment_periods/2026-Fall-2026-11-${hash}.parquet`,
  ],
] as const;

test.each(FILES)("%s %j: the path says table, partition and hash", (table, partition, path) => {
  expect(filePath(table, partition, sha256)).toBe(path);
});

test("an artifacts folder has a pointer, manifests, checkouts, what is unfinished, times and a lock", () => {
  expect(Object.values(layoutOf("/a"))).toEqual(
    ["current", "current.json", "snapshots", "checkouts", "staging", "freshness.json", "lock"].map(
      (name) => `/a/${name}`,
    ),
  );
});

test("a snapshot's name is its number and its id", () => {
  const id = hash.slice(0, 16);
  expect(parseSnapshotName(`12-${id}`)).toEqual({ generation: 12, id });
  for (const name of [`0-${id}`, `x12-${id}`, `12-${id}0`, `12-${id.slice(1)}`, `1234567890123456-${id}`, ""])
    expect(parseSnapshotName(name)).toBeUndefined();
});

test("files of views, and of tables without rows, have paths of their own", () => {
  const paths = [
    filePath("views/seats", { year: "2026", quarter: "Fall" }, sha256),
    filePath("empty/grades", {}, sha256),
  ];
  expect(paths).toEqual([`views/seats/2026-Fall-${hash}.parquet`, `grades/empty-${hash}.parquet`]);
});

test("a part is called by its keys, and is the same one with all of them", () => {
  const part = (partition: Partition, table = "enrollment_periods") => ({ table, partition });
  const whole = part({ year: "2026", quarter: "Fall", month: "2026-11" });
  expect([partitionTitle(whole), partitionTitle(part({}, "courses"))]).toEqual([
    "enrollment_periods 2026 Fall 2026-11",
    "courses",
  ]);
  expect([partitionName({ year: "2026" }), partitionName({})]).toEqual(["2026", ""]);
  const others = [{ year: "2025" }, { quarter: "Winter" }, { month: "2026-12" }] as const;
  for (const other of others) expect(samePart(whole, part({ ...whole.partition, ...other }))).toBe(false);
  expect([samePart(whole, { ...whole }), samePart(whole, { ...whole, table: "x" })]).toEqual([true, false]);
});

test("ids follow from the contract, parts and hashes, not from the order, the sources or what changed", () => {
  const file = (table: string, partition: Partition, digit: string) => ({
    ...{ table, partition, path: `${table}${digit}`, sha256: digit.repeat(64), rows: 1, bytes: 1 },
  });
  const months = ["2026-10", "2026-11"].map((month) =>
    file("enrollment_periods", { year: "2026", quarter: "Fall", month }, "a"),
  );
  const grades = file("grades", { year: "2025" }, "b");
  const [changes, later] = ["c", "d"].map((digit) => file("changes", { year: "2026" }, digit)) as [
    typeof grades,
    typeof grades,
  ];
  const sources = file("sources", {}, "e");
  const id = snapshotId([...months, grades], null);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  const made = [file("views/seats", {}, "f"), file("empty/changes", {}, "f"), file("empty/larc", {}, "f")];
  expect(snapshotId([changes, grades, ...months.toReversed(), sources, ...made], null)).toBe(id);
  const others = [
    [...months],
    [...months, { ...grades, sha256: "f".repeat(64) }],
    [...months, { ...grades, partition: {} }],
  ];
  const ids = [id, snapshotId([...months, grades], "x"), ...others.map((files) => snapshotId(files, null))];
  expect(new Set([...ids, snapshotId([months[0] ?? grades, months[0] ?? grades, grades], null)]).size).toBe(6);

  const content = contentId([...months, grades]);
  expect(content).toMatch(/^[0-9a-f]{16}$/);
  expect([contentId([grades, sources, changes]), contentId([])].map((one) => one === content)).toEqual([
    contentId([grades]) === content,
    false,
  ]);
  expect(contentId([grades, changes, ...made])).toBe(contentId([grades]));
  expect(contentId([])).not.toBe(contentId([grades]));

  expect(changesDigest([changes, grades, later])).toBe(changesDigest([later, changes]));
  expect(new Set([changesDigest([changes]), changesDigest([later]), changesDigest([changes, later])]).size).toBe(3);
  expect(changesDigest([grades, ...made])).toBeNull();
});
