import { describe, expect, it } from "vitest";
import { scratchDatabase } from "../pipeline/publish/scratch.ts";
import { killRuns } from "../run/run-kill-loop.ts";

describe("a whole run that is killed", async () => {
  const { connection } = await scratchDatabase();

  it("200 random SIGKILLs: always the old state or the new one, whole; the next run converges", async () => {
    const { broken, before, after, late, generations } = await killRuns(connection, 200);
    process.stdout.write(
      `200 kills: ${before} left the old state, ${after} the new one, ${late} runs were quicker; ${generations} generations\n`,
    );
    expect(broken).toEqual([]);
    expect(before).toBeGreaterThan(20);
    expect(after).toBeGreaterThan(0);
  });
});
