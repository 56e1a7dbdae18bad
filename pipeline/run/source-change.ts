/** Data of another campus, the sample for instance, is not published beside new data, and new data is not compared with it. */
import { closedText, type PipelineConfig, type System, SYSTEMS } from "../settings/pipeline.ts";
import type { Freshness, Product } from "../contract/documents/manifest.ts";
import { UsageError } from "../errors.ts";
import type { RunMode } from "../products/context.ts";
import { sampleSizeOf } from "../contract/sample-campus.ts";
import { STEPS } from "./run-products.ts";

export type Sources = Readonly<Record<string, string>>;

/** The systems whose data comes from another campus now. A new address is not another campus. */
export function changedSources(before: Sources, now: Sources): System[] {
  return SYSTEMS.filter((system) => {
    const [old, next] = [before[system], now[system]];
    return old !== undefined && next !== undefined && sampleSizeOf(old) !== sampleSizeOf(next);
  });
}

const productOf = (system: System): Product | undefined => STEPS.find((step) => step.system === system)?.product;

/** Where a product comes from; undefined where it is made of what other products have. */
export const systemOf = (product: Product): System | undefined =>
  STEPS.find((step) => step.product === product)?.system;

/** The sources of the next manifest. A product that failed still has the data of the campus before. */
export function nextSources(
  before: Sources,
  now: Sources,
  changed: readonly System[],
  failed: ReadonlySet<Product>,
): Sources {
  const kept = changed.filter((system) => failed.has(productOf(system) ?? "schedule"));
  return { ...before, ...now, ...Object.fromEntries(kept.map((system) => [system, before[system] ?? ""])) };
}

/** For report and freshness: a line for each system that is gone; nothing where none is. */
export const closedSystems = ({ closed }: Pick<PipelineConfig, "closed">): Pick<Freshness, "closed"> =>
  closed.length === 0 ? {} : { closed: Object.fromEntries(closed.map((system) => [system, closedText(system)])) };

export function withoutSources(freshness: Freshness, systems: readonly System[]): Freshness {
  const products = { ...freshness.products };
  for (const system of systems) {
    const product = productOf(system);
    if (product) delete products[product];
  }
  return systems.includes("schedule")
    ? { ...freshness, products, terms: {}, endedDepartments: {} }
    : { ...freshness, products };
}

/** A refresh without its configuration must not replace real data by sample data. */
export function guardSource(config: PipelineConfig, mode: RunMode, published: Sources): void {
  const real = Object.entries(published).find(([, source]) => sampleSizeOf(source) === undefined);
  if (mode !== "refresh" || config.sample === undefined || !real) return;
  throw new UsageError(
    `no address is configured, but the published ${real[0]} comes from ${real[1]}: set the addresses again, or run build to publish the sample campus`,
  );
}
