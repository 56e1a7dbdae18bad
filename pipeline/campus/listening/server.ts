/** The sample campus on loopback HTTP: one server, seven systems, each under its own path. */
import { htmlResponse } from "../html.ts";
import { dispatch, listen, readTarget, sendResponse } from "./http.ts";
import { createRecords } from "../records/records.ts";
import { createSystems, type CampusUrl } from "./systems.ts";
import type { CampusSize } from "../../contract/sample-campus.ts";
import { createWorld, type CampusWorld } from "../world.ts";

export interface CampusOptions {
  readonly size: CampusSize;
  /** Another seed creates another university. */
  readonly seed?: number;
  /** The time on campus; the hour determines the content of every page. */
  readonly clock?: () => Date;
  /** Defaults to 0, any free port. */
  readonly port?: number;
}

export interface Campus {
  /** The address of each system, by its environment variable. */
  readonly urls: Readonly<Record<CampusUrl, string>>;
  close(): Promise<void>;
}

export const DEFAULT_SEED = 2014;

/** Starts the campus in this process; `world` is the data behind it. */
export async function startCampus(options: CampusOptions): Promise<Campus & { readonly world: CampusWorld }> {
  const { size, seed = DEFAULT_SEED, clock = () => new Date(), port = 0 } = options;
  const world = createWorld({ size, seed, clock });
  return { world, ...(await serveWorld(world, port, clock)) };
}

/** Serves an existing campus; its responses are dated by its clock. */
export async function serveWorld(world: CampusWorld, port = 0, clock = () => new Date()): Promise<Campus> {
  const systems = createSystems(world, createRecords(world));
  return listen((request, response) => {
    readTarget(request)
      .then((target) => dispatch(target, request, systems))
      .catch((error: unknown) => htmlResponse("Error", `<h1>Error</h1><p>${String(error)}</p>`, 500))
      .then((answer) => sendResponse(request, response.setHeader("Date", clock().toUTCString()), answer))
      .catch(() => response.destroy());
  }, port);
}
