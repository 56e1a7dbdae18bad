/** Documents the published files in OpenAPI. */
import {
  BULK_BASE,
  type BulkFile,
  type BulkManifest,
  bulkManifest,
} from "../../pipeline/contract/documents/bulk-manifest.ts";
import { type ServedManifest, servedManifest } from "../../pipeline/contract/documents/served-manifest.ts";
import { A_PART } from "../openapi/response-headers.ts";
import { type DocumentedPage, inPath, schemaOf, taggedResponses } from "../openapi/documented-page.ts";
import { SNAPSHOTS_PATH } from "../response/as-of.ts";
import { RANGE_HEADERS } from "../response/byte-range.ts";
import { toParameter } from "../openapi/operation.ts";
import { MANIFEST_CHANGES_TYPE, type ManifestChanges, manifestChanges } from "./manifest-changes.ts";
import { MANIFEST_PARAMS, PARQUET_TYPE } from "./pages.ts";
import { type SnapshotList, snapshotList } from "./snapshots.ts";

export const DUCKLAKE_NAME = "lake.ducklake";
export const DUCKLAKE_PATH = `${BULK_BASE}/${DUCKLAKE_NAME}`;
export const DUCKLAKE_TYPE = "application/octet-stream";

const EXAMPLE: BulkManifest = {
  id: "3f2a9c0b7d1e4a58",
  contentId: "c41d07e6a2b95f38",
  generation: 12,
  name: "12-3f2a9c0b7d1e4a58",
  createdAt: "2026-11-21T07:00:00.000Z",
  contract: 1,
  source: { grades: "sample campus" },
  changesBefore: null,
  sample: true,
  note: "This data comes from the embedded sample campus: people and numbers are invented.",
  freshness: { products: { grades: "2026-11-21T07:00:00.000Z" }, terms: {}, nextRefresh: "2026-11-21T08:00:00.000Z" },
  tables: {
    larc: {
      about: "one row per course with tutorials in a term",
      columns: [{ name: "courseNumber", type: "VARCHAR", description: "department code and course number" }],
      partitionedBy: ["year", "quarter"],
      rows: 210,
      files: [
        {
          path: "larc/2026-Fall-5f1e.parquet",
          url: `${BULK_BASE}/12-3f2a9c0b7d1e4a58/larc/2026-Fall-5f1e.parquet`,
          sha256: "5f1e".repeat(16),
          bytes: 18_230,
          rows: 210,
          partition: { year: "2026", quarter: "Fall" },
        },
      ],
    },
  },
};

const file = EXAMPLE.tables["larc"]?.files[0] as BulkFile;
const CHANGES: ManifestChanges = {
  since: { id: "0b7d1e4a583f2a9c", generation: 11, name: "11-0b7d1e4a583f2a9c" },
  now: { id: EXAMPLE.id, generation: EXAMPLE.generation, name: EXAMPLE.name },
  added: [{ table: "larc", ...file }],
  removed: [],
};

const { id, contentId, generation, createdAt, contract, source, changesBefore } = EXAMPLE;
const { url: _url, ...listedFile } = file;
const SNAPSHOT: ServedManifest = {
  ...{ id, contentId, generation, createdAt, contract, source, changesBefore },
  files: [{ table: "larc", ...listedFile }],
  derived: [],
};

const SNAPSHOTS: SnapshotList = [
  {
    id: "3f2a9c0b7d1e4a58",
    generation: 12,
    createdAt: "2026-11-21T07:00:00.000Z",
    servedFrom: "2026-11-21T07:00:00.000Z",
    servedUntil: null,
    changed: [{ table: "sections", terms: ["2026 Fall", "2027 Winter"] }],
  },
];

const manifestResponses = (description: string, content: Parameters<typeof taggedResponses>[1]) =>
  taggedResponses(description, content, "X-Data-Snapshot");
const lakeHeaders = ["X-Data-Snapshot", "ETag", "Repr-Digest"] as const;
const fileHeaders = [...lakeHeaders, "Last-Modified"] as const;
const binary = { schema: { type: "string", format: "binary" } };

