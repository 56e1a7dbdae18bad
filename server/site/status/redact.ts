/** Removes paths, credentials and stacks from messages before clients see them. */

/** `file:` URLs and absolute paths with at least two segments; not the path of a web URL. */
const DIRECTORIES = /file:\/\/\S*\/|(?<![\w:/.])(?:[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w.@+-])+[/\\]/g;
const CREDENTIALS = /(:\/\/)[^\s/@]+@/g;
const MAX_LENGTH = 500;

/** The first line, with the last part of every path only. */
export const redact = (text: string): string =>
  (text.split("\n")[0] ?? "").replace(CREDENTIALS, "$1").replace(DIRECTORIES, "").slice(0, MAX_LENGTH);
