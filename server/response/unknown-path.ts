/** The 404 for an unknown address, with likely alternatives (server/RULES.md, HTTP). */
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import { Problem } from "./problem.ts";
import { didYouMean } from "./warnings.ts";

const NOT_FOUND = "The requested resource could not be found";
/** Bounds the work; no served path without an id is longer. */
const MAX_LENGTH = 100;
const ID = ":id";

/** Creates a function that returns the 404. @param servedPaths all paths; `:id` in a path stands for any segment */
export function createUnknownPath(servedPaths: readonly string[]): (pathname: string) => Problem {
  const paths = servedPaths.filter((path) => path !== "/" && !path.endsWith("/") && !path.includes("*"));

  function suggest(pathname: string): readonly string[] {
    const path = pathname.replace(/\/+$/, "");
    if (path === "" || path.length > MAX_LENGTH) return [];
    const segments = path.split("/");
    const candidates = paths.map((template) =>
      template
        .split("/")
        .map((word, i) => (word === ID ? (segments[i] ?? ID) : word))
        .join("/"),
    );
    const close = closestNames(
      path,
      candidates.filter((candidate) => !candidate.includes(ID)),
    );
    if (close.length > 0) return close;
    const fixed = paths.filter((candidate) => !candidate.includes(ID));
    const below = fixed.filter((candidate) => candidate.startsWith(path));
    const ending = below.length > 0 ? below : fixed.filter((candidate) => candidate.endsWith(`/${segments.at(-1)}`));
    return ending.slice(0, MAX_SUGGESTIONS);
  }

  return (pathname) => new Problem(404, `${NOT_FOUND}${didYouMean(suggest(pathname)) || "."}`);
}
