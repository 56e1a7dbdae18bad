/** Endpoints are records; server/http does everything that they share. */
import type { Freshness, Product } from "../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { LiveQuery } from "../../pipeline/live.ts";
import type { Fragment } from "../duckdb/sql.ts";
import type { Params, ValuesOf } from "./params.ts";
import type { Pool } from "../duckdb/pool.ts";
import type { Shape } from "./shapes/shape.ts";
import type { TermPart } from "../snapshot/generation.ts";
import type { History } from "../snapshot/history.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

export const BASE = "/v1/rest";

/** The rows that the upstream returned, as relations with the contract's columns. */
export interface LiveRows {
  readonly sections: Fragment;
  readonly headings: Fragment;
  /** The upstream's address without its secrets. */
  readonly address: string;
}

export interface LiveSchedule {
  /**
   * Returns a superset of the matching rows.
   * @param signal aborts this client's wait only; concurrent clients with the same query still get their result
   * @throws UpstreamTimeout (504), other UpstreamErrors (502); Problem (502) when no upstream is configured
   */
  ask(query: LiveQuery, signal: AbortSignal): Promise<LiveRows>;
}

/** JSON in chunks: buffered, or streamed. */
export type Body = readonly Buffer[] | AsyncIterable<Buffer>;

export interface EndpointResult {
  readonly body: Body;
  /** Headers of this answer, such as Cache-Status. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly rows?: number;
  /** Bytes of a body that is streamed, where they are known. */
  readonly length?: number;
}

export interface List extends Pick<EndpointResult, "headers"> {
  readonly total: number;
  /** The JSON of the elements [from, to): an array, or what stands around them too. */
  part(from: number, to: number): Body | Promise<Body>;
  /** How many rows these elements are, where one may be several. */
  rows?(from: number, to: number): number;
  /** The newest elements as an Atom feed, or a page that is counted from them; `url` is the feed's own path and query. */
  feed?(page: Page | undefined, url: string): Promise<Pick<EndpointResult, "body" | "rows">>;
}

export interface EndpointContext {
  readonly snapshot: Snapshot;
  readonly pool: Pool;
  readonly freshness: Freshness;
  readonly history: History;
  /** Undefined = the upstream is never asked. */
  readonly live: LiveSchedule | undefined;
  /** Aborts when the client disconnects; made on the first call. */
  signal(): AbortSignal;
  /** The client that the request counts for. */
  client(): string;
  readonly id: string;
  readonly now: Date;
  /** The path prefix of the installation, with a slash at both ends: before addresses that clients resolve against the host. */
  readonly base: string;
  /** The address of the installation as the client wrote it, such as `https://data.example.edu/academic/`. */
  address(): string;
}

/** A part of the elements of a response. */
export interface Page {
  /** Undefined = everything from `offset` on. */
  readonly limit: number | undefined;
  readonly offset: number;
}

