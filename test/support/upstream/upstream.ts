/**
 * A test double of the upstream systems: serves a world on loopback in the sample campus's pages, records every
 * request, injects faults.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { CampusResponse } from "../../../pipeline/campus/listening/response.ts";
import { htmlResponse } from "../../../pipeline/campus/html.ts";
import {
  dispatch,
  isBelow,
  listen,
  readTarget,
  sendResponse,
  type RequestTarget,
} from "../../../pipeline/campus/listening/http.ts";
import {
  createSystems,
  SYSTEM_PATHS,
  type CampusSystem,
  type CampusUrl,
} from "../../../pipeline/campus/listening/systems.ts";
import { activate, type Fault } from "./faults.ts";
import { sendFaulty } from "./faulty-responses.ts";
import { createExports, type ExportOptions } from "../worlds/world-exports.ts";
import { toPageData } from "../worlds/world-pages.ts";
import type { World } from "../worlds/world.ts";
import { encodeXml, type XmlEncoding } from "./xml-encoding.ts";

export interface UpstreamOptions extends ExportOptions {
  /** Milliseconds before every response. */
  latency?: number;
  faults?: Fault[];
  quirks?: XmlEncoding;
}

export interface UpstreamRequest {
  system: string;
  path: string;
  params: Record<string, string>;
  /** Null until the response ends, and when none was begun. */
  status: number | null;
  /** Null when no fault was injected. */
  fault: string | null;
}

export interface Upstream {
  urls: Readonly<Record<CampusUrl, string>>;
  requests: UpstreamRequest[];
  stats(): { maxConcurrent: number; faults: { fired: number }[] };
  setWorld(world: World): void;
  setFaults(rules: Fault[]): void;
  /** The Date of its responses; by default the time is right. */
  setClock(clock?: () => Date): void;
  /** Clears the recorded requests. */
  reset(): void;
  close(): Promise<void>;
}

const RATE_LIMIT_PATH = "/slow-down.html";

export async function startUpstream(first: World, options: UpstreamOptions = {}): Promise<Upstream> {
  const { latency = 0, quirks = {} } = options;
  const systemsOf = (world: World) => createSystems(toPageData(world), createExports(world, options));
  let systems = systemsOf(first);
  let faults = activate(options.faults ?? []);
  let clock: (() => Date) | undefined;
  const requests: UpstreamRequest[] = [];
  let inFlight = 0;
  let maxConcurrent = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = await readTarget(request);
    const entry: UpstreamRequest = {
      system: systemName(target.path),
      path: target.path,
      params: Object.fromEntries(target.params),
      status: null,
      fault: null,
    };
    requests.push(entry);
    maxConcurrent = Math.max(maxConcurrent, ++inFlight);
    response.on("close", () => {
      inFlight--;
      entry.status = response.headersSent ? response.statusCode : null;
    });
    const fault = target.path === RATE_LIMIT_PATH ? undefined : faults.next(entry);
    entry.fault = fault ? "injected" : null;
    if (latency > 0) await sleep(latency);
    // A rewritten page is not the client's cached one.
    if (fault?.rewrite) for (const name of ["if-none-match", "if-modified-since"]) delete request.headers[name];
    if (clock) response.setHeader("Date", clock().toUTCString());
    const answer = encodeXml(answerAt(target, request, systems), quirks);
    if (fault) await sendFaulty(fault, answer, request, response, RATE_LIMIT_PATH);
    else sendResponse(request, response, answer);
  }

  const { urls, close } = await listen((request, response) => {
    handle(request, response).catch(() => response.destroy());
  }, 0);
  return {
    urls,
    requests,
    stats: () => ({ maxConcurrent, faults: faults.report() }),
    setWorld: (world) => void (systems = systemsOf(world)),
    setFaults: (rules) => void (faults = activate(rules)),
    setClock: (next) => void (clock = next),
    reset() {
      requests.length = 0;
      maxConcurrent = inFlight;
    },
    close,
  };
}

/** `schedule`, `records` and so on. */
function systemName(path: string): string {
  const [name = "NONE_URL"] = Object.entries(SYSTEM_PATHS).find(([, below]) => isBelow(below, path)) ?? [];
  return name.replace("_URL", "").toLowerCase();
}

const answerAt = (target: RequestTarget, request: IncomingMessage, systems: readonly CampusSystem[]): CampusResponse =>
  target.path === RATE_LIMIT_PATH
    ? htmlResponse("Slow down", "<h1>Too many requests</h1>")
    : dispatch(target, request, systems);
