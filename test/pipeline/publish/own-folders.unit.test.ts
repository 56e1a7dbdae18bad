/** Every folder that a run writes to or removes is refused by name when it leads elsewhere, before anything happens. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GuardError } from "../../../pipeline/errors.ts";
import { lockArtifacts, ownFolders } from "../../../pipeline/publish/own-folders.ts";

let root = "";
const at = (path: string) => join(root, path);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "own-folders-"));
  for (const name of ["elsewhere", "artifacts", "data"]) mkdirSync(at(name));
  writeFileSync(at("elsewhere/mine.txt"), "mine");
});
afterEach(() => rmSync(root, { recursive: true }));

const names = [...ownFolders({ artifactsDir: "artifacts", dataDir: "data" }), "data/landing/schedule/2031-Fall"];

it.each(names)("%s as a link", async (name) => {
  const roots = { artifactsDir: at("artifacts"), dataDir: at("data") };
  mkdirSync(dirname(at(name)), { recursive: true });
  symlinkSync(at("elsewhere"), at(name));
  await expect(lockArtifacts(roots)).rejects.toThrow(GuardError);
  await expect(lockArtifacts(roots)).rejects.toThrow(`${at(name)}: a link is not followed there`);
  expect(readdirSync(at("elsewhere"))).toEqual(["mine.txt"]);
});

it("the two roots may be links", async () => {
  for (const name of ["artifacts", "data"]) symlinkSync(at(name), at(`${name}-link`));
  const lock = await lockArtifacts({ artifactsDir: at("artifacts-link"), dataDir: at("data-link") });
  await lock.release();
  expect(readdirSync(at("artifacts"))).toEqual(["lock"]);
});