const fileResponses = (
  type: string,
  headers: typeof lakeHeaders | typeof fileHeaders,
  unchanged: string,
): DocumentedPage["responses"] => ({
  200: { description: "The file", headers: [...headers, ...RANGE_HEADERS[200]], content: { [type]: binary } },
  206: { description: A_PART, headers: [...headers, ...RANGE_HEADERS[206]], content: { [type]: binary } },
  304: { description: unchanged, headers: [...headers, "Accept-Ranges"] },
});
const lakeResponses = fileResponses(DUCKLAKE_TYPE, lakeHeaders, "Not changed since the ETag in If-None-Match");

const PAGES: readonly Omit<DocumentedPage, "tag">[] = [
  {
    path: `${BULK_BASE}/manifest.json`,
    operationId: "dataManifest",
    summary:
      "The snapshot in service: every table with its columns and file URLs; with `since` what changed in its files",
    parameters: [toParameter("since", MANIFEST_PARAMS.since)],
    responses: manifestResponses("The manifest; with `since` the changes, as a media type of their own", {
      "application/json": { schema: schemaOf(bulkManifest), example: EXAMPLE },
      [MANIFEST_CHANGES_TYPE]: { schema: schemaOf(manifestChanges), example: CHANGES },
    }),
    errors: [
      {
        status: 400,
        description: "An invalid `since`",
        message:
          'Invalid since provided: "last week" (allowed: a snapshot id, an ISO 8601 date, or an ISO 8601 time with its zone)',
      },
    ],
    shared: ["NotRetained"],
  },
  {
    path: SNAPSHOTS_PATH,
    operationId: "snapshots",
    summary: "The retained snapshots, newest first, and what changed from one to the next",
    responses: manifestResponses("The snapshots", {
      "application/json": { schema: schemaOf(snapshotList), example: SNAPSHOTS },
    }),
  },
  {
    path: `${SNAPSHOTS_PATH}/{id}`,
    operationId: "snapshotsById",
    summary: "One retained snapshot: its files, which are below `/v1/data/<generation>-<id>/`",
    parameters: [inPath("id", "snapshot id", SNAPSHOT.id)],
    responses: manifestResponses("The manifest of its generation", {
      "application/json": { schema: schemaOf(servedManifest), example: SNAPSHOT },
    }),
    shared: ["NotRetained"],
  },
  {
    path: DUCKLAKE_PATH,
    operationId: "duckLake",
    summary: "The retained snapshots as a DuckLake for DuckDB to attach; supports Range and If-Range",
    responses: lakeResponses,
    shared: ["OutOfRange"],
  },
  {
    path: `${BULK_BASE}/{generation}/${DUCKLAKE_NAME}`,
    operationId: "duckLakeOfGeneration",
    summary: "One snapshot as a DuckLake, which never changes; supports Range and If-Range",
    parameters: [inPath("generation", "name of a retained generation", "12-3f2a9c0b7d1e4a58")],
    responses: lakeResponses,
    errors: [
      {
        status: 404,
        description: "The generation is not retained",
        message: `The generation "12-3f2a9c0b7d1e4a58" is not retained, or never existed. ${BULK_BASE}/manifest.json names the current one.`,
      },
    ],
    shared: ["OutOfRange"],
  },
  {
    path: `${BULK_BASE}/{generation}/{path}`,
    operationId: "dataFile",
    summary: "One published Parquet file; supports Range and If-Range",
    parameters: [
      inPath("generation", "name of a retained generation, or `current`", "current"),
      inPath("path", "the file's path in the manifest, with its slash", "larc/2026-Fall-5f1e.parquet"),
    ],
    responses: fileResponses(
      PARQUET_TYPE,
      fileHeaders,
      "Not changed since the ETag in If-None-Match, or the time in If-Modified-Since",
    ),
    errors: [
      { status: 400, description: "The path is malformed", message: "The path is not properly percent-encoded." },
      {
        status: 404,
        description: "The generation is not retained, or has no such file",
        message: `The generation "current" has no such file. ${BULK_BASE}/manifest.json lists all available files.`,
      },
    ],
    shared: ["OutOfRange"],
  },
];

export const bulkDocumented: readonly DocumentedPage[] = PAGES.map(({ shared = [], ...page }) => ({
  ...page,
  tag: "Data",
  shared: [...shared, "NothingPublished"],
}));
