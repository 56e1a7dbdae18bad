/** Days of one status as runs: each holds until the next recorded day, the last one until the end of its day. */
import { expect, it } from "vitest";
import { statusRuns } from "../../../../server/site/app/charts/status-band.ts";

const at = (day: string) => new Date(`${day}T00:00:00Z`);

it("is one run for each status, over days without a record too", () => {
  const days = [
    ["2024-09-01", "OPEN"],
    ["2024-09-02", "OPEN"],
    ["2024-09-06", "Waitl"],
    ["2024-09-07", "OPEN"],
  ].map(([date = "", status = ""]) => ({ date, status }));
  expect(statusRuns(days)).toEqual([
    { status: "OPEN", from: at("2024-09-01"), to: at("2024-09-06") },
    { status: "Waitl", from: at("2024-09-06"), to: at("2024-09-07") },
    { status: "OPEN", from: at("2024-09-07"), to: at("2024-09-08") },
  ]);
  expect(statusRuns([])).toEqual([]);
});
