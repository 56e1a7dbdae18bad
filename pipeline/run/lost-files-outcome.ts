/** Reports the fate of each lost file of the published snapshot, and decides if the run may publish. */
import type { Freshness, Product, PublishedFile } from "../contract/documents/manifest.ts";
import type { ProductReport, RunReport } from "../contract/documents/run-report.ts";
import { IRREPLACEABLE_TABLES, PRODUCT_OF, type TableName } from "../contract/tables.ts";
import { nameOf, partitionName, partitionTitle } from "../store/layout.ts";
import type { Staging } from "../publish/staging.ts";
import type { OpenRun } from "./open-run.ts";
import type { Restorations, Restored } from "./lost-files.ts";

export interface Outcome {
  readonly base: NonNullable<RunReport["base"]>;
  readonly products: ProductReport[];
  /** The reason why nothing may be published; undefined when all published files are there. */
  readonly withheld: string | undefined;
}

/** Tables that each run derives from other tables or from operators' files. */
const DERIVED: readonly string[] = ["section_instructors", "enrollment_imports"] satisfies TableName[];

interface Fault {
  readonly product: Product;
  readonly words: string;
  readonly isFailure: boolean;
}

/**
 * Reports the fate of each lost file, once the products are built.
 * @param isDropAllowed allows a publication without the lost files
 */
export function concludeRestoration(
  restorations: Restorations,
  { base, staging }: OpenRun,
  freshness: Freshness,
  isDropAllowed: boolean,
  products: readonly ProductReport[],
): Outcome {
  const stillLost = new Set(staging.lost());
  const faults: Fault[] = [];
  const files = restorations.files.map(({ file, problem, restored }) => {
    const table = file.table as TableName;
    if (stillLost.has(file) && isDropAllowed) staging.remove(table, file.partition);
    const { outcome, isFault } = stillLost.has(file)
      ? { outcome: isDropAllowed ? LEFT_OUT : LOST, isFault: true }
      : outcomeOf(file, restored, staging.find(table, file.partition));
    const isFailure = stillLost.has(file) && !isDropAllowed;
    const words = `${partitionTitle(file)}: ${problem}; ${outcome}`;
    if (isFault) faults.push({ product: PRODUCT_OF[table], words, isFailure });
    return { path: file.path, problem, outcome };
  });
  const { unknownHistory } = restorations;
  if (unknownHistory !== undefined) faults.push({ product: "enrollment", words: unknownHistory, isFailure: false });
  return {
    base: {
      generation: base.published ? nameOf(base.published.manifest) : null,
      ...(base.damage ? { problem: base.damage.message } : {}),
      files,
    },
    products: products.map((report) =>
      withFaults(
        report,
        faults.filter(({ product }) => product === report.product),
      ),
    ),
    withheld: isDropAllowed ? undefined : withheldFor(restorations, freshness, staging, products),
  };
}

interface FileOutcome {
  readonly outcome: string;
  /** True when some of the published data is lost. */
  readonly isFault?: boolean;
}

const LEFT_OUT = "left out (ALLOW_SHRINK=1)";
const LOST = "lost: there is no copy, and it was not fetched again";

/** `replacement` is the file of this partition after the run. */
function outcomeOf(
  { sha256, table }: PublishedFile,
  restored: Restored | undefined,
  replacement: PublishedFile | undefined,
): FileOutcome {
  if (!restored && table === "sources")
    return { outcome: "lost: there is no copy, and the next crawls are recorded", isFault: true };
  if (!replacement) return { outcome: "no longer wanted" };
  const isSame = replacement.sha256.startsWith(sha256);
  if (!restored && IRREPLACEABLE_TABLES.includes(table) && !isSame)
    return { outcome: "lost: there is no copy, and recording starts again (ALLOW_SHRINK=1)", isFault: true };
  if (!restored) return { outcome: DERIVED.includes(table) ? "made again" : "fetched again" };
  if (!restored.isOlder) return { outcome: restored.words };
  if (isSame) return { outcome: `${restored.words}, and recorded again as it was` };
  return { outcome: `${restored.words}: what was recorded after that is lost`, isFault: true };
}

function withheldFor(
  { isKnownWhole }: Restorations,
  freshness: Freshness,
  staging: Staging,
  products: readonly ProductReport[],
): string | undefined {
  if (staging.lost().length > 0) return "what was published is damaged and could not be repaired";
  if (isKnownWhole) return undefined;
  const names = missing(freshness, staging, products).slice(0, 5).join(", no ");
  return names === "" ? undefined : `what was published cannot be read, and of it there is no ${names}`;
}

/** Returns data that the freshness file names and the run does not have. */
function missing({ products, terms }: Freshness, staging: Staging, reports: readonly ProductReport[]): string[] {
  // A product that was built in this run is complete, even without any table.
  const built = new Set(reports.filter(({ status }) => status === "published").map(({ product }) => product));
  const present = new Set(staging.files().map(({ table }) => PRODUCT_OF[table as TableName]));
  const names = new Set(staging.files().map(({ table, partition }) => `${table} ${partitionName(partition)}`));
  return [
    // The history product has no table.
    ...(Object.keys(products) as Product[]).filter(
      (product) => product !== "history" && !present.has(product) && !built.has(product),
    ),
    ...Object.keys(terms).filter((term) => !names.has(`sections ${term}`)),
  ];
}

function withFaults(report: ProductReport, faults: readonly Fault[]): ProductReport {
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
