/** How the doctor, live requests and the data's age treat systems that are gone. */
import { describe, expect, it } from "vitest";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import { silentLog } from "../../pipeline/log.ts";
import { openLive } from "../../pipeline/live.ts";
import { checkAddresses } from "../../pipeline/run/doctor/addresses.ts";
import { ADDRESS_VARIABLES, closedText, readPipelineConfig, SYSTEMS } from "../../pipeline/settings/pipeline.ts";
import { dataAge } from "../../server/status/data-age.ts";

it("the doctor names each and asks nothing", async () => {
  const env = Object.fromEntries(SYSTEMS.map((system) => [ADDRESS_VARIABLES[system], "none"]));
  const findings = [];
  for await (const finding of checkAddresses(readPipelineConfig(env), env, () => new Date())) findings.push(finding);
  expect(findings).toEqual(SYSTEMS.map((system) => ({ level: "ok", what: closedText(system) })));
});

describe("live requests", () => {
  const find = (address: URL | "none" | undefined, source?: string) =>
    openLive({
      ...{ address, publishedSource: () => source, publishedMark: () => undefined, dataDir: "absent" },
      ...{ timeoutMs: 1, maxBytes: 1, log: silentLog },
    }).find();
  it("have no upstream where SCHEDULE_URL is none, whatever the data came from", async () => {
    expect(await find("none", "http://schedule.example.edu/")).toBeUndefined();
    expect(await find(undefined)).toBeUndefined();
    expect(await find(undefined, "http://schedule.example.edu/")).toBeDefined();
  });
});

describe("the age of the data", () => {
  const NOW = new Date("2026-11-20T20:00:00Z");
  const ageOf = (closed: Freshness["closed"]) =>
    dataAge(
      {
        current: () => ({ published: { manifest: { createdAt: NOW.toISOString(), source: {} } } }) as never,
        freshness: () => ({
          ...{ terms: {}, nextRefresh: null },
          products: { schedule: "2025-01-01T00:00:00.000Z", history: "2026-11-20T19:59:00.000Z" },
          ...(closed ? { closed } : {}),
        }),
      },
      NOW,
    );
  it("is that of the last run where the schedule is gone", () => {
    expect(ageOf(undefined)?.isStale).toBe(true);
    expect(ageOf({ larc: "gone" })?.isStale).toBe(true);
    expect(ageOf({ schedule: "gone" })).toEqual({ seconds: 60, isStale: false, overdueSince: null });
  });
});
