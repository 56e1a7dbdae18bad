import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { createTaughtCourses } from "../../../pipeline/normalize/course-history.ts";
import { createPeople } from "../../../pipeline/normalize/people/candidates.ts";

// Other files of the process have left garbage.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
function keptBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test("650,000 section facts: kept are courses, people and terms, not facts", () => {
  const quarters = QUARTERS.filter((quarter) => !/10wk|2$/.test(quarter));
  const heapBefore = keptBytes();
  const taught = createTaughtCourses([], "2030-01-01");
  for (let i = 0; i < 650_000; i++) {
    const n = (i * 7919) % 6000;
    taught.add({
      ...{ year: String(2012 + (i % 13)), quarter: quarters[i % quarters.length] ?? "Fall", cancelled: false },
      ...{ department: `D${n % 130}`, courseNumber: String(n), instructors: [`P${(n * 3 + (i % 4)) % 4000}, A.`] },
    });
  }
  expect((keptBytes() - heapBefore) / 2 ** 20).toBeLessThan(100);
  const people = createPeople([{ netid: "p", shortenedName: "P0, A.", departments: [] }]);
  const history = taught.build(people, createTally("catalogue"));
  expect(history.termsOf({ department: "D0", courseNumber: "0" }).length).toBeLessThanOrEqual(52);
  expect(Object.keys(history.coursesOf("p")).length).toBeGreaterThan(0);
});
