/**
 * The source of a run: the configured addresses, or the embedded sample campus, served by HTTP on loopback. Data of
 * another campus, such as the sample, is neither published beside new data nor compared with it.
 */
import type { Campus } from "../campus/listening/server.ts";
import { spawnCampus } from "../campus/listening/spawn.ts";
import type { Freshness, Product } from "../contract/documents/manifest.ts";
import { type CampusSize, sampleName, sampleSizeOf } from "../contract/sample-campus.ts";
import { UsageError } from "../errors.ts";
import { ADDRESS_VARIABLES, closedText, type PipelineConfig, SYSTEMS, type System } from "../settings/pipeline.ts";
import type { Log } from "../log.ts";
import type { EnrollmentFile } from "../sources/enrollment-files.ts";
import type { RunMode } from "../products/context.ts";
import { STEPS } from "./run-products.ts";

export interface Source {
  readonly addresses: Readonly<Partial<Record<System, URL>>>;
  /** Names by system, for the manifest: an address without its secrets, or the name of the sample. */
  readonly names: Record<string, string>;
  readonly nameOf: (system: System) => string;
  /** Enrollment files in addition to those in `data/enrollment/`. */
  readonly enrollmentFiles?: readonly EnrollmentFile[];
  close(): Promise<void>;
}

/** The sample campus is a separate process, to use another core. */
export async function openSource(config: PipelineConfig, log: Log): Promise<Source> {
  if (config.sample === undefined) {
    const names = Object.fromEntries(
      Object.entries(config.addresses).map(([system, address]) => [system, nameOfAddress(address)]),
    );
    return {
      addresses: config.addresses,
      names,
      nameOf: (system) => names[system] ?? "",
      close: () => Promise.resolve(),
    };
  }
  log.info("no address is configured: crawling the embedded sample campus", { size: config.sample });
  return sampleSource(config.sample, await spawnCampus({ size: config.sample }));
}

/** Wraps a sample campus that is already served. */
export function sampleSource(size: CampusSize, { urls, close }: Campus, systems: readonly System[] = SYSTEMS): Source {
  const name = sampleName(size);
  const eachWith = <T>(value: (system: System) => T) =>
    Object.fromEntries(systems.map((system) => [system, value(system)])) as Record<System, T>;
  return {
    addresses: eachWith((system) => new URL(urls[ADDRESS_VARIABLES[system]])),
    names: eachWith(() => name),
    nameOf: () => name,
    close,
  };
}

/** Removes user, password and query from an address. */
function nameOfAddress(address: URL): string {
  const bare = new URL(address);
  bare.username = "";
  bare.password = "";
  bare.search = "";
  return bare.href;
}

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
