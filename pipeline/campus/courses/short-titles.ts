/** The schedule's titles: in capitals, at most 19 characters, words squeezed until they fit. */

const TITLE_LENGTH = 19;
const CUSTOMARY: readonly (readonly [RegExp, string])[] = [
  [/INTRODUCTION TO/, "INTRO"],
  [/ADVANCED/, "ADV"],
  [/FOUNDATIONS OF/, "FNDTNS"],
  [/SEMINAR IN/, "SEM"],
  [/ AND /g, "&"],
  [/ & /g, "&"],
];

/** `Design and Analysis of Algorithms` → `DSGN&ANLYSS OF ALGR` */
export function toShortTitle(title: string): string {
  let short = title.toUpperCase();
  for (const [long, customary] of CUSTOMARY) {
    if (short.length > TITLE_LENGTH) short = short.replace(long, customary);
  }
  if (short.length > TITLE_LENGTH) {
    short = short
      .split(" ")
      .map((word) => (word.length > 5 ? word[0] + word.slice(1).replace(/[AEIOU]/g, "") : word))
      .join(" ");
  }
  return short.slice(0, TITLE_LENGTH).trim();
}
