/**
 * Parses a requirement such as `(A (min grade C) OR B) AND SENIOR STANDING ONLY AND NO D` as a tree. Remarks stand in
 * brackets after a name.
 */
export type Requirement = RequirementGroup | RequirementLeaf;

export interface RequirementGroup {
  readonly all: boolean;
  readonly parts: readonly Requirement[];
}

export interface RequirementLeaf {
  /** `MATH 2A`, `AP BIOLOGY`, `SENIOR STANDING ONLY`. */
  readonly name: string;
  /** `min grade C`, `corequisite`. */
  readonly remarks: readonly string[];
  /** The name follows a NO: whoever has it may not take the course. */
  readonly isExcluded: boolean;
}

export const isGroup = (requirement: Requirement): requirement is RequirementGroup => "parts" in requirement;

interface Reader {
  readonly tokens: readonly string[];
  index: number;
}

/** Undefined for an empty text, and for one whose brackets do not fit. */
export function parseRequirement(text: string): Requirement | undefined {
  const reader: Reader = { tokens: text.match(/[()]|[^\s()]+/g) ?? [], index: 0 };
  const requirement = readParts(reader);
  return reader.index === reader.tokens.length ? requirement : undefined;
}

/** Operands up to the end or a closing bracket. As printed, a group has one operator. */
function readParts(reader: Reader): Requirement | undefined {
  const parts: Requirement[] = [];
  let all = true;
  for (;;) {
    const part = reader.tokens[reader.index] === "(" ? readGroup(reader) : readLeaf(reader);
    if (!part) return undefined;
    parts.push(part);
    const operator = reader.tokens[reader.index];
    if (operator !== "AND" && operator !== "OR") break;
    if (parts.length === 1) all = operator === "AND";
    reader.index += 1;
  }
  return parts.length === 1 ? parts[0] : { all, parts };
}

function readGroup(reader: Reader): Requirement | undefined {
  reader.index += 1;
  const group = readParts(reader);
  if (reader.tokens[reader.index] !== ")") return undefined;
  reader.index += 1;
  return group;
}

function readLeaf(reader: Reader): RequirementLeaf | undefined {
  const { tokens } = reader;
  const words: string[] = [];
  const remarks: string[] = [];
  for (
    let token = tokens[reader.index];
    token !== undefined && !/^(AND|OR|\))$/.test(token);
    token = tokens[reader.index]
  ) {
    if (token === "(") {
      const end = tokens.indexOf(")", reader.index);
      if (end < 0) return undefined;
      remarks.push(tokens.slice(reader.index + 1, end).join(" "));
      reader.index = end + 1;
    } else {
      words.push(token);
      reader.index += 1;
    }
  }
  if (words.length === 0) return undefined;
  const isExcluded = words[0] === "NO" && words.length > 1;
  return { name: words.slice(isExcluded ? 1 : 0).join(" "), remarks, isExcluded };
}

/** Names of exams begin with these; every other name that ends with a number is a course. */
const EXAM = /^(AP|IB|SAT|ACT|CLEP) /;
const COURSE = /^\S.* [A-Z]{0,4}\d{1,4}[A-Z]{0,4}$/;

/** True for the name of a course; `listed` has the names of courses and exams of the requirement. */
export const isCourse = ({ name, isExcluded }: RequirementLeaf, listed: readonly string[]): boolean =>
  COURSE.test(name) && !EXAM.test(name) && (isExcluded || listed.includes(name));
