/** A damaged file that was neither restored nor fetched again fails its product, and nothing is published without it. */
import type { Repairs } from "./base-repair.ts";
import type { Freshness, Product } from "../../contract/documents/manifest.ts";
import type { ProductReport, RunReport } from "../../contract/documents/run-report.ts";
import { IRREPLACEABLE_TABLES, PRODUCT_OF, type TableName } from "../../contract/tables.ts";
import type { Base } from "../../generations/base.ts";
import { nameOf, partitionName, partitionTitle } from "../../generations/layout.ts";
import type { Staging } from "../../publish/staging.ts";

export interface RepairOutcome {
  readonly base: NonNullable<RunReport["base"]>;
  readonly products: ProductReport[];
  /** Why nothing may be published; undefined when everything that was published is there. */
  readonly withheld: string | undefined;
}

interface RepairedRun {
  readonly base: Base;
  readonly freshness: Freshness;
  readonly staging: Staging;
  /** Publishes without what is lost. */
  readonly isDropAllowed: boolean;
}

/** Made in each run, from other tables or from operators' files. */
const DERIVED: readonly string[] = ["section_instructors", "enrollment_imports"] satisfies TableName[];

export function concludeRepair(
  repairs: Repairs,
  { base, freshness, staging, isDropAllowed }: RepairedRun,
  products: readonly ProductReport[],
): RepairOutcome {
  const unrepaired = new Set(staging.damaged());
  const faults: { product: Product; words: string; isFailure: boolean }[] = [];
  const files = repairs.files.map(({ file, problem, restored }) => {
    const table = file.table as TableName;
    const name = partitionTitle(file);
    const now = staging.find(table, file.partition);
    let outcome = restored?.words ?? (DERIVED.includes(table) ? "made again" : "fetched again");
    if (unrepaired.has(file)) {
      if (isDropAllowed) staging.remove(table, file.partition);
      outcome = isDropAllowed ? "left out (ALLOW_SHRINK=1)" : "lost: there is no copy, and it was not fetched again";
      faults.push({ product: PRODUCT_OF[table], words: `${name}: ${problem}; ${outcome}`, isFailure: !isDropAllowed });
    } else if (!restored && table === "sources") {
      outcome = "lost: there is no copy, and the next crawls are recorded";
      faults.push({ product: PRODUCT_OF[table], words: `${name}: ${problem}; ${outcome}`, isFailure: false });
    } else if (!now) outcome = "no longer wanted";
    else if (!restored && IRREPLACEABLE_TABLES.includes(table) && !now.sha256.startsWith(file.sha256)) {
      outcome = "lost: there is no copy, and recording starts again (ALLOW_SHRINK=1)";
      faults.push({ product: PRODUCT_OF[table], words: `${name}: ${problem}; ${outcome}`, isFailure: false });
    } else if (restored?.isOlder && now.sha256.startsWith(file.sha256)) outcome += ", and recorded again as it was";
    else if (restored?.isOlder) {
      outcome += ": what was recorded after that is lost";
      faults.push({ product: PRODUCT_OF[table], words: `${name}: ${problem}; ${outcome}`, isFailure: false });
    }
    return { path: file.path, problem, outcome };
  });
  const { unknownHistory } = repairs;
  if (unknownHistory !== undefined) faults.push({ product: "enrollment", words: unknownHistory, isFailure: false });
  return {
    base: {
      generation: base.generation ? nameOf(base.generation.manifest) : null,
      ...(base.damage ? { problem: base.damage.message } : {}),
      files,
    },
    products: products.map((report) =>
      withFaults(
        report,
        faults.filter(({ product }) => product === report.product),
      ),
    ),
    withheld: isDropAllowed ? undefined : withheldFor(repairs, { freshness, staging }, products),
  };
}

function withheldFor(
  { isKnownWhole }: Repairs,
  { freshness, staging }: Pick<RepairedRun, "freshness" | "staging">,
  products: readonly ProductReport[],
): string | undefined {
  if (staging.damaged().length > 0) return "what was published is damaged and could not be repaired";
  if (isKnownWhole) return undefined;
  const gone = missing(freshness, staging, products);
  if (gone.length > 0)
    return `what was published cannot be read, and of it there is no ${gone.slice(0, 5).join(", no ")}`;
  return undefined;
}

/** What the freshness file names and the run does not have. */
function missing({ products, terms }: Freshness, staging: Staging, reports: readonly ProductReport[]): string[] {
  const built = builtProducts(reports);
  const held = new Set(staging.files().map(({ table }) => PRODUCT_OF[table as TableName]));
  const names = new Set(staging.files().map(({ table, partition }) => `${table} ${partitionName(partition)}`));
  return [
    // The history has no table of its own.
    ...(Object.keys(products) as Product[]).filter(
      (product) => product !== "history" && !held.has(product) && !built.has(product),
    ),
    ...Object.keys(terms).filter((term) => !names.has(`sections ${term}`)),
  ];
}

/** Products that this run built: what they have now is all that there is. */
const builtProducts = (reports: readonly ProductReport[]): ReadonlySet<Product> =>
  new Set(reports.filter(({ status }) => status === "published").map(({ product }) => product));

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
