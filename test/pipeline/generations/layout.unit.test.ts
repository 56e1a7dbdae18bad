import { expect, test } from "vitest";
import { atItsPath, filePath, olderPath, parseFilePath } from "../../../pipeline/generations/layout.ts";

const sha256 = "0a1b2c3d4e5f67890a1b2c3d4e5f6789".repeat(2);
const hash = sha256.slice(0, 32);
const FILES = [
  ["courses", {}, `courses/${hash}.parquet`, `courses/${hash}.parquet`],
  ["grades", { year: "2025" }, `grades/2025-${hash}.parquet`, `grades/year=2025/${hash}.parquet`],
  [
    "larc",
    { year: "2026", quarter: "Summer10wk" },
    `larc/2026-Summer10wk-${hash}.parquet`,
    `larc/year=2026/quarter=Summer10wk/${hash}.parquet`,
  ],
  [
    "enrollment_periods",
    { year: "2026", quarter: "Fall", month: "2026-11" },
    `enrollment_periods/2026-Fall-2026-11-${hash}.parquet`,
    `enrollment_periods/year=2026/quarter=Fall/month=2026-11/${hash}.parquet`,
  ],
] as const;

test.each(FILES)(
  "%s %j: the path says table, partition and hash, also that of contract 5",
  (table, partition, path, older) => {
    const file = { table, partition, path: older, sha256, rows: 1, bytes: 1 };
    expect([filePath(table, partition, sha256), olderPath(file), atItsPath(file).path]).toEqual([path, older, path]);
    for (const one of [path, older]) expect(parseFilePath(one)).toEqual({ table, partition, sha256: hash });
  },
);

test.each([
  "",
  "manifest.json",
  `${hash}.parquet`,
  `grades/2025-${hash}.parquet.part`,
  `grades/2025-${hash.slice(1)}.parquet`,
  `grades/25-${hash}.parquet`,
  `larc/2026-Autumn-${hash}.parquet`,
  `enrollment_periods/2026-Fall-11-${hash}.parquet`,
  `a/../grades/2025-${hash}.parquet`,
])("%s is no published file", (path) => expect(parseFilePath(path)).toBeUndefined());
