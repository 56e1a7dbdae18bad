/** How the service speaks: what it is asked, and how it responds. */
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Droppable } from "../snapshot/loading/table-cache.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ToErrorBody } from "./problem.ts";
import type { Representation } from "./representations/representation.ts";

export interface Mode {
  readonly endpoints: readonly Endpoint[];
  readonly representations: readonly Representation[];
  readonly toErrorBody: ToErrorBody;
  /** What is made of a snapshot before it is served. */
  readonly derivations: readonly Derivation<Droppable>[];
}
