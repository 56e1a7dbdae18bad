/** Calls a tool: the same request as over HTTP, within the process, and its response as a structured result. */
import { termName } from "../../pipeline/contract/vocabulary.ts";
import type { Store } from "../snapshot/store.ts";
import type { Arguments, EndpointTool } from "./tool.ts";

export interface Result {
  readonly snapshot: string;
  readonly updated?: string;
  readonly total?: number;
  readonly data?: unknown;
  readonly warnings: readonly string[];
  readonly narrow?: string;
}

/** Parameters that ask for a part of the elements. */
const PAGE: ReadonlySet<string> = new Set(["limit", "offset"]);

/** Parameters that make no list shorter. */
const NO_FILTERS: ReadonlySet<string> = new Set([...PAGE, "instructorIds", "cancelledCourses"]);

/** Asks this server's application, within the process. */
export type Ask = (url: string, init: RequestInit) => Promise<Response>;

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

/** @throws ToolProblem, and Problem for arguments that no request can have */
export async function callTool(
  tool: EndpointTool,
  given: Arguments,
  { ask, store, requestId, signal }: { ask: Ask; store: Store; requestId: string; signal: AbortSignal },
): Promise<Result> {
  const response = await ask(tool.toUrl(given), { signal, headers: { "x-request-id": requestId } });
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
  if (counted === null) return { ...result, data: await response.json() };
  const total = Number(counted);
  const { most: [most, noun] = [Infinity, ""], isRanked } = tool.record;
  const isPage = [...PAGE].some((name) => (given[name] ?? undefined) !== undefined);
  const narrow = (shown: string) => ({ narrow: `${total} ${noun} match, ${shown}. ${toNarrow(tool, given)}` });
  if (!isRanked && !isPage && total > most) {
    await response.body?.cancel();
    return { ...result, total, ...narrow(`and a result has at most ${most}: none are shown`) };
  }
  const data = (await response.json()) as unknown[];
  const isFirst = isRanked && !isPage && data.length < total;
  return { ...result, total, data, ...(isFirst ? narrow(`the best ${data.length} are shown`) : {}) };
}
