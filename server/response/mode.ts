/** A mode of the service: its endpoints, formats and error bodies. */
import type { z } from "zod";
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Droppable } from "../snapshot/loading/table-cache.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ToErrorBody } from "./problem.ts";
import type { Representation } from "./representations/representation.ts";
import type { Shape } from "./shapes/shape.ts";

type Schema = Record<string, unknown>;

/** How the documentation of a mode differs from that of the plain service. */
export interface DocumentedMode {
  /** The name in file names. */
  readonly name: string;
  readonly about: string;
  /** Returns the schema of a JSON body for the schema that an endpoint declares. */
  readonly bodyOf: (payload: Schema) => Schema;
  readonly exampleOf: (shape: Shape) => unknown;
  /** Describes where the fields of the endpoint are in a body. */
  readonly placeOfFields: string;
  /** Schemas by name that override or extend those of endpoints. */
  readonly shapes: Readonly<Record<string, z.ZodType>>;
  /** Additional fields of errors, with an example of each. */
  readonly problem: { readonly properties: Readonly<Record<string, Schema>>; readonly example: Schema };
}

export interface Mode {
  readonly endpoints: readonly Endpoint[];
  readonly representations: readonly Representation[];
  readonly toErrorBody: ToErrorBody;
  readonly documented: DocumentedMode;
  readonly derivations: readonly Derivation<Droppable>[];
}
