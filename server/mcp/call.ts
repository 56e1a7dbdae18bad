/** Calls a tool: the same request as over HTTP, within the process, and its response as a structured result. */
import { termName } from "../../pipeline/contract/vocabulary.ts";
import type { Store } from "../snapshot/store.ts";
import { answerBytes, fits, MAX_ANSWER_BYTES, type Result } from "./answer.ts";
import { sectionParts } from "./section-parts.ts";
import type { Arguments, EndpointTool } from "./tool.ts";

/** Parameters that ask for a part of the elements. */
const PAGE: ReadonlySet<string> = new Set(["limit", "offset"]);

/** Parameters that make no list shorter. */
const NO_FILTERS: ReadonlySet<string> = new Set([...PAGE, "instructorIds", "cancelledCourses"]);

/** Asks this server's application, within the process. */
export type Ask = (url: string, init: RequestInit) => Promise<Response>;

/** What a call has of the server. */
export interface Caller {
  readonly ask: Ask;
  readonly store: Store;
  /** Resolves when a body of so many bytes may be held; the returned function ends it. @throws Problem (503) */
  readonly hold: (bytes: number) => Promise<() => void>;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** A failure whose text is for whoever called the tool. */
export class ToolProblem extends Error {
  override name = "ToolProblem";
}

/** The texts of `Warning: 299 - "…"`. */
function readWarnings(header: string | null): string[] {
  return [...(header ?? "").matchAll(/299 - "([^"]*)"/g)].map(([, text = ""]) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  });
}

/** What would make the result smaller: the parameters that were not given, with their values where these are few. */
function toNarrow({ record, params }: EndpointTool, given: Arguments): string {
  const more = record.params
    .filter((name) => !NO_FILTERS.has(name) && (given[name] ?? undefined) === undefined)
    .map((name) => {
      const values = params[name]?.schema.enum?.filter((value) => value !== "ANY" && value !== "ALL") ?? [];
      return values.length > 0 ? `${name} (${values.join(", ")})` : name;
    });
  const part = `limit (at most ${record.most?.[0]}) and offset for a part of them`;
  const ways = [
    ...(more.length > 0 ? [`Narrow by ${more.join(", ")}.`] : []),
    ...(record.params.includes("limit") ? [`Give ${part}.`] : []),
  ];
  return ways.join(" ");
}

/** Reads a body as JSON, whose bytes count among those of all large responses. */
async function readJson(response: Response, hold: Caller["hold"]): Promise<unknown> {
  const end = await hold(Number(response.headers.get("content-length") ?? 0));
  try {
    return await response.json();
  } finally {
    end();
  }
}

async function request(tool: EndpointTool, given: Arguments, { ask, store, hold, ...caller }: Caller): Promise<Result> {
  const response = await ask(tool.toUrl(given), {
    signal: caller.signal,
    headers: { "x-request-id": caller.requestId },
  });
  const { headers } = response;
  if (!response.ok) throw new ToolProblem(((await response.json()) as { message: string }).message);
  const warnings = readWarnings(headers.get("warning"));
  const modified = headers.get("last-modified");
  const result = {
    snapshot: headers.get("x-data-snapshot") ?? "",
    ...(modified ? { updated: new Date(modified).toISOString() } : {}),
    warnings,
  };
  if (headers.get("x-cache") === "MISS") {
    const terms = store.current()?.publishedTerms("sections").map(termName) ?? [];
    warnings.push(`this term is not published here; the published terms are ${terms.join(", ")}`);
  }
  const counted = headers.get("x-total-count");
  if (counted === null) return { ...result, data: await readJson(response, hold) };
  const total = Number(counted);
  const { most: [most, noun] = [Infinity, ""], isRanked } = tool.record;
  const isPage = [...PAGE].some((name) => (given[name] ?? undefined) !== undefined);
  const narrow = (shown: string) => ({ narrow: `${total} ${noun} match, ${shown}. ${toNarrow(tool, given)}` });
  if (!isRanked && !isPage && total > most) {
    await response.body?.cancel();
    return { ...result, total, ...narrow(`and a result has at most ${most}: none are shown`) };
  }
  const data = (await readJson(response, hold)) as unknown[];
  const isFirst = isRanked && !isPage && data.length < total;
  return { ...result, total, data, ...(isFirst ? narrow(`the best ${data.length} are shown`) : {}) };
}

/** Without its data, and with the call that brings it. */
function withoutData({ data, ...result }: Result, { record }: EndpointTool): Result {
  const parts = record.params.includes("sectionCodes") ? sectionParts(data, MAX_ANSWER_BYTES) : [];
  const how =
    parts.length > 1
      ? `Give one of these values of sectionCodes in each call: ${parts.join(", ")}.`
      : `Select the columns that you need with the tool sql, FROM ${record.path.split("/")[1]}.`;
  return { ...result, narrow: `The data alone is longer than an answer may be. ${how}` };
}

/**
 * A list that is longer than an answer may be is given as far as it fits.
 * @throws ToolProblem, and Problem for arguments that no request can have
 */
export async function callTool(tool: EndpointTool, given: Arguments, caller: Caller): Promise<Result> {
  const { record } = tool;
  let result = await request(tool, given, caller);
  const { total } = result;
  if (fits(result)) return result;
  if (total === undefined || !record.most) return withoutData(result, tool);
  const [most, noun] = record.most;
  const offset = Number(given["offset"] ?? 0);
  let count = Math.min(Number(given["limit"] ?? most), total - offset);
  while (count > 1) {
    // Elements differ in their lengths.
    const likely = Math.floor((0.95 * count * MAX_ANSWER_BYTES) / answerBytes(result));
    count = Math.max(1, Math.min(likely, count - 1));
    result = {
      ...(await request(tool, { ...given, limit: count }, caller)),
      narrow: `${total} ${noun} match; ${count} are shown, which is what an answer holds. Give offset ${offset + count} for the next ones.`,
    };
    if (fits(result)) return result;
  }
  return withoutData(result, tool);
}
