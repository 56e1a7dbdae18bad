/** Paging of lists: `limit`, `offset`, `X-Total-Count` and `Link` (server/RULES.md, HTTP). */
import { z } from "zod";
import { type Fragment, sql } from "../duckdb/sql.ts";
import type { Endpoint, List, EndpointResult, Page, RelatedLink } from "./endpoint.ts";
import { type Examples, formOf, type Param, type Params, type ValuesOf } from "./params.ts";
import { REQUEST_LIMITS } from "./request-limits.ts";
import { quotable } from "./warnings.ts";

const MAX_ROWS = REQUEST_LIMITS.rows.most;
/** Keeps Link short, because clients limit response headers (Node's to 16 KB). */
const MAX_LINK_BYTES = 8192;

const wholeNumber = (value: string): number =>
  /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : NaN;

/** Declares `limit`. @param usual the default; undefined = all elements */
export const limitParam = (usual?: number, elements = "elements"): Param<number> => ({
  ...formOf(
    `maximum number of ${elements}; ${usual ?? "all"} by default`,
    (value) => {
      const limit = wholeNumber(value);
      return limit >= 1 && limit <= MAX_ROWS ? limit : undefined;
    },
    `a number from 1 to ${MAX_ROWS}`,
  ),
  schema: {
    type: "integer",
    minimum: 1,
    maximum: MAX_ROWS,
    ...(usual === undefined ? {} : { default: usual }),
    examples: [100],
  },
});

const offsetParam = (elements?: string): Param<number> => ({
  ...formOf(
    `number of ${elements ?? "elements"} to skip`,
    (value) => {
      const offset = wholeNumber(value);
      return Number.isNaN(offset) ? undefined : offset;
    },
    "a number from 0 on",
  ),
  schema: { type: "integer", minimum: 0, examples: [100] },
});

/** See `Examples`. */
export const PAGING_EXAMPLES = {
  limit: [
    ["1", 1],
    ["10000", 10_000],
    ["0", undefined],
    ["10001", undefined],
    ["all", undefined],
  ],
  offset: [
    ["0", 0],
    ["100", 100],
    ["-1", undefined],
  ],
} as const satisfies Record<string, Examples>;

export const isPaged = ({ returns, pagesOf }: Pick<Endpoint, "returns" | "pagesOf">): boolean =>
  pagesOf !== undefined || returns.schema instanceof z.ZodArray;

/** Returns the paging parameters of an endpoint that returns an array or declares what its pages consist of. */
export function pageParams(endpoint: Endpoint): Params {
  if (!isPaged(endpoint)) return {};
  const { params, pagesOf } = endpoint;
  return { limit: params["limit"] ?? limitParam(undefined, pagesOf), offset: offsetParam(pagesOf) };
}

/** True when the response is a single element of an endpoint that otherwise returns an array. */
export const isSingle = ({ single }: Endpoint, values: ValuesOf<Params>): boolean =>
  single?.of.every((name) => values[name] !== undefined) ?? false;

/** Returns the requested page; undefined = all elements. */
export function pageOf({ params }: Endpoint, limit: number | undefined, offset: number | undefined): Page | undefined {
  const most = limit ?? (params["limit"]?.schema.default as number | undefined);
  return most === undefined && offset === undefined ? undefined : { limit: most, offset: offset ?? 0 };
}

/** Returns `LIMIT … OFFSET …`, or nothing without a page. */
export function inPage(page: Page | undefined): Fragment {
  if (!page) return sql``;
  return page.limit === undefined ? sql`OFFSET ${page.offset}` : sql`LIMIT ${page.limit} OFFSET ${page.offset}`;
}

/**
 * Like `inPage`, where an element consists of all rows with the same values in `columns`, by which the elements are
 * sorted.
 */
export function inPageOf(columns: Fragment, page: Page | undefined): Fragment {
  if (!page) return sql``;
  const element = sql`dense_rank() OVER (ORDER BY ${columns}) - ${page.offset}`;
  return page.limit === undefined ? sql`QUALIFY ${element} >= 1` : sql`QUALIFY ${element} BETWEEN 1 AND ${page.limit}`;
}

const TOTAL = "X-Total-Count";
export const totalHeader = (total: number): Record<string, string> => ({ [TOTAL]: String(total) });

/** Returns the headers of a list, with its total if it is paged. */
export const pagedHeaders = ({ headers, total }: List, page: Page | undefined): Record<string, string> => ({
  ...headers,
  ...(page ? totalHeader(total) : {}),
});

/** Applies a page to a list; other results pass through unchanged. */
export async function toResult(answer: EndpointResult | List, page: Page | undefined): Promise<EndpointResult> {
  if (!("part" in answer)) return answer;
  const { total } = answer;
  const from = Math.min(page?.offset ?? 0, total);
  const to = Math.min(from + (page?.limit ?? total), total);
  return {
    body: await answer.part(from, to),
    rows: answer.rows?.(from, to) ?? to - from,
    headers: pagedHeaders(answer, page),
  };
}

/**
 * Returns the `Link` header (RFC 8288). It is not part of the cached result, which requests with different spellings
 * share.
 * @param base the path prefix of the installation, with a slash at both ends: clients resolve links against the host
 */
export function linkHeader(
  base: string,
  url: Pick<URL, "pathname" | "search">,
  { limit, offset }: Page,
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const total = Number(headers[TOTAL]);
  const links: string[] = [];
  const add = (rel: string, linked: Required<Page>) =>
    links.push(`<${base}${withPage(url, linked).slice(1)}>; rel="${rel}"`);
  if (limit !== undefined && offset + limit < total) add("next", { limit, offset: offset + limit });
  const preceding = Math.min(offset, total);
  // The previous page never overlaps the current one.
  const size = Math.min(limit ?? MAX_ROWS, preceding);
  if (size > 0) add("prev", { limit: size, offset: preceding - size });
  if (links.join().length > MAX_LINK_BYTES) links.splice(1);
  return links.length > 0 ? { Link: links.join(", ") } : {};
}

/** Returns the `Link` value for related resources. @param base as in `linkHeader` */
export const relatedLinks = (base: string, links: readonly RelatedLink[]): string =>
  links.map(({ path, title }) => `<${base}${path.slice(1)}>; rel="related"; title="${quotable(title)}"`).join(", ");

/** Returns the request's URL with another page; other parameters stay as written. */
function withPage({ pathname, search }: Pick<URL, "pathname" | "search">, { limit, offset }: Page): string {
  const isOther = (parameter: string) => {
    const [name] = new URLSearchParams(parameter).keys();
    return name !== undefined && name !== "limit" && name !== "offset";
  };
  const others = search.slice(1).split("&").filter(isOther);
  return `${pathname}?${[...others, `limit=${limit}`, `offset=${offset}`].join("&")}`;
}
