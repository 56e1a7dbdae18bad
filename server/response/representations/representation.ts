/** How a response is shown: as JSON, as a file, as a feed. Whoever adds one writes such a record and a line in `all.ts`. */
import type { Content, Endpoint, EndpointContext, EndpointResult, Page } from "../endpoint.ts";

/** A request to an endpoint, without what the way of showing it does not need. */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly values: Readonly<Record<string, unknown>>;
  readonly page: Page | undefined;
  /** Dotted names of what is wanted of the response; undefined = all of it. */
  readonly fields: readonly string[] | undefined;
  /** The request's normal form with these further parameters. */
  readonly url: (set?: Readonly<Record<string, string>>) => string;
}

export interface BodyDescription {
  /** In a sentence, for people. */
  readonly about: string;
  readonly isBinary?: boolean;
}

export interface Representation {
  readonly name: string;
  /** Its media types: what it is called, then further names of it. None for what a parameter asks for. */
  readonly types: readonly [string, ...string[]] | readonly [];
  /** Whether `format=` takes the name. */
  readonly isFormat: boolean;
  /** Whether a client that accepts anything may get it. */
  readonly onlyByName?: boolean;
  /** A parameter that asks for it, whatever the format. */
  readonly parameter?: string;
  /** What endpoints must have; undefined = every endpoint has it. */
  readonly of?: Content;
  /** Whether `fields` can be given. */
  readonly hasFields: boolean;
  /** What its bodies depend on besides the request: the rows of the endpoint's tables, all of the snapshot, or more than that: then they are not kept. */
  readonly dependsOn: "rows" | "snapshot" | "request";
  /** Whether a body is made once for all who ask for it at the same time. */
  readonly isShared: boolean;
  /** It is compressed inside. */
  readonly isCompressed?: boolean;
  /** Its readers ask for parts of it, such as the columns that they need; they have them where it is sent as it is. */
  readonly hasRanges?: boolean;
  /** What tells its bodies from others of the same request, in keys and entity tags. */
  readonly marks: Readonly<Record<string, unknown>>;
  /** Its bodies name the address of the installation: those of clients that wrote another one differ. */
  readonly namesAddress?: boolean;
  /** Its bodies, for the OpenAPI document; by default it is a text. */
  readonly describe?: (endpoint: Endpoint) => BodyDescription;
  /** What stands before and after the body of each response, which differs each time. */
  readonly frame?: (response: { readonly requestId: string; readonly now: Date }) => readonly [Buffer, Buffer];
  /** `key` identifies the rows, for concurrent requests; undefined = they are this request's own. Undefined for what is never complete. */
  readonly render?: (asked: Asked, context: EndpointContext, key: string | undefined) => Promise<EndpointResult>;
}

/** Of a response that browsers save as a file: `/grades/raw` → `grades-raw.csv`. */
export const fileHeaders = (path: string, { name, types }: Pick<Representation, "name" | "types">) => ({
  "Content-Type": types[0] ?? "",
  "Content-Disposition": `attachment; filename="${fileName(path)}.${name}"`,
});

const fileName = (path: string): string =>
  path
    .split("/")
    .filter((step) => /^\w+$/.test(step))
    .join("-");