/** Where a response comes from (server/RULES.md, Time): one statement that gives its rows, for `explain=true` and for CSV, NDJSON and Parquet. */
export interface Origin {
  /** The tables that the response is made from, or the parts of them that belong to a term. */
  readonly reads: readonly { readonly table: TableName; readonly term?: TermPart }[];
  /** Over published tables and views by their names; it gives the rows of the response, in their order where they have one. */
  readonly statement: Fragment;
  /** What the upstream returned, where it was asked: it stands for the published tables. */
  readonly live?: LiveRows;
  /** The rows of CSV, NDJSON and Parquet, where they are not those of the statement. */
  readonly flat?: Fragment;
  /** Has as many rows as the statement, where counting that takes long. */
  readonly counted?: Fragment;
  /** The rows of `grades` that the response is made from. */
  readonly grades?: Fragment;
  /** As in the result of `answer`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A link to what belongs beside a response (RFC 8288, `rel="related"`). */
export interface RelatedLink {
  /** Below the path prefix of the installation: `/v1/rest/grades/aggregate?…`. */
  readonly path: string;
  readonly title: string;
}

/** A time in which a response stays the same while the data does. */
export interface Period {
  /** Tells it from others. */
  readonly name: string;
  /** When the response changed last and may change next; undefined = never. */
  readonly since?: Date;
  readonly until?: Date;
}

/** See `Representation.of`. */
export type Content = "changes" | "sections";

/** What it is asked by. */
interface Asks<P extends Params> {
  /** Below `/v1/rest`; may end in `/:id`. */
  readonly path: string;
  /** A further path. */
  readonly alsoAt?: string;
  /** A `limit` among them has a default; without one it is added, and all elements are returned. */
  readonly params: P;
  /** Of the `:id` of the path. */
  readonly id?: {
    readonly about: string;
    readonly example: string;
    /** An example of the 404 message. */
    readonly unknown: string;
    /** Ids with the same key are the same; by default those that differ in case. */
    readonly key?: (id: string) => string;
    /** Some ids have slashes, and many clients do not encode them: the rest of the path is the id. */
    readonly hasSlashes?: boolean;
  };
  /** Cross-parameter rules: one sentence per violation. `refused` parameters were given but are invalid. */
  readonly check?: (values: ValuesOf<P>, refused: ReadonlySet<string>) => string[];
}

/** What it responds with. */
interface Answers<P extends Params> {
  /** Throws what `answer` throws for an unknown id. */
  readonly origin: (values: ValuesOf<P>, context: EndpointContext, page: Page | undefined) => Origin | Promise<Origin>;
  /**
   * Statements over published files, at least one, whose rows one after the other are those of `origin`: for rows that are too many to be put in order at
   * once. `rows` is their number.
   */
  readonly inParts?: (
    values: ValuesOf<P>,
    context: EndpointContext,
    page: Page | undefined,
  ) => Promise<{ readonly statements: readonly Fragment[]; readonly rows: number }>;
  /** By default the rows of `origin`, read from the published files: others answer faster from memory. */
  readonly answer?: (values: ValuesOf<P>, context: EndpointContext) => Promise<EndpointResult | List>;
  /** The body is streamed, so that concurrent requests cannot share it. */
  readonly streams?: boolean;
  readonly returns: Shape;
  /** What `limit` and `offset` count where the response is no array: `answer` gives a List of these. */
  readonly pagesOf?: string;
  /** With a value for each of these parameters the JSON is not an array but the one row of `origin`; `unknown` is an example of the 404 message. */
  readonly one?: { readonly of: readonly (keyof P)[]; readonly returns: Shape; readonly unknown: string };
  /** What it returns, where that can be had in further ways: changes as a feed and a stream of events, sections as a calendar. */
  readonly content?: Content;
  /**
   * Texts for `Warning: 299` about given values, or an id, that the snapshot does not know or knows by another name.
   */
  readonly warnings?: (values: ValuesOf<P>, snapshot: Snapshot, id: string) => string[];
  /**
   * The id that the requested one stands for, where it is another: the response has its address as `Content-Location`.
   */
  readonly standsFor?: (id: string, snapshot: Snapshot) => string | undefined;
  /** For the header `Link`. */
  readonly links?: (context: EndpointContext) => Promise<readonly RelatedLink[]>;
}

/** What makes one response differ from an earlier one to the same request. */
interface DependsOn<P extends Params> {
  /** The published tables that `answer` reads: what an earlier snapshot loads for it. A body is valid for all snapshots with the same rows in them. */
  readonly tables: readonly TableName[];
  /** A response depends on more of its snapshot than `tables`. */
  readonly isOfSnapshot?: boolean;
  /** Their newest freshness is the Last-Modified. */
  readonly products: readonly Product[];
  /** For responses that change with the time. */
  readonly period?: (values: ValuesOf<P>, now: Date) => Period;
  /** For what is crawled part by part, and asked of the upstream where it is not published. */
  readonly live?: {
    /** Whether these values query the upstream instead of the snapshot. */
    readonly isAsked: (values: ValuesOf<P>, snapshot: Snapshot) => boolean;
    /** When the part for these values was last crawled. */
    readonly crawledAt: (values: ValuesOf<P>, freshness: Freshness) => string | undefined;
  };
}

/** What people read of it. */
interface Documented<P extends Params> {
  readonly summary: string;
  /** What a response shows: "Open sections in COMPSCI, Fall 2026". */
  readonly title: (values: ValuesOf<P>, context: Pick<EndpointContext, "id" | "now">) => string;
  readonly example?: { readonly [K in keyof P]?: string };
}

export interface Endpoint<P extends Params = Params> extends Asks<P>, Answers<P>, DependsOn<P>, Documented<P> {}

/** Whether the response is one element, where the endpoint returns an array. */
export const isOne = ({ one }: Endpoint, values: ValuesOf<Params>): boolean =>
  one?.of.every((name) => values[name] !== undefined) ?? false;

/** Declares an endpoint; infers the types of its functions from its parameters. */
export function defineEndpoint<P extends Params>(endpoint: Endpoint<P>): Endpoint {
  return endpoint as unknown as Endpoint;
}
