/**
 * Checks each configured address with a single request: what it offers, and how long a full crawl takes. Also compares
 * this machine's clock with theirs.
 */
import pLimit, { type LimitFunction } from "p-limit";
import { ADDRESS_VARIABLES, closedText, type PipelineConfig, type System, SYSTEMS } from "../../settings/pipeline.ts";
import { UpstreamBadResponse, UpstreamError, UpstreamRefused, UpstreamTimeout } from "../../errors.ts";
import { createClient, type RequestPolicy } from "../../sources/client/http.ts";
import { requestPolicyFor } from "../../sources/client/request-policy.ts";
import { fault, type Finding, type Findings, note, ok } from "./finding.ts";
import { LOOKS, type Offered } from "./pages.ts";

interface Looked {
  readonly finding: Finding;
  /** How far this machine's clock is ahead of the system's; undefined without a Date. */
  readonly aheadMs: number | undefined;
}

export async function* checkAddresses(
  config: PipelineConfig,
  env: Readonly<Record<string, unknown>>,
  now: () => Date,
): Findings {
  const systems = SYSTEMS.filter((system) => config.addresses[system] !== undefined);
  if (config.follows) yield ok("FOLLOW_URL is set: nothing is crawled");
  else if (config.sample !== undefined)
    yield ok(`no address is set: the sample campus is crawled (SAMPLE is ${config.sample})`);
  for (const system of config.closed) yield ok(closedText(system));
  // Systems may share a host, which gets one request at a time.
  const turns = new Map<string, LimitFunction>();
  const looks = systems.map((system) => {
    const { host } = config.addresses[system] as URL;
    const turn = turns.get(host) ?? pLimit(1);
    turns.set(host, turn);
    return turn(() => look(system, config, nameOf(system, env), now));
  });
  const aheadMs: number[] = [];
  for (const looked of looks) {
    const { aheadMs: ahead, finding } = await looked;
    if (ahead !== undefined) aheadMs.push(ahead);
    yield finding;
  }
  if (systems.length > 0) yield checkClock(aheadMs);
}

const nameOf = (system: System, env: Readonly<Record<string, unknown>>): string =>
  env[ADDRESS_VARIABLES[system]] ? ADDRESS_VARIABLES[system] : `${ADDRESS_VARIABLES[system]} of CAMPUS`;

async function look(system: System, config: PipelineConfig, name: string, now: () => Date): Promise<Looked> {
  const url = config.addresses[system] as URL;
  const policy = requestPolicyFor(url, config);
  const client = createClient(system, { ...policy, retries: 0 });
  let aheadMs: number | undefined;
  const began = performance.now();
  const observed: typeof client = {
    ...client,
    request: (request, read) =>
      client.request(request, (response) => {
        const date = Date.parse(response.headers.get("date") ?? "");
        if (Number.isFinite(date)) aheadMs = now().getTime() - date;
        return read(response);
      }),
  };
  try {
    const offered = await LOOKS[system]({ client: observed, url, config, lastYear: now().getFullYear() + 1 });
    return { finding: ok(`${name}: ${crawlText(offered, policy, performance.now() - began)}`), aheadMs };
  } catch (error) {
    return { finding: toFault(name, error), aheadMs };
  }
}

function crawlText({ offers, requests }: Offered, { concurrency, pauseMs }: RequestPolicy, ms: number): string {
  const answered = `${offers} (answered in ${(ms / 1000).toFixed(1)} s)`;
  if (requests === undefined) return `${answered}; a full crawl sends a request for each instructor`;
  // With one request at a time the pause follows the response.
  const each = concurrency === 1 ? pauseMs + ms : Math.max(pauseMs, ms / concurrency);
  return `${answered}; a full crawl sends about ${requests} requests in ${durationText(requests * each)} or more, with a pause of ${pauseMs} ms`;
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

function toFault(name: string, error: unknown): Finding {
  if (!(error instanceof UpstreamError)) return fault(`${name}: ${String(error)}`, `correct ${name}`);
  const what = `${name}: ${error.message}`;
  if (error instanceof UpstreamTimeout)
    return fault(what, "try again later, or raise UPSTREAM_TIMEOUT_MS if the system is slow");
  if (error instanceof UpstreamBadResponse)
    return fault(what, "open the address in a browser: it is not the page that this program reads, or it has changed");
  if (error instanceof UpstreamRefused && error.status !== undefined)
    return fault(what, "open the address in a browser: the page has moved, or the system refuses programs");
  return fault(what, `check the spelling of ${name}, and the network`);
}

/** A wrong clock records wrong days. Dates of responses are whole seconds, and responses take some time. */
const CLOCK_MS = 3 * 60_000;

function checkClock(aheadMs: readonly number[]): Finding {
  // A system's clock may be wrong: believe the one that agrees most.
  const [least] = [...aheadMs].sort((a, b) => Math.abs(a) - Math.abs(b));
  if (least === undefined)
    return note("the clock cannot be compared: no address sent a Date", "check it by hand: `date -u`");
  const minutes = Math.round(Math.abs(least) / 60_000);
  if (Math.abs(least) < CLOCK_MS) return ok("the clock agrees with that of the addresses");
  return fault(
    `the clock is ${minutes} minutes ${least > 0 ? "ahead of" : "behind"} that of the addresses`,
    "set it by NTP (`timedatectl set-ntp true`): days that are wrong are not recorded",
  );
}
