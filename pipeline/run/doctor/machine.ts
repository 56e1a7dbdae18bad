/** What this machine has: Node, disk, port. */
import { once } from "node:events";
import { access, constants, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import type { PipelineConfig } from "../../config.ts";
import { diskReader, hasCode } from "../../generations/disk-reader.ts";
import { readCurrent } from "../../generations/generation.ts";
import { diskNeed, FIRST_BUILD_BYTES } from "../disk-need.ts";
import { megabytes } from "../run-report.ts";
import { fault, type Finding, type Findings, note, ok } from "./finding.ts";

/** As package.json says. */
export const NEEDED_NODE = "20.19";

export function checkNode(version: string): Finding {
  const isOlder = version.localeCompare(NEEDED_NODE, "en", { numeric: true }) < 0;
  return isOlder ? fault(`Node ${version} is too old`, `install Node ${NEEDED_NODE} or later`) : ok(`Node ${version}`);
}

/** Room and permission to write, for each folder; a run writes everything new beside what is published. */
export async function* checkDisk({ artifactsDir, dataDir, sample }: PipelineConfig): Findings {
  const published = await readCurrent(artifactsDir).catch(() => undefined);
  const needed = published ? diskNeed(published.manifest.files) : FIRST_BUILD_BYTES[sample ?? "full"];
  const folders = [
    ["ARTIFACTS_DIR", artifactsDir],
    ["DATA_DIR", dataDir],
  ] as const;
  for (const [variable, path] of folders) yield await checkFolder(variable, path, needed);
}

async function checkFolder(variable: string, path: string, needed: number): Promise<Finding> {
  const existing = await nearestExisting(path);
  const words = `${variable}: ${path}`;
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(existing);
    const room = `${megabytes(bavail * bsize)} free, a run needs about ${megabytes(needed)}`;
    if (bavail * bsize < needed)
      return fault(`${words}: ${room}`, `make room there, shorten RETAIN, or set ${variable} to a larger disk`);
    return ok(`${words}: ${room}`);
  } catch (error) {
    if (hasCode(error, "EROFS"))
      return fault(`${words}: the file system is read-only`, `mount it writable, or set ${variable} to another disk`);
    return fault(
      `${words}: this user may not write there (${(error as NodeJS.ErrnoException).code})`,
      `give the folder ${existing} to the user who runs this, or set ${variable} to another one`,
    );
  }
}

/** The folder itself, or the one in which it would be made. */
async function nearestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at))
    if ((await diskReader.stat(at)) !== undefined || at === dirname(at)) return at;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
}

export async function checkPort({ host, port }: Listening): Promise<Finding> {
  if (port === 0) return ok("PORT is 0: the server takes any free port");
  const server = createServer();
  try {
    server.listen({ port, ...(host === "" ? {} : { host }) });
    await once(server, "listening");
    return ok(`port ${port} is free`);
  } catch (error) {
    if (hasCode(error, "EADDRINUSE")) return await checkListener({ host, port });
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

/** Our own server says in its health report which snapshot it serves. */
async function checkListener({ host, port }: Listening): Promise<Finding> {
  const isAnywhere = host === "" || host === "0.0.0.0" || host === "::";
  const name = isAnywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(HEALTH_MS);
    const response = await fetch(`http://${name}:${port}/health/ready`, { signal, redirect: "manual" });
    const report = (await response.json()) as { status?: string; snapshot?: string | null; generation?: number | null };
    if (typeof report.status === "string" && "snapshot" in report && "generation" in report) {
      const found = `port ${port}: this service listens there already, with status "${report.status}"`;
      return report.status === "ready"
        ? ok(`${found}, snapshot ${report.snapshot}`)
        : note(found, "/health/ready says why");
    }
  } catch {
    // Then it is another program.
  }
  return fault(`port ${port}: another program listens there`, "stop that one, or set PORT to a free port");
}
