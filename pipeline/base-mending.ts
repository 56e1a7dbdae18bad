/**
 * The base of a run, mended (behaviour §7): what is damaged is restored from a copy, else it is due in this run whatever its age. What comes back neither
 * way fails its product, and nothing is published without it.
 */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Freshness, Product, PublishedFile } from "./contract/manifest.ts";
import type { ProductReport, RunReport } from "./contract/run-report.ts";
import { IRREPLACEABLE_TABLES, PRODUCT_OF, type TableName } from "./contract/tables.ts";
import type { Log } from "./log.ts";
import { type Base, snapshotId } from "./publish/generation.ts";
import { layoutOf, parseGenerationName, partitionName } from "./publish/layout.ts";
import { findListed, findOlder, findSame, newestBackup, type Places, putCopy } from "./publish/restore.ts";
import type { Staging } from "./publish/staging.ts";
import { readTree } from "./publish/tree.ts";

/** A file that was published and is damaged; what came of it is said in the end. */
interface Mending {
  readonly file: PublishedFile;
  readonly problem: string;
  readonly restored?: { readonly words: string; readonly isOlder: boolean };
}

interface MendingOptions {
  readonly base: Base;
  readonly staging: Staging;
  readonly places: Places;
  readonly connection: DuckDBConnection;
  readonly log: Log;
}

/** Restores what has a copy. Afterwards `staging.damaged()` is what this run has to fetch again. */
export async function mendBase(options: MendingOptions): Promise<readonly Mending[]> {
  const { base, log, places, staging } = options;
  const problems = new Map(base.damaged.map(({ file, problem }) => [file, problem]));
  if (base.damage) log.warn("the generation in service cannot be read", { cause: base.damage.message });
  if (base.damage || !base.generation) {
    for (const [file, problem] of await expected(options)) {
      staging.expect(file);
      problems.set(file, problem);
    }
  }
  const mendings: Mending[] = [];
  for (const file of staging.damaged()) {
    const problem = problems.get(file) ?? "damaged";
    const restored = await restore(places, staging, file);
    mendings.push({ file, problem, ...(restored ? { restored } : {}) });
    log.warn("a published file is damaged", { path: file.path, problem, restored: restored?.words ?? "no" });
  }
  return mendings;
}

async function restore(places: Places, staging: Staging, file: PublishedFile): Promise<Mending["restored"]> {
  const same = await findSame(places, file);
  if (same && (await putCopy(staging, same))) return { words: `restored from ${same.from}`, isOlder: false };
  // What was crawled is rather fetched again; what was observed has to be taken as it was.
  const older = isIrreplaceable(file) ? await findOlder(places, file) : undefined;
  if (!older || !(await putCopy(staging, older))) return undefined;
  const rows = `${older.file.rows} rows where there were ${file.rows}`;
  return { words: `restored as it was on ${older.createdAt} from ${older.from}, ${rows}`, isOlder: true };
}

/**
 * What the generation in service held beyond the base, as far as it can be told: by the tree of one whose manifest cannot be read, and where that is not
 * whole, by the backup.
 */
async function expected({ base, connection, places, staging }: MendingOptions): Promise<[PublishedFile, string][]> {
  const found: [PublishedFile, string][] = [];
  const isHere = (file: PublishedFile) => staging.find(file.table as TableName, file.partition)?.path === file.path;
  let isWhole = false;
  if (base.unreadable !== undefined) {
    const folder = join(layoutOf(places.artifacts).generations, base.unreadable);
    const tree = await readTree(connection, folder, places.disk);
    isWhole = snapshotId(tree.map(({ file }) => file)) === parseGenerationName(base.unreadable)?.id;
    for (const { file, problem } of tree) {
      // The base has an older state of it, which stays unless a newer one can be had.
      const isNewer = !isHere(file) && (problem === undefined || isIrreplaceable(file) || !isKnown(staging, file));
      const listed = problem === undefined ? file : ((await findListed(places, file.path)) ?? file);
      if (isNewer)
        found.push([
          listed,
          `the manifest of ${base.unreadable} cannot be read${problem ? `; the file: ${problem}` : ""}`,
        ]);
    }
  }
  if (isWhole) return found;
  const named = new Set(found.map(([{ table, partition }]) => `${table} ${partitionName(partition)}`));
  const backup = await newestBackup(places);
  if (!backup || backup.createdAt < (base.generation?.manifest.createdAt ?? "")) return found;
  for (const file of backup.files)
    if (isIrreplaceable(file) && !isHere(file) && !named.has(`${file.table} ${partitionName(file.partition)}`))
      found.push([file, "it is in no generation that can be read"]);
  return found;
}

