import { describe, expect, it } from "vitest";
import { scratchDatabase } from "../pipeline/publish/scratch.ts";
import { killRuns } from "./run-kill-loop.ts";

describe("a whole run that is killed", async () => {
  const { connection } = await scratchDatabase();

  it("5 random SIGKILLs: always the old state or the new one, whole; the next run converges", async () => {
    const { broken, before } = await killRuns(connection, 5);
    expect(broken).toEqual([]);
    expect(before).toBeGreaterThan(0);
  });
});
