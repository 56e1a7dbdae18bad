/** The sample campus on loopback HTTP: one server, seven systems, each under a path of its own. */
import { htmlResponse } from "../html.ts";
import { dispatch, listen, readTarget, sendResponse } from "./http.ts";
import { createRecords } from "../records/records.ts";
import { createSystems, type CampusUrl } from "./systems.ts";
import type { CampusSize } from "../../contract/sample-campus.ts";
import { createWorld, type CampusWorld } from "../world.ts";

export interface CampusOptions {
  readonly size: CampusSize;
  /** Another seed is another university. */
  readonly seed?: number;
  /** What time it is on campus; the hour decides what every page says. */
  readonly clock?: () => Date;
  /** 0, the default, is any free port. */
  readonly port?: number;
}

export interface Campus {
  /** The address of each system, by the environment variable that it belongs in. */
  readonly urls: Readonly<Record<CampusUrl, string>>;
  close(): Promise<void>;
}

export const DEFAULT_SEED = 2014;

/** Starts the campus in this process; `world` shows what it was made of. */
export async function startCampus(options: CampusOptions): Promise<Campus & { readonly world: CampusWorld }> {
  const { size, seed = DEFAULT_SEED, clock = () => new Date(), port = 0 } = options;
  const world = createWorld({ size, seed, clock });
  return { world, ...(await serveWorld(world, port, clock)) };
}

/** Serves a campus that is made already; its responses are dated by its clock. */
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
