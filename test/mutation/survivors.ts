/** Mutants that no test can find, and why: they change nothing that anybody sees. */
export const EXPLAINED: readonly { readonly mutant: RegExp; readonly why: string }[] = [
  {
    mutant: /^server\/response\/query\.ts:.* (?:raw|items)\.length === 0 → false$/,
    why: "the way around is a shorter one: no kind of parameter reads a value from no items",
  },
  {
    mutant: /^server\/response\/query\.ts:.* (?:typeof item === "string" → false|"string" → "")$/,
    why: "texts in quotes are another form of the same values, and as different from each other",
  },
  {
    mutant: /^server\/endpoints\/schedule\/schedule-params\.ts:.* from === undefined \|\| to === undefined → .* && /,
    why: "both ends of a range are matched, or neither",
  },
  {
    mutant: /^pipeline\/contract\/name-key\.ts:.* (?:ASCII\.test\(text\) → false|\/\^\[\\x00-\\x7f\]\*\$\/ → .*)$/,
    why: "a text of ASCII has no diacritics: the way around is a shorter one",
  },
  {
    mutant: /^pipeline\/contract\/retention\.ts:.* first\.slice\(0, 7\) → first$/,
    why: "a day is after the beginning of its own month's name, and before that of a later one",
  },
];
