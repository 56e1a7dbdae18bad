/** How the service speaks: what it is asked, and how it responds. */
import type { z } from "zod";
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Droppable } from "../snapshot/loading/table-cache.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ToErrorBody } from "./problem.ts";
import type { Representation } from "./representations/representation.ts";
import type { Shape } from "./shapes/shape.ts";

type Schema = Record<string, unknown>;

/** What the documentation says otherwise than of the plain service. */
export interface DocumentedMode {
  /** Of its files. */
  readonly name: string;
  readonly about: string;
  /** Of its JSON bodies, from the schema that an endpoint declares. */
  readonly bodyOf: (payload: Schema) => Schema;
  readonly exampleOf: (shape: Shape) => unknown;
  /** Where the fields of the endpoint are in a body. */
  readonly placeOfFields: string;
  /** By name: instead of those that endpoints declare, or besides them. */
  readonly shapes: Readonly<Record<string, z.ZodType>>;
  /** Further fields of errors, with an example of each. */
  readonly problem: { readonly properties: Readonly<Record<string, Schema>>; readonly example: Schema };
}

export interface Mode {
  readonly endpoints: readonly Endpoint[];
  readonly representations: readonly Representation[];
  readonly toErrorBody: ToErrorBody;
  readonly documented: DocumentedMode;
  /** What is made of a snapshot before it is served. */
  readonly derivations: readonly Derivation<Droppable>[];
}
