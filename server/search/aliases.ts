/** Aliases of departments, derived from codes and names, plus nicknames. */
import { toNameWords, toWords } from "./words.ts";

export interface NamedDepartment {
  readonly code: string;
  readonly name: string;
}

/**
 * A department that an alias may refer to; `rank` 0 = its code, 1 = its name or a nickname, 2 = derived; lower is
 * better.
 */
export interface DepartmentMatch {
  readonly code: string;
  readonly rank: number;
}

/** Maps an alias without separators (`icsci`, `ics`, `informationcomputerscience`) to candidates, best first. */
export type Aliases = ReadonlyMap<string, readonly DepartmentMatch[]>;

/** Nicknames that cannot be derived from code or name; spaces are ignored. */
const NICKNAMES: Readonly<Record<string, readonly string[]>> = {
  AFAM: ["aaas", "african american"],
  ANTHRO: ["anth"],
  "ART HIS": ["art history", "arthist"],
  ASIANAM: ["asian american", "aas"],
  "BIO SCI": ["bio", "biology", "bios"],
  BIOCHEM: ["biochemistry"],
  "CHC/LAT": ["chicano", "latino", "cls"],
  CHEM: ["chemistry"],
  COGS: ["cogsci", "cognitive"],
  "COM LIT": ["complit"],
  COMPSCI: ["cs", "compsci", "computer sci"],
  "CRM/LAW": ["crim", "criminology"],
  "DEV BIO": ["dcb"],
  EARTHSS: ["ess", "earth science"],
  "ECO EVO": ["eeb", "ecology"],
  ECON: ["economy"],
  EECS: ["ee", "ece", "electrical engineering"],
  ENGLISH: ["eng", "engl"],
  ENGRCEE: ["cee", "civil engineering"],
  ENGRMAE: ["mae", "mechanical engineering", "aerospace engineering"],
  "FLM&MDA": ["film", "fms"],
  GDIM: ["game design"],
  "GEN&SEX": ["gss", "gender studies"],
  GLBLCLT: ["global cultures"],
  HISTORY: ["hist"],
  HUMAN: ["hum", "humanities core"],
  "I&C SCI": ["ics"],
  IN4MATX: ["inf", "info", "informatics"],
  "INTL ST": ["intl"],
  JAPANSE: ["japanese"],
  "LIT JRN": ["journalism"],
  LSCI: ["ling", "linguistics"],
  MATH: ["maths", "mathematics"],
  MGMT: ["mgt", "business"],
  "MOL BIO": ["mbb"],
  NEURBIO: ["neurobio", "neuroscience"],
  "NUR SCI": ["nursing"],
  PHILOS: ["phil"],
  PHRMSCI: ["pharm sci", "pharmsci"],
  "PHY SCI": ["physical science"],
  PHYSICS: ["phys"],
  "POL SCI": ["poli sci", "polisci", "poli"],
  PSCI: ["psych sci", "psychsci"],
  PSYCH: ["psy"],
  PUBHLTH: ["pub health", "ph"],
  "REL STD": ["religion"],
  "SOC SCI": ["socsci"],
  SOCECOL: ["soc ecol", "se"],
  SOCIOL: ["soc", "sociology"],
  STATS: ["stat", "statistics"],
  VIETMSE: ["vietnamese"],
  WRITING: ["writ", "writing"],
};

/** Returns a department's code as a single word: `I&C SCI` → `icsci`. */
export const toCodeKey = (code: string): string => toWords(code).join("");

function* aliasesOf({ code, name }: NamedDepartment): Generator<readonly [alias: string, rank: number]> {
  const words = toNameWords(name);
  yield [toCodeKey(code), 0];
  yield [words.join(""), 1];
  for (const nickname of NICKNAMES[code] ?? []) yield [toWords(nickname).join(""), 1];
  if (words.length > 1) {
    yield [words.map((word) => word[0]).join(""), 2];
    yield [words.map((word) => word.replace(/^sciences?$/, "sci")).join(""), 2];
  }
  // The first word of the code is an alias too: `bio` for `BIO SCI`.
  const [first = "", ...rest] = toWords(code);
  if (rest.length > 0 && first.length > 2) yield [first, 2];
}

export function toAliases(departments: readonly NamedDepartment[]): Aliases {
  const aliases = new Map<string, DepartmentMatch[]>();
  for (const department of departments) {
    for (const [alias, rank] of aliasesOf(department)) {
      if (alias.length < 2) continue;
      const matches = aliases.get(alias) ?? [];
      if (!matches.some(({ code }) => code === department.code)) matches.push({ code: department.code, rank });
      aliases.set(alias, matches);
    }
  }
  for (const matches of aliases.values()) matches.sort((a, b) => a.rank - b.rank || (a.code < b.code ? -1 : 1));
  return aliases;
}
