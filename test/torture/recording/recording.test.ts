/** Two starts over the same data respond alike to several thousand requests, headers included; nothing in a response is left to chance. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openExplainWorld } from "../../server/response/explain/explain-world.ts";
import { differences, record } from "./record.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

it("every response is the same in both recordings", async () => {
  const world = await openExplainWorld();
  try {
    const first = await record(ROOT, world.artifacts);
    expect(first.size).toBeGreaterThan(10_000);
    expect(differences(first, await record(ROOT, world.artifacts))).toEqual([]);
  } finally {
    await world.remove();
  }
});
