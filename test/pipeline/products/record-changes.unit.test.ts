/** Which terms of a run are compared with their published version, and when that was crawled. */
import { expect, test } from "vitest";
import type { Freshness, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import type { RunContext } from "../../../pipeline/products/context.ts";
import { findDiffering } from "../../../pipeline/products/record-changes.ts";

const fileOf = (quarter: Quarter, sha256: string, table = "sections"): PublishedFile => ({
  ...{ table, partition: { year: "2024", quarter }, path: `${table}-${quarter}-${sha256}`, sha256, rows: 1, bytes: 1 },
});
const PUBLISHED = [
  fileOf("Fall", "old", "headings"),
  fileOf("Fall", "old"),
  fileOf("Winter", "same"),
  fileOf("Spring", "damaged"),
];
const STAGED = [fileOf("Fall", "new"), fileOf("Winter", "same"), fileOf("Spring", "new"), fileOf("Summer1", "new")];

interface Given {
  readonly source?: string;
  /** True when nothing is published yet. */
  readonly isFirst?: boolean;
  readonly terms?: Freshness["terms"];
  readonly isBehind?: boolean;
  /** The content of the base, if it is not the published one. */
  readonly base?: readonly PublishedFile[] | null;
  readonly staged?: readonly PublishedFile[];
}
const isOf = (table: string, quarter?: string) => (file: PublishedFile) =>
  file.table === table && file.partition.quarter === quarter;
const differing = ({
  source = "a campus",
  isFirst = false,
  terms = {},
  isBehind = false,
  base = PUBLISHED,
  staged = STAGED,
}: Given = {}) =>
  findDiffering({
    crawled: (["Winter", "Spring", "Summer1", "Fall"] as const).map((quarter) => ({
      ...{ term: { year: "2024", quarter }, startedAt: "2024-10-01T10:00:00Z", withEnded: true },
    })),
    sourceName: (system: string) => (system === "schedule" ? source : "another system"),
    freshness: { products: {}, terms, nextRefresh: null },
    isBehind,
    staging: {
      before: () =>
        isFirst ? undefined : { source: { schedule: "a campus", grades: "sample campus (full)" }, files: PUBLISHED },
      base: base === null ? undefined : { manifest: { createdAt: "2024-10-01T07:00:00Z", files: base } },
      find: (table: string, { quarter }: { quarter: Quarter }) => staged.find(isOf(table, quarter)),
      pathOf: ({ path }: PublishedFile) => `/${path}`,
      disk: { stat: async (path: string) => (path.endsWith("damaged") ? undefined : {}) },
    },
  } as unknown as RunContext);
const FALL = { year: "2024", quarter: "Fall" };

test("a crawled term is compared with its published version where both are there and their files differ", async () => {
  const expected = { partition: FALL, startedAt: "2024-10-01T10:00:00Z", old: "/sections-Fall-old" };
  expect(await differing()).toEqual([{ ...expected, checked: "2024-10-01T07:00:00Z" }]);
  expect(await differing({ staged: [] })).toEqual([]);
  expect(await differing({ isFirst: true })).toEqual([]);
});

test("of another campus nothing is compared", async () => {
  expect(await differing({ source: "https://the.same.university" })).toHaveLength(1);
  expect(await differing({ source: "sample campus (standard)" })).toEqual([]);
});

test.each<[about: string, given: Given, checked: string | undefined]>([
  ["when its crawl began", { terms: { "2024 Fall": "2024-10-01T09:00:00Z" } }, "2024-10-01T09:00:00Z"],
  [
    "when its snapshot was published, where no crawl is recorded",
    { terms: { "2024 Winter": "2024-10-01T09:00:00Z" } },
    "2024-10-01T07:00:00Z",
  ],
  // The recorded crawls are those of a later snapshot.
  [
    "when its snapshot was published, where that is behind",
    { terms: { "2024 Fall": "2024-10-01T09:00:00Z" }, isBehind: true },
    "2024-10-01T07:00:00Z",
  ],
  [
    "by the record, where the base that is behind is not of it",
    { terms: { "2024 Fall": "2024-10-01T09:00:00Z" }, isBehind: true, base: [] },
    "2024-10-01T09:00:00Z",
  ],
  [
    "by the record, where there is no base",
    { terms: { "2024 Fall": "2024-10-01T09:00:00Z" }, isBehind: true, base: null },
    "2024-10-01T09:00:00Z",
  ],
  ["unknown without record and base, and not compared", { base: null }, undefined],
])("the old version was looked at %s", async (_, given, checked) =>
  expect((await differing(given)).map((term) => term.checked)).toEqual(checked === undefined ? [] : [checked]),
);
