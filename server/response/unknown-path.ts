/** 404 for an address that nothing has, with the ones that were probably meant (server/RULES.md, HTTP). */
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import { Problem } from "./problem.ts";
import { didYouMean } from "./warnings.ts";

const NOT_FOUND = "The requested resource could not be found";
/** Bounds the work; no address without an id is longer. */
const MAX_LENGTH = 100;
const ID = ":id";

/** @param known paths that are served; `:id` in one stands for any segment */
export function createUnknownPath(known: readonly string[]): (pathname: string) => Problem {
  const paths = known.filter((path) => path !== "/" && !path.endsWith("/") && !path.includes("*"));

  function meant(pathname: string): readonly string[] {
    const path = pathname.replace(/\/+$/, "");
    if (path === "" || path.length > MAX_LENGTH) return [];
    const segments = path.split("/");
    const candidates = paths.map((one) =>
      one
        .split("/")
        .map((word, i) => (word === ID ? (segments[i] ?? ID) : word))
        .join("/"),
    );
    const close = closestNames(
      path,
      candidates.filter((one) => !one.includes(ID)),
    );
    if (close.length > 0) return close;
    const fixed = paths.filter((one) => !one.includes(ID));
    const below = fixed.filter((one) => one.startsWith(path));
    const ending = below.length > 0 ? below : fixed.filter((one) => one.endsWith(`/${segments.at(-1)}`));
    return ending.slice(0, MAX_SUGGESTIONS);
  }

  return (pathname) => new Problem(404, `${NOT_FOUND}${didYouMean(meant(pathname)) || "."}`);
}
