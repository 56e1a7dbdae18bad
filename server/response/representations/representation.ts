/** A representation of responses: JSON, a file, a feed. To add one, write such a record and a line in `all.ts`. */
import type { Content, Endpoint, EndpointContext, EndpointResult, Page } from "../endpoint.ts";

/** The parameters of a request to an endpoint that a representation needs. */
export interface RequestParams {
  readonly endpoint: Endpoint;
  readonly values: Readonly<Record<string, unknown>>;
  readonly page: Page | undefined;
  /** Dotted names of the selected fields; undefined = all of the response. */
  readonly fields: readonly string[] | undefined;
  /** Returns the normalized URL of the request, with these parameters added. */
  readonly url: (set?: Readonly<Record<string, string>>) => string;
}

export interface BodyDescription {
  readonly about: string;
  readonly isBinary?: boolean;
}

export interface Representation {
  readonly name: string;
  /** Its media types, the main type first. */
  readonly types: readonly [string, ...string[]];
  /** True if `format=` accepts the name. */
  readonly isFormat?: boolean;
  /** True if wildcards in Accept never select it. */
  readonly onlyByName?: boolean;
  /** The parameter that selects it regardless of format. */
  readonly parameter?: string;
  /** The content that endpoints must have; undefined = every endpoint has this representation. */
  readonly of?: Content;
  readonly hasFields?: boolean;
  /**
   * The data that bodies depend on besides the request: the rows of the endpoint's tables, or the whole snapshot.
   * Bodies that depend on more ("request") are never cached.
   */
  readonly dependsOn: "rows" | "snapshot" | "request";
  /** True if concurrent equal requests share one body; requests for a file share the file, which each opens itself. */
  readonly isShared?: boolean;
  readonly isCompressed?: boolean;
  /** True if uncompressed bodies support range requests, so that readers can fetch only the columns they need. */
  readonly hasRanges?: boolean;
  /**
   * True if bodies contain the address of the installation, so that they differ between clients that use different
   * ones.
   */
  readonly namesAddress?: boolean;
  /** Describes its bodies for the OpenAPI document; the default is text. */
  readonly describe?: (endpoint: Endpoint) => BodyDescription;
  /** Returns what precedes and follows the body; it differs with every response. */
  readonly envelope?: (response: { readonly requestId: string; readonly now: Date }) => readonly [Buffer, Buffer];
  /**
   * Renders a body. `key` identifies the rows for concurrent requests; undefined = not shared. Event streams have no
   * `render`.
   */
  readonly render?: (
    params: RequestParams,
    context: EndpointContext,
    key: string | undefined,
  ) => Promise<EndpointResult>;
}

/** Returns the headers of a response that browsers save as a file: `/grades/raw` → `grades-raw.csv`. */
export const fileHeaders = (path: string, { name, types }: Pick<Representation, "name" | "types">) => ({
  "Content-Type": types[0],
  "Content-Disposition": `attachment; filename="${fileName(path)}.${name}"`,
});

const fileName = (path: string): string =>
  path
    .split("/")
    .filter((step) => /^\w+$/.test(step))
    .join("-");
