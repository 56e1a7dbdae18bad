import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe('"Today" never depends on the server\'s own zone (pipeline/RULES.md, Days)', () => {
  const moments = [
    ["2024-01-15T23:30:00-08:00", "2024-01-15"],
    ["2024-01-16T00:30:00-08:00", "2024-01-16"],
    ["2024-07-15T23:30:00-07:00", "2024-07-15"],
    ["2024-07-16T00:30:00-07:00", "2024-07-16"],
    ["2024-02-29T23:30:00-08:00", "2024-02-29"],
    ["2024-12-31T23:30:00-08:00", "2024-12-31"],
    ["2025-01-01T00:30:00-08:00", "2025-01-01"],
    // The nights of both clock changes.
    ["2024-03-10T00:30:00-08:00", "2024-03-10"],
    ["2024-03-10T23:30:00-07:00", "2024-03-10"],
    ["2024-11-03T23:30:00-08:00", "2024-11-03"],
  ] as const;

  test.each(["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Auckland"])(
    "23:30 and 00:30 campus time, a server in %s",
    (zone) => {
      const program = `
      import { campusToday } from "./pipeline/contract/campus-time.ts";
      const moments = ${JSON.stringify(moments.map(([at]) => at))};
      console.log(JSON.stringify({ zone: new Date(2024, 0, 1).getTimezoneOffset(), days: moments.map((at) => campusToday(new Date(at))) }));`;
      const printed = execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], {
        cwd: root,
        env: { ...process.env, TZ: zone },
        encoding: "utf8",
      });
      const { zone: offset, days } = JSON.parse(printed) as { zone: number; days: string[] };
      expect(offset).toBe({ UTC: 0, "America/New_York": 300, "Asia/Tokyo": -540, "Pacific/Auckland": -780 }[zone]);
      expect(days).toEqual(moments.map(([, day]) => day));
    },
  );
});
