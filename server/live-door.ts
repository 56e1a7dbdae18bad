/** What the schedule endpoint needs of the live path; `pipeline/live.ts` provides it. */
import type { Fragment } from "./bind.ts";

/** A placeholder until the live path is wired. */
export interface LiveDoor {
  ask(question: unknown): Promise<{ sections: Fragment; headings: Fragment }>;
}
