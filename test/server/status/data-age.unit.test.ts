import { expect, it } from "vitest";
import { sampleName } from "../../../pipeline/contract/sample-campus.ts";
import { dataAge } from "../../../server/status/data-age.ts";

const NOW = new Date("2026-11-20T20:00:00Z");
const ageOf = (schedule: string, olderTerms?: number) =>
  dataAge(
    {
      current: () => ({ published: { manifest: { createdAt: NOW.toISOString(), source: { schedule } } } }) as never,
      freshness: () => ({
        ...{ terms: {}, nextRefresh: null, products: { schedule: "2026-11-01T20:00:00.000Z" } },
        ...(olderTerms === undefined ? {} : { olderTerms }),
      }),
    },
    NOW,
  );

it("the first build of the sample campus begins with earlier weeks, which are not overdue", () => {
  const sample = sampleName("standard");
  expect(ageOf(sample, 60)).toMatchObject({ isStale: false, overdueSince: null });
  for (const age of [ageOf(sample), ageOf("https://university.example", 60)])
    expect(age).toMatchObject({ isStale: true, overdueSince: "2026-11-01T21:00:00.000Z" });
});
