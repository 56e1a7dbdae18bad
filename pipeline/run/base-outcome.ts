/** What became of a damaged base in a run: what was neither restored nor fetched again fails its product, and nothing is published without it. */
import type { Mendings } from "./base-repair.ts";
import type { Freshness, Product, PublishedFile } from "../contract/manifest.ts";
import type { ProductReport, RunReport } from "../contract/run-report.ts";
import { PRODUCT_OF, type TableName } from "../contract/tables.ts";
import type { Base } from "../publish/generation.ts";
import { partitionName } from "../publish/layout.ts";
import type { Staging } from "../publish/staging.ts";

/** What can be made of nothing that is left; the list of imported files can be made again from the files. */
const OBSERVED: readonly string[] = ["enrollment_history", "enrollment_periods"] satisfies TableName[];

export interface Mended {
  readonly base: NonNullable<RunReport["base"]>;
  readonly products: ProductReport[];
  /** Why nothing may be published; undefined when everything that was published is there. */
  readonly withheld: string | undefined;
}

/** What became of the damaged files. Where one is not mended, its product failed. */
export function concludeMending(
  mendings: Mendings,
  { base, freshness, staging }: { readonly base: Base; readonly freshness: Freshness; readonly staging: Staging },
  products: readonly ProductReport[],
  isDropAllowed: boolean,
): Mended {
  const unmended = new Set(staging.damaged());
  const faults: { product: Product; words: string; isFailure: boolean }[] = [];
  const files = mendings.files.map(({ file, problem, restored }) => {
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
      isDropAllowed || mendings.isKnownWhole ? [] : missing(freshness, staging, products),
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
function missing({ products, terms }: Freshness, staging: Staging, reports: readonly ProductReport[]): string[] {
  // One that was looked at in this run may have nothing.
  const looked = new Set(reports.filter(({ status }) => status === "published").map(({ product }) => product));
  const held = new Set(staging.files().map(({ table }) => PRODUCT_OF[table as TableName]));
  const places = new Set(staging.files().map(({ table, partition }) => `${table} ${partitionName(partition)}`));
  return [
    // The history is told in the tables of the catalogue and of the instructors.
    ...(Object.keys(products) as Product[]).filter(
      (product) => product !== "history" && !held.has(product) && !looked.has(product),
    ),
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
