/** The contents of a snapshot and their freshness, for the start page. */
import type { Product } from "../../pipeline/contract/documents/manifest.ts";
import { TABLE_NAMES, TABLES, type TableName } from "../../pipeline/contract/tables.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";

export const PRODUCT_NAMES: Readonly<Record<Product, string>> = {
  schedule: "Schedule of classes",
  grades: "Grade statistics",
  catalogue: "Courses",
  instructors: "Instructors",
  history: "Teaching history",
  enrollment: "Enrollment history",
  larc: "Tutorials (LARC)",
  calendar: "Academic calendar",
};

export interface TableContents {
  readonly table: TableName;
  readonly about: string;
  readonly rows: number;
  readonly bytes: number;
  readonly files: number;
}

/** The published tables that are not empty, the largest first. */
export function contentsOf({ generation }: Snapshot): TableContents[] {
  return TABLE_NAMES.map((table) => {
    const files = generation.manifest.files.filter((file) => file.table === table);
    const sum = (field: "rows" | "bytes") => files.reduce((total, file) => total + file[field], 0);
    return { table, about: TABLES[table].about, rows: sum("rows"), bytes: sum("bytes"), files: files.length };
  })
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows);
}

export const isSample = ({ generation }: Snapshot): boolean =>
  Object.values(generation.manifest.source).some((from) => from.startsWith("sample campus"));

export const termsOf = (snapshot: Snapshot): string[] => snapshot.publishedTerms("sections").map(termName);

export function freshnessOf(store: Store): { name: string; at: string | undefined }[] {
  const { products } = store.freshness();
  return Object.entries(PRODUCT_NAMES).map(([product, name]) => ({ name, at: products[product] }));
}
