/**
 * Where a system's data came from another campus before (the sample, say, or a sample of another size), what is published of it is no measure for
 * what comes now, and must not stand beside it.
 */
import { type PipelineConfig, type System, SYSTEMS } from "../config.ts";
import type { Freshness, Product } from "../contract/manifest.ts";
import type { TableName } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import type { RunMode } from "../products/context.ts";
import { sampleSizeOf } from "../contract/sample-campus.ts";

/** The tables that a system fills, and the product whose freshness tells when. */
const FILLS: Readonly<Partial<Record<System, readonly [product: Product, ...tables: TableName[]]>>> = {
  schedule: [
    "schedule",
    "departments",
    "terms",
    "sections",
    "headings",
    "enrollment_history",
    "enrollment_periods",
    "enrollment_imports",
  ],
  records: ["grades", "grades"],
  catalogue: ["catalogue", "courses"],
  directory: ["instructors", "instructors"],
  calendar: ["calendar", "calendar"],
  larc: ["larc", "larc"],
};

export type Sources = Readonly<Record<string, string>>;

/** The systems whose campus is another one now; an address that changed is still the same campus. */
export function movedSystems(before: Sources, now: Sources): System[] {
  return SYSTEMS.filter((system) => {
    const [old, next] = [before[system], now[system]];
    return old !== undefined && next !== undefined && sampleSizeOf(old) !== sampleSizeOf(next);
  });
}

/** The tables of a product that these systems filled. */
export const movedTables = (moved: readonly System[], product: Product): TableName[] =>
  moved.flatMap((system) => (FILLS[system]?.[0] === product ? (FILLS[system].slice(1) as TableName[]) : []));

/** The sources of the next manifest: where a product failed, what is published of it is still the other campus's. */
export function namesAfter(
  before: Sources,
  now: Sources,
  moved: readonly System[],
  failed: ReadonlySet<Product>,
): Sources {
  const stayed = moved.filter((system) => failed.has(FILLS[system]?.[0] ?? "schedule"));
  return { ...before, ...now, ...Object.fromEntries(stayed.map((system) => [system, before[system] ?? ""])) };
}

/** Freshness without what it says of these systems. */
export function withoutSystems(freshness: Freshness, systems: readonly System[]): Freshness {
  const products = { ...freshness.products };
  for (const system of systems) {
    const product = FILLS[system]?.[0];
    if (product) delete products[product];
  }
  return { ...freshness, products, terms: systems.includes("schedule") ? {} : freshness.terms };
}

/** An hourly run that lost its configuration must not put invented data over real. */
export function guardSource(config: PipelineConfig, mode: RunMode, published: Sources): void {
  const real = Object.entries(published).find(([, source]) => sampleSizeOf(source) === undefined);
  if (mode !== "refresh" || config.sample === undefined || !real) return;
  throw new UsageError(
    `no address is configured, but the published ${real[0]} comes from ${real[1]}: set the addresses again, or run build to publish the sample campus`,
  );
}