const isIrreplaceable = ({ table }: PublishedFile) => IRREPLACEABLE_TABLES.includes(table);

/** What can be made of nothing that is left; the list of imported files can be made again from the files. */
const OBSERVED: readonly string[] = ["enrollment_history", "enrollment_periods"] satisfies TableName[];

const isKnown = (staging: Staging, { table, partition }: PublishedFile) =>
  staging.find(table as TableName, partition) !== undefined;

export interface Mended {
  readonly base: NonNullable<RunReport["base"]>;
  readonly products: ProductReport[];
  /** Why nothing may be published; undefined when everything that was published is there. */
  readonly withheld: string | undefined;
}

/** What became of the damaged files. Where one is not mended, its product failed. */
export function concludeMending(
  mendings: readonly Mending[],
  { base, freshness, staging }: Pick<MendingOptions, "base" | "staging"> & { readonly freshness: Freshness },
  products: readonly ProductReport[],
  isDropAllowed: boolean,
): Mended {
  const unmended = new Set(staging.damaged());
  const faults: { product: Product; words: string; isFailure: boolean }[] = [];
  const files = mendings.map(({ file, problem, restored }) => {
    const table = file.table as TableName;
    const place = `${table} ${partitionName(file.partition)}`.trim();
    const now = staging.find(table, file.partition);
    let outcome = restored?.words ?? "fetched again";
    if (unmended.has(file)) {
      if (isDropAllowed) staging.remove(table, file.partition);
      outcome = isDropAllowed ? "left out (ALLOW_SHRINK=1)" : "lost: there is no copy, and it was not fetched again";
      faults.push({ product: PRODUCT_OF[table], words: `${place}: ${problem}; ${outcome}`, isFailure: !isDropAllowed });
    } else if (!now) outcome = "no longer wanted";
    else if (!restored && OBSERVED.includes(table)) {
      outcome = "lost: there is no copy, and it begins anew (ALLOW_SHRINK=1)";
      faults.push({ product: PRODUCT_OF[table], words: `${place}: ${problem}; ${outcome}`, isFailure: false });
    } else if (restored?.isOlder && now.sha256 === file.sha256) outcome += ", and recorded again as it was";
    else if (restored?.isOlder) {
      outcome += ": what was recorded after that is lost";
      faults.push({ product: PRODUCT_OF[table], words: `${place}: ${problem}; ${outcome}`, isFailure: false });
    }
    return { path: file.path, problem, outcome };
  });
  return {
    base: {
      generation: base.generation ? `${base.generation.manifest.generation}-${base.generation.manifest.id}` : null,
      ...(base.damage ? { problem: base.damage.message } : {}),
      files,
    },
    products: products.map((report) =>
      withFaults(
        report,
        faults.filter(({ product }) => product === report.product),
      ),
    ),
    withheld: withheldFor(
      isDropAllowed ? [] : [...unmended],
      isDropAllowed || !base.damage ? [] : missing(freshness, staging),
    ),
  };
}

function withheldFor(unmended: readonly PublishedFile[], missing: readonly string[]): string | undefined {
  if (unmended.length > 0) return "what was published is damaged and could not be mended";
  if (missing.length > 0)
    return `what was published cannot be read, and of it there is no ${missing.slice(0, 5).join(", no ")}`;
  return undefined;
}

/** What was published once, by the times at which it was looked at, and is not there: no generation says so where none can be read. */
function missing({ products, terms }: Freshness, staging: Staging): string[] {
  const held = new Set(staging.files().map(({ table }) => PRODUCT_OF[table as TableName]));
  const places = new Set(staging.files().map(({ table, partition }) => `${table} ${partitionName(partition)}`));
  return [
    // The history is told in the tables of the catalogue and of the instructors.
    ...Object.keys(products).filter((product) => product !== "history" && !held.has(product as Product)),
    ...Object.keys(terms).filter((term) => !places.has(`sections ${term}`)),
  ];
}

function withFaults(report: ProductReport, faults: readonly { words: string; isFailure: boolean }[]): ProductReport {
  if (faults.length === 0) return report;
  const isFailed = report.status === "failed" || faults.some(({ isFailure }) => isFailure);
  const error =
    report.error ?? (isFailed ? "what was published is damaged: nothing is published without it" : undefined);
  return {
    ...report,
    status: isFailed ? "failed" : "published",
    damaged: [...report.damaged, ...faults.map(({ words }) => words)],
    ...(error === undefined ? {} : { error }),
  };
}
