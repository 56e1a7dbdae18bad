/** The published files in the OpenAPI document. */
import { BULK_BASE, type BulkManifest, bulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { type DocumentedPage, inPath, schemaOf } from "../docs/openapi/documented-page.ts";
import { SNAPSHOTS_PATH } from "../../response/as-of.ts";
import { PARQUET_TYPE } from "./pages.ts";
import { type SnapshotList, snapshotList } from "./snapshots.ts";

const EXAMPLE: BulkManifest = {
  id: "3f2a9c0b7d1e4a58",
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
      about: "one row a course with tutorials in a term",
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

const fileHeaders = ["X-Data-Snapshot", "ETag", "Last-Modified", "Accept-Ranges", "Repr-Digest"] as const;
const parquet = { [PARQUET_TYPE]: { schema: { type: "string", format: "binary" } } };

export const bulkDocumented: readonly DocumentedPage[] = [
  {
    path: `${BULK_BASE}/manifest.json`,
    operationId: "dataManifest",
    tag: "Data",
    summary: "The snapshot in service: every table with its columns and file URLs",
    responses: {
      200: {
        description: "The manifest",
        headers: ["X-Data-Snapshot", "ETag", "Content-Encoding", "Content-Length"],
        content: { "application/json": { schema: schemaOf(bulkManifest), example: EXAMPLE } },
      },
      304: { description: "Not changed since the ETag in If-None-Match", headers: ["X-Data-Snapshot", "ETag"] },
    },
    shared: ["NothingPublished"],
  },
  {
    path: SNAPSHOTS_PATH,
    operationId: "snapshots",
    tag: "Data",
    summary: "The retained snapshots, newest first, and what changed from one to the next",
    responses: {
      200: {
        description: "The snapshots",
        headers: ["X-Data-Snapshot", "ETag", "Content-Encoding", "Content-Length"],
        content: { "application/json": { schema: schemaOf(snapshotList), example: SNAPSHOTS } },
      },
      304: { description: "Not changed since the ETag in If-None-Match", headers: ["X-Data-Snapshot", "ETag"] },
    },
    shared: ["NothingPublished"],
  },
  {
    path: `${BULK_BASE}/{generation}/{path}`,
    operationId: "dataFile",
    tag: "Data",
    summary: "One published Parquet file; supports Range and If-Range",
    parameters: [
      inPath("generation", "name of a retained generation, or `current`", "current"),
      inPath("path", "the file's path in the manifest, with its slash", "larc/2026-Fall-5f1e.parquet"),
    ],
    responses: {
      200: { description: "The file", headers: [...fileHeaders, "Content-Length"], content: parquet },
      206: {
        description: "The requested range",
        headers: [...fileHeaders, "Content-Length", "Content-Range"],
        content: parquet,
      },
      304: {
        description: "Not changed since the ETag in If-None-Match, or the time in If-Modified-Since",
        headers: [...fileHeaders],
      },
    },
    errors: [
      { status: 400, description: "The path is malformed", message: "The path is not properly percent-encoded." },
      {
        status: 404,
        description: "The generation is not retained, or has no such file",
        message: `The generation "current" has no such file. ${BULK_BASE}/manifest.json lists all available files.`,
      },
      {
        status: 416,
        description: "The range contains no byte of the file",
        message: "The file has 18230 bytes; the range contains none of them.",
        headers: ["Accept-Ranges", "Content-Range"],
      },
    ],
    shared: ["NothingPublished"],
  },
];
