/**
 * A publisher as a separate process: one run after another, each with another crawl. Prints what was acknowledged, a
 * line each.
 */
import { randomInt } from "node:crypto";
import { LockedError } from "../../pipeline/errors.ts";
import { gradeRow } from "./grade-row.ts";
import { storeRun } from "./store-runs.ts";

export interface Acknowledged {
  readonly id: string;
  /** The time of the change that this run recorded: nobody else's. */
  readonly at: string;
  /** True when the store had no fault. */
  readonly isStored: boolean;
}

const [name = "0"] = process.argv.slice(2);
const env = Object.fromEntries(Object.entries(process.env).map(([key, value]) => [key, value ?? ""]));

for (;;) {
  const at = new Date(Date.now()).toISOString();
  const step = {
    grade: gradeRow({ year: "2024", gradeACount: randomInt(1, 1_000_000) }),
    change: {
      year: "2024",
      quarter: "Fall" as const,
      month: "2024-10",
      at,
      since: "2024-09-01T00:00:00.000Z",
      snapshot: "0123456789abcdef",
      sectionCode: `1000${name}`,
      department: "ART",
      courseNumber: "1",
      instructors: [],
      kind: "status" as const,
      field: "status",
      before: null,
      after: null,
    },
  };
  try {
    const { id, store } = await storeRun(env, step);
    const told: Acknowledged = { id, at, isStored: store.problems.length === 0 };
    process.stdout.write(`${JSON.stringify(told)}\n`);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    process.stdout.write(`${JSON.stringify({ locked: error.message })}\n`);
  }
}
