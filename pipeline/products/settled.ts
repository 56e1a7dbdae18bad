/** Finds the data that a run takes over from the published snapshot, because its inputs did not change. */
import { type Product, type PublishedFile, samePart } from "../contract/documents/manifest.ts";
import type { TableName } from "../contract/tables.ts";
import { HOUR_MS, type RunContext } from "./context.ts";

/** True when the last run built the product without damage, and this run need not derive everything again. */
export function isSettled({ freshness, isThorough }: RunContext, product: Product): boolean {
  const { incomplete = [], nextRefresh, products } = freshness;
  const last = Date.parse(products[product] ?? "");
  return (
    !isThorough && !incomplete.includes(product) && nextRefresh !== null && last + HOUR_MS === Date.parse(nextRefresh)
  );
}

/** A partition whose files differ; undefined where there is none. */
export interface ChangedPart {
  readonly published: PublishedFile | undefined;
  readonly staged: PublishedFile | undefined;
}

/** The partitions of a table with another file than in the published snapshot. A lost file counts as none. */
export function changedParts({ staging }: Pick<RunContext, "staging">, table: TableName): ChangedPart[] {
  const sound = (files: readonly PublishedFile[]) =>
    files.filter((file) => file.table === table && staging.isSound(file));
  const published = sound(staging.base?.manifest.files ?? []);
  const staged = sound(staging.files());
  const find = (files: readonly PublishedFile[], part: PublishedFile) => files.find((file) => samePart(file, part));
  return [
    ...staged.map((file) => ({ published: find(published, file), staged: file })),
    ...published.filter((file) => !find(staged, file)).map((file) => ({ published: file, staged: undefined })),
  ].filter((part) => part.published?.sha256 !== part.staged?.sha256);
}
