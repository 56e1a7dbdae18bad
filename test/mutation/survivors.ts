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
  {
    mutant:
      /^server\/endpoints\/changes\/(?:change-counts\.ts:.* countsByCondition\.set\(.*|taught-changes\.ts:.* isMatch === undefined → true)$/,
    why: "what is known from before is found again, more slowly",
  },
  {
    mutant:
      /^pipeline\/normalize\/(?:course-history\.ts:.* (?:begun\.get\(quarter\) \?\? .*|begun\.set\(.*|years\.set\(.*|known !== undefined → false|key === undefined → true)|people\/department-names\.ts:.* !found\.has\(name\) → true)$/,
    why: "what is known from before is found again, more slowly",
  },
  {
    mutant:
      /^server\/endpoints\/changes\/change-range\.ts:.* (?:monthOf\(file\) <= time → .* < .*|\+ away → .* - \(away\))$/,
    why: "the name of a month is no time; the month before and the one behind are both asked for",
  },
  {
    mutant: /^server\/endpoints\/changes\/change-rows\.ts:.* end > bounds\.from → /,
    why: "from a row to the same one there are none",
  },
  {
    mutant: /^pipeline\/normalize\/schedule\/section\.ts:.* !\/CANCELL\?ED\/i\.test\(comment\) → false$/,
    why: "the way around is a shorter one: without the word no line says it",
  },
  {
    mutant: /^pipeline\/normalize\/schedule\/days\.ts:.* \/\^\(\?:(?:S\[ua\]|su).* → \/\(\?:/,
    why: "a text that does not begin with a day has its first day twice, and so it means none",
  },
  {
    mutant: /^pipeline\/normalize\/schedule\/meeting-time\.ts:.* \/\^0\\d\$\/ → /,
    why: "an hour has at most two digits",
  },
  {
    mutant:
      /^pipeline\/normalize\/(?:printed-days|larc|people\/person-name|people\/shortened-name)\.ts:.* (?:\/\[\\s\*†‡§¶\]\+\/g|\/\\s\+\/[gy]?|\/\[\\s,-\]\+\/) → /,
    why: "each of several blanks or marks goes for itself",
  },
  {
    mutant: /^pipeline\/normalize\/course-number-key\.ts:.*\.toUpperCase\(\) → .*\.toLowerCase\(\)$/,
    why: "both numbers are compared in the same case",
  },
  {
    mutant: /^pipeline\/normalize\/calendar-dates\.ts:.* named < about → \(named\) <= \(about\)$/,
    why: "no word is about both",
  },
  {
    mutant: /^pipeline\/products\/guard\/column-rules\.ts:.*(?:\.filled \?\? 0 → .*\.filled|before === 0 → false)$/,
    why: "of a column that nothing was counted of, no bound is reached, whether that is none or no number",
  },
  {
    mutant: /^pipeline\/products\/guard\/column-rules\.ts:.* next\?\.distinct → next\.distinct$/,
    why: "two versions of a table are counted in the same columns",
  },
  {
    mutant: /^pipeline\/products\/guard\/field-guard\.ts:.* breaches\.length === 0 → false$/,
    why: "the way around is a shorter one: from nothing that is breached nothing returns",
  },
  {
    mutant: /^pipeline\/products\/guard\/healing\.ts:.* (?:!published → false|false → undefined)$/,
    why: "without versions there is none to go through; what is not nearer is not, as either value",
  },
  {
    mutant: /^pipeline\/products\/guard\/healing\.ts:.* a\.since < b\.since → \(a\.since\) <= /,
    why: "no two contents of a part are of the same snapshot",
  },
  {
    mutant: /^pipeline\/products\/guard\/references\.ts:.* (?:"" → "\?"|partition\.year \?\? "" → partition\.year)$/,
    why: "a table is parted by year, or in one part that is no other",
  },
  {
    mutant:
      /^pipeline\/products\/guard\/profile\.ts:.* (?:found\[i\] \?\? 0 → found\[i\]|reader\.getRowsJS\(\)\[0\] \?\? \[\] → .*)$/,
    why: "the database answers with a number for everything that it was asked",
  },
  {
    mutant: /^pipeline\/disk\/lock\.ts:.* highest > 0 → (?:true|\(highest\) >= \(0\))$/,
    why: "there is no claim 0 to wait for",
  },
  {
    mutant:
      /^pipeline\/disk\/lock\.ts:.* (?:timer\.unref\(\); → nothing|Math\.min\(100, beatMs\) → .*|await sleep\(.* → nothing)$/,
    why: "how long a pause is says only how often is looked; a timer that is not let go ends with the lock",
  },
  {
    mutant: /^pipeline\/disk\/lock\.ts:.* found\?\.pid → found\.pid$/,
    why: "what fails while a claim is read is no claim either",
  },
  {
    mutant: /^pipeline\/store\/snapshot-id\.ts:.* (partition\.\w+) \?\? null → \1$/,
    why: "in a list of JSON what is not there is null",
  },
  {
    mutant:
      /^pipeline\/publish\/staging\.ts:.* (?:a\.file\.path < b\.file\.path → .* <= .*|Date\.parse\(time\) > Date\.parse\(replacedAt\) → .* >= .*)$/,
    why: "no two files have one path, and of two equal times either is the same",
  },
  {
    mutant:
      /^pipeline\/publish\/sql\/sql-output\.ts:.* (?:row\[at\] \?\? "" → row\[at\]|widths\[at\] \?\? 0 → widths\[at\]|columns\[at\]\?\.numeric → columns\[at\]\.numeric)$/,
    why: "each row and each list of widths has as many places as there are columns",
  },
  {
    mutant: /^pipeline\/publish\/sql\/sql-error\.ts:.* lines\.at\(-1\) \?\? "" → lines\.at\(-1\)$/,
    why: "a text that is split has a last part",
  },
];
