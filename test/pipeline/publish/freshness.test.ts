import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Freshness } from "../../../pipeline/contract/documents/manifest.ts";
import { createLog } from "../../../pipeline/log.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { readFreshness, writeFreshness } from "../../../pipeline/store/freshness.ts";
import { scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const nothing: Freshness = { products: {}, terms: {}, nextRefresh: null };
const some: Freshness = {
  products: { schedule: "2024-10-01T12:00:00.000Z" },
  terms: { "2024 Fall": "2024-10-01T12:00:00.000Z" },
  nextRefresh: "2024-10-01T13:00:00.000Z",
};

test("what was written is read again; a second write replaces the first and leaves nothing behind", async () => {
  const artifacts = join(scratch, "a");
  expect(await readFreshness(artifacts)).toEqual(nothing);
  await writeFreshness(artifacts, some);
  await writeFreshness(artifacts, { ...some, nextRefresh: null });
  expect(await readFreshness(artifacts)).toEqual({ ...some, nextRefresh: null });
  expect(readdirSync(artifacts).toSorted()).toEqual(["freshness.json", "staging"]);
  expect(readdirSync(join(artifacts, "staging"))).toEqual([]);
});

test.each(["{", '{"products":{"schedule":"yesterday"},"terms":{},"nextRefresh":null}'])(
  "a damaged file starts anew and the log says so: %s",
  async (text) => {
    const artifacts = join(scratch, "b");
    mkdirSync(artifacts, { recursive: true });
    writeFileSync(join(artifacts, "freshness.json"), text);
    const lines: string[] = [];
    const log = createLog("warn", (line) => lines.push(line));
    expect(await readFreshness(artifacts, nodeDisk, log)).toEqual(nothing);
    expect(lines).toEqual([expect.stringContaining("freshness file is damaged")]);
  },
);

test("a disk error is no damage: it is not taken for nothing", async () => {
  const disk = { ...nodeDisk, readFile: () => Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" })) };
  await expect(readFreshness(scratch, disk)).rejects.toThrow("EIO");
});
