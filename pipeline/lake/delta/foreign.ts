/** Versions that other writers add to a Delta table: what they are, and whether a later version can undo them. */
import { reportedText } from "../../contract/reported-text.ts";
import { UpstreamBadResponse } from "../../errors.ts";
import type { StoreReader } from "../../store/store.ts";
import { type Action, ENGINE, type ForeignVersion, type TableState } from "./actions.ts";

/** Returns undefined for a version of this program. */
export function foreignVersion(actions: readonly Action[], version: number): ForeignVersion | undefined {
  const info = actions.flatMap((action) => ("commitInfo" in action ? [action.commitInfo] : []))[0];
  if (info?.engineInfo === ENGINE) return undefined;
  return { version, operation: String(info?.operation ?? ""), engine: String(info?.engineInfo ?? "") };
}

/** For logs and messages: `versions 3 to 5 of grades are another program's (delta-rs:py-1.6.6: WRITE, OPTIMIZE)`. */
export function foreignText(table: string, foreign: readonly ForeignVersion[]): string {
  const [first, last] = [foreign[0]?.version, foreign.at(-1)?.version];
  const versions = first === last ? `version ${first} of ${table} is` : `versions ${first} to ${last} of ${table} are`;
  const engines = [...new Set(foreign.map(({ engine }) => engine))].filter((name) => name !== "").join(", ");
  const operations = [...new Set(foreign.map(({ operation }) => operation))].filter((name) => name !== "").join(", ");
  const what = [engines, operations].filter((text) => text !== "").map((text) => text.slice(0, 200));
  return reportedText(`${versions} another program's${what.length === 0 ? "" : ` (${what.join(": ")})`}`);
}

/**
 * Reader features that end with a version without them: they concern only the schema, and the files of the versions
 * that have them (Delta protocol, "Valid Feature Names in Table Features").
 */
const REVERSIBLE: ReadonlySet<string> = new Set([
  "columnMapping",
  "deletionVectors",
  "timestampNtz",
  "typeWidening",
  "typeWidening-preview",
  "vacuumProtocolCheck",
  "variantShredding-preview",
  "variantType",
  "variantType-preview",
]);
/** The newest reader version of the protocol. */
const NEWEST_READER = 3;

/**
 * A reader of the published protocol identifies files by their paths alone, so that a file with a deletion vector
 * cannot be published again.
 * @throws UpstreamBadResponse that names what no later version can undo, and the remedy
 */
export function expectReversible(store: StoreReader, table: string, state: TableState): void {
  const { minReaderVersion = 1, readerFeatures } = state.protocol ?? {};
  const irreversible = [
    ...(state.hasDeletionVectors ? ["deletion vectors"] : []),
    ...(readerFeatures ?? []).filter((feature) => !REVERSIBLE.has(feature)).map((feature) => `the feature ${feature}`),
    ...(minReaderVersion > NEWEST_READER ? [`reader version ${minReaderVersion}`] : []),
  ];
  if (irreversible.length === 0) return;
  const what = state.foreign.length > 0 ? foreignText(table, state.foreign) : `${table} was changed by another program`;
  throw new UpstreamBadResponse(
    store.name,
    `${store.name}: ${what}; ${irreversible.join(" and ")} cannot be undone by a later version: publish to an empty folder or bucket`,
  );
}
