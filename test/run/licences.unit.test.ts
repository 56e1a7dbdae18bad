/**
 * The licences of all packages in the lock file: the packages of a release may be redistributed with no more than the
 * licence's text.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isAllowed, PERMISSIVE } from "../support/licences.ts";

interface Package {
  dev?: boolean;
  license?: string;
}
const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
  packages: Record<string, Package>;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");

/** Licences of tools, whose code is in no release. */
const OF_TOOLS = [...PERMISSIVE, "MPL-2.0", "Python-2.0", "CC0-1.0"];
/** Packages that only compile: no release contains their code. */
const COMPILERS: readonly string[] = ["node_modules/argparse"];
/** Packages whose package.json does not name the licence that lies beside it. */
const UNNAMED: Readonly<Record<string, string>> = { "node_modules/json-bignum": "MIT" };

it.each([
  ["of production", false, PERMISSIVE],
  ["of development", true, OF_TOOLS],
] as const)("of packages %s are in the list", (_, isDevelopment, allowed) => {
  const isOfTools = (path: string, { dev = false }: Package) => dev || COMPILERS.includes(path);
  const concerned = packages.filter(([path, about]) => isOfTools(path, about) === isDevelopment);
  expect(concerned.length).toBeGreaterThan(20);
  const others = concerned.filter(([path, { license = UNNAMED[path] ?? "none" }]) => !isAllowed(license, allowed));
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});
