/** Detects data of another campus, such as the sample: it is neither published beside new data nor compared with it. */
import { closedText, type PipelineConfig, type System, SYSTEMS } from "../settings/pipeline.ts";
import type { Freshness, Product } from "../contract/documents/manifest.ts";
import { UsageError } from "../errors.ts";
import type { RunMode } from "../products/context.ts";
import { sampleSizeOf } from "../contract/sample-campus.ts";
import { STEPS } from "./run-products.ts";

export type Sources = Readonly<Record<string, string>>;

/** The systems whose data comes from another campus now. A new address is not another campus. */
export function changedSources(published: Sources, now: Sources): System[] {
  return SYSTEMS.filter((system) => {
    const [old, next] = [published[system], now[system]];
    return old !== undefined && next !== undefined && sampleSizeOf(old) !== sampleSizeOf(next);
  });
}

const productOf = (system: System): Product | undefined => STEPS.find((step) => step.system === system)?.product;

/** Returns the system that a product comes from; undefined when it is derived from other products. */
export const systemOf = (product: Product): System | undefined =>
  STEPS.find((step) => step.product === product)?.system;

/** Returns the sources of the next manifest. A product that failed still has the data of the previous campus. */
export function nextSources(
  published: Sources,
  now: Sources,
  changed: readonly System[],
  failed: ReadonlySet<Product>,
): Sources {
  const kept = changed.filter((system) => failed.has(productOf(system) ?? "schedule"));
  return { ...published, ...now, ...Object.fromEntries(kept.map((system) => [system, published[system] ?? ""])) };
}

/** Lists the systems that are gone, for report and freshness; empty when there are none. */
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
