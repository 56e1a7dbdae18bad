/** Every folder that a run writes to or removes is refused by name when it leads elsewhere, before anything happens. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GuardError } from "../../../pipeline/errors.ts";
import { lockArtifacts, ownFolders } from "../../../pipeline/store/own-folders.ts";

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

it("all links are named at once", async () => {
  for (const name of ["staging", "lock"]) symlinkSync(at("elsewhere"), at(`artifacts/${name}`));
  await expect(lockArtifacts({ artifactsDir: at("artifacts") })).rejects.toThrow(
    `${at("artifacts/staging")}, ${at("artifacts/lock")}: a link is not followed there, move it away, then run again`,
  );
});

it("a file in the place of a folder is for whoever uses it; without a data folder there are only those of artifacts", async () => {
  mkdirSync(at("data/landing"));
  writeFileSync(at("data/landing/schedule"), "");
  for (const dataDir of [at("data"), undefined]) {
    const lock = await lockArtifacts({ artifactsDir: at("artifacts"), ...(dataDir === undefined ? {} : { dataDir }) });
    await lock.release();
  }
  const own = ownFolders({ artifactsDir: "a" });
  expect(own).toEqual(names.slice(0, own.length).map((name) => name.replace("artifacts/", "a/")));
  expect(own).toEqual(
    expect.arrayContaining(
      ["staging", "snapshots", "checkouts", "lock", "grades", "views"].map((name) => join("a", name)),
    ),
  );
  expect(names).toEqual(expect.arrayContaining(["data/exports/office", "data/exports/office/files", "data/backup"]));
});
