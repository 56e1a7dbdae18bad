/** The configured addresses, or the embedded sample campus, served by HTTP on loopback. */
import { spawnCampus } from "../campus/listening/spawn.ts";
import { ADDRESS_VARIABLES, type PipelineConfig, SYSTEMS, type System } from "../config.ts";
import type { Log } from "../log.ts";
import type { EnrollmentFile } from "../sources/enrollment-files.ts";
import { sampleName } from "../contract/sample-campus.ts";

export interface Source {
  readonly addresses: Readonly<Partial<Record<System, URL>>>;
  /** By system, for the manifest: an address without its secrets, or the name of the sample. */
  readonly names: Record<string, string>;
  readonly nameOf: (system: System) => string;
  /** Beside those in `data/enrollment/`. */
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
  const name = sampleName(config.sample);
  log.info("no address is configured: crawling the embedded sample campus", { size: config.sample });
  const campus = await spawnCampus({ size: config.sample });
  const addresses = Object.fromEntries(
    SYSTEMS.map((system) => [system, new URL(campus.urls[ADDRESS_VARIABLES[system]])]),
  ) as Record<System, URL>;
  return {
    addresses,
    names: Object.fromEntries(SYSTEMS.map((system) => [system, name])),
    nameOf: () => name,
    close: () => campus.close(),
  };
}

/** An address without user, password and query. */
function nameOfAddress(address: URL): string {
  const bare = new URL(address);
  bare.username = "";
  bare.password = "";
  bare.search = "";
  return bare.href;
}
