/** A run's own words, made fit for everybody: where files lie and how a program is built is nobody's business. */

/** `file:` addresses and absolute paths of two and more parts; the path of a web address is none. */
const PLACE = /file:\/\/\S*\/|(?<![\w:/.])(?:[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w.@+-])+[/\\]/g;
const CREDENTIALS = /(:\/\/)[^\s/@]+@/g;
const LONGEST = 500;

/** The first line, with the last part of every path only. */
export const plainWords = (text: string): string =>
  (text.split("\n")[0] ?? "").replace(CREDENTIALS, "$1").replace(PLACE, "").slice(0, LONGEST);
