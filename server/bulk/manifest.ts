/** The snapshot in service for those who want all of it: every table with its columns, and where each file can be fetched. */
import { basename } from "node:path";
import type { Freshness, Partition, PublishedFile } from "../../pipeline/contract/manifest.ts";
import { duckdbColumns, type Table } from "../../pipeline/contract/table.ts";
import { TABLES } from "../../pipeline/contract/tables.ts";
import type { Generation } from "../generation.ts";

/** Where the manifest and the files are served. */
export const BULK_BASE = "/v1/data";

export interface BulkFile {
  /** Relative to the generation. */
  readonly path: string;
  /** To be put behind the address of the server, or of a copy of it. */
  readonly url: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly partition: Partition;
}

export interface BulkTable {
  readonly about: string;
  /** Types as DuckDB writes them. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly partitionedBy: readonly string[];
  readonly rows: number;
  readonly files: readonly BulkFile[];
}

export interface BulkManifest {
  /** The snapshot id. */
  readonly id: string;
  readonly generation: number;
  /** The generation as it stands in the addresses of its files. */
  readonly name: string;
  readonly createdAt: string;
  /** The contract version: it goes up whenever a table changes its shape. */
  readonly contract: number;
  readonly source: Readonly<Record<string, string>>;
  /** True when people and numbers are invented. */
  readonly sample: boolean;
  readonly note: string;
  readonly freshness: Freshness;
  readonly tables: Readonly<Record<string, BulkTable>>;
}

const SAMPLE_NOTE = "This data comes from the embedded sample campus: people and numbers are invented.";

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export function toBulkManifest({ folder, manifest }: Generation, freshness: Freshness): BulkManifest {
  const name = basename(folder);
  const { id, generation, createdAt, contract, source, files } = manifest;
  const sample = Object.values(source).some((from) => from.startsWith("sample campus"));
  const toFile = ({ path, sha256, bytes, rows, partition }: PublishedFile): BulkFile => ({
    path,
    url: `${BULK_BASE}/${name}/${path}`,
    sha256,
    bytes,
    rows,
    partition,
  });
  const tables = Object.entries(TABLES).map(([tableName, table]: [string, Table]): [string, BulkTable] => {
    const own = files.filter((file) => file.table === tableName).map(toFile);
    return [
      tableName,
      {
        about: table.about,
        columns: duckdbColumns(table.row.shape),
        partitionedBy: table.partitionedBy,
        rows: sum(own.map(({ rows }) => rows)),
        files: own,
      },
    ];
  });
  return {
    id,
    generation,
    name,
    createdAt,
    contract,
    source,
    sample,
    note: sample ? SAMPLE_NOTE : "",
    freshness,
    tables: Object.fromEntries(tables),
  };
}
