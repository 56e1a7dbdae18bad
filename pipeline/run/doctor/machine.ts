/** Checks this machine: Node, disk, port. */
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { findLinks, ownFolders } from "../../store/own-folders.ts";
import { hasCode } from "../../disk/disk.ts";
import {
  diskNeed,
  type Folder,
  foldersOf,
  freeBytes,
  fullRemedy,
  nearestExisting,
  readOnlyRemedy,
} from "../disk-need.ts";
import { megabytes } from "../run-report.ts";
import { fault, type Finding, type Findings, note, ok } from "./finding.ts";

/** The version in package.json. */
export const NEEDED_NODE = "20.19";

export function checkNode(version: string): Finding {
  const isOlder = version.localeCompare(NEEDED_NODE, "en", { numeric: true }) < 0;
  return isOlder ? fault(`Node ${version} is too old`, `install Node ${NEEDED_NODE} or later`) : ok(`Node ${version}`);
}

/** Checks space and write permission for each folder; a run writes everything new beside the published data. */
export async function* checkDisk(config: PipelineConfig): Findings {
  const needed = await diskNeed(config);
  for (const folder of foldersOf(config)) yield await checkFolder(folder, needed);
  for (const path of await findLinks(ownFolders(config)))
    yield fault(`${path} is a link, which no run follows`, "move it away");
}

async function checkFolder({ variable, path }: Folder, needed: number): Promise<Finding> {
  const existing = await nearestExisting(path);
  const words = `${variable}: ${path}`;
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    const free = await freeBytes(existing);
    const room = `${words}: ${megabytes(free)} free, a run needs about ${megabytes(needed)}`;
    return free < needed ? fault(room, fullRemedy(variable)) : ok(room);
  } catch (error) {
    if (hasCode(error, "EROFS")) return fault(`${words}: the file system is read-only`, readOnlyRemedy(variable));
    return fault(
      `${words}: this user may not write there (${(error as NodeJS.ErrnoException).code})`,
      `give the folder ${existing} to the user who runs this, or set ${variable} to another one`,
    );
  }
}

export interface Listening {
  readonly host: string;
  readonly port: number;
}

/**
 * Checks the port. @param published the snapshot that a server here should serve; undefined when nothing is published
 */
export async function checkPort({ host, port }: Listening, published: string | undefined): Promise<Finding> {
  if (port === 0) return ok("PORT is 0: the server takes any free port");
  const server = createServer();
  try {
    server.listen({ port, ...(host === "" ? {} : { host }) });
    await once(server, "listening");
    return ok(`port ${port} is free`);
  } catch (error) {
    if (hasCode(error, "EADDRINUSE")) return await checkListener({ host, port }, published);
    if (hasCode(error, "EACCES"))
      return fault(`port ${port}: this user may not listen there`, "set PORT to 1024 or higher");
    if (hasCode(error, "EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"))
      return fault(`HOST: ${host} is not an address of this machine`, "correct HOST, or unset it for every address");
    return fault(`port ${port}: ${String(error)}`, "set PORT and HOST to where the server may listen");
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const HEALTH_MS = 3_000;
/** The time in which a running server loads a new snapshot. */
const SWAP_MS = 2_000;

/** This service's health report names the snapshot that it serves. */
async function checkListener(listening: Listening, published: string | undefined): Promise<Finding> {
  const { port } = listening;
  const began = performance.now();
  for (;;) {
    const report = await readHealth(listening);
    if (!report) return fault(`port ${port}: another program listens there`, "stop it, or set PORT to a free port");
    const listener = `port ${port}: this service listens there already, with status "${report.status}"`;
    if ((report.snapshot ?? undefined) === published)
      return report.status === "ready"
        ? ok(`${listener}, snapshot ${report.snapshot}`)
        : note(listener, "/health/ready says why");
    if (performance.now() - began > SWAP_MS)
      return fault(
        `${listener}, and serves snapshot ${report.snapshot ?? "none"}, not ${published ?? "none"} as published here`,
        "/health/ready says why; if it serves another folder, set PORT to a free port",
      );
    await sleep(SWAP_MS / 10);
  }
}

interface Health {
  readonly status: string;
  readonly snapshot: string | null;
}

/** Returns undefined when it is another program. */
async function readHealth({ host, port }: Listening): Promise<Health | undefined> {
  const isAnywhere = host === "" || host === "0.0.0.0" || host === "::";
  const name = isAnywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(HEALTH_MS);
    const response = await fetch(`http://${name}:${port}/health/ready`, { signal, redirect: "manual" });
    const report = (await response.json()) as Partial<Health> & { readonly generation?: number | null };
    const isOurs = typeof report.status === "string" && report.snapshot !== undefined && "generation" in report;
    return isOurs ? (report as Health) : undefined;
  } catch {
    return undefined;
  }
}
