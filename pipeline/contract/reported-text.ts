/** Texts of upstreams in reports, logs and errors: as long as a person reads, whatever an upstream sends. */

const MOST_CHARACTERS = 500;

/** Cut between characters; what is cut ends with `…`. */
export const reportedText = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, "")}…` : text;
