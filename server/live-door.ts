/** What the schedule endpoint needs of the live path. */
import type { Term } from "../pipeline/contract/vocabulary.ts";
import type { Fragment } from "./bind.ts";
import type { ScheduleValues } from "./endpoints/schedule-params.ts";

export interface LiveDoor {
  /**
   * Asks the upstream; the answer is at least what matches, as relations with the contract's columns.
   * @throws UpstreamTimeout (504), other UpstreamErrors (502)
   */
  ask(term: Term, values: ScheduleValues): Promise<{ sections: Fragment; headings: Fragment }>;
}
