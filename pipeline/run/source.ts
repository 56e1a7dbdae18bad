/** Provides the configured addresses, or the embedded sample campus, served by HTTP on loopback. */
import type { Campus } from "../campus/listening/server.ts";
import { spawnCampus } from "../campus/listening/spawn.ts";
import { ADDRESS_VARIABLES, type PipelineConfig, SYSTEMS, type System } from "../settings/pipeline.ts";
import type { Log } from "../log.ts";
import type { EnrollmentFile } from "../sources/enrollment-files.ts";
import { type CampusSize, sampleName } from "../contract/sample-campus.ts";

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
