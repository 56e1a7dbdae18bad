/** Shortens texts of upstreams for reports, logs and errors, whatever an upstream sends. */

const MOST_CHARACTERS = 500;

/** Cuts between characters; a shortened text ends with `…`. */
export const reportedText = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, "")}…` : text;
