/**
 * Parses the registrar's prerequisite grammar into a tree of AND and OR over leaves.
 *
 * A requirement is an AND of groups: `( MATH 2A ( min grade = C ) OR AP CALCULUS AB ( min score = 4 ) ) AND SENIOR
 * STANDING ONLY AND NO I&C SCI 21`. Only the words AND and OR in capitals are operators: PORTUG, BRAND and `score of 3
 * or greater` are not.
 */
import {
  addRemark,
  hasRemarks,
  hasScore,
  isExam,
  type IsCatalogued,
  isRemark,
  NO_REMARKS,
  type Remarks,
  type RequirementLeaf,
  toLeaf,
} from "./requirement-leaf.ts";

/** The whole text, conditions and exclusions included, in its order. */
export type Requirement = { readonly AND: readonly RequirementPart[] } | { readonly OR: readonly RequirementPart[] };
export type RequirementPart = RequirementLeaf | Requirement;

export type ParsedRequirement = { requirement: Requirement | null } | { problem: string };

/**
 * Parses a requirement; null when nothing is required. Text outside the grammar is a `problem`, never a guess.
 *
 * The root is an AND, even of a single item: `{AND: ["MATH 2A"]}`, `{AND: [{OR: [...]}]}`, except for a single group
 * with nested groups: `{OR: ["STATS 7", {AND: [...]}]}`. OR binds tighter than AND, inside brackets and outside.
 */
export function parseRequirement(text: string, isCatalogued: IsCatalogued = () => false): ParsedRequirement {
  const reader: Reader = { tokens: tokenize(text), at: 0, depth: 0, isCatalogued };
  try {
    const items = readConjunction(reader);
    const left = reader.tokens[reader.at];
    if (left === ")") throw new GrammarError("a bracket is closed that was not opened");
    if (left !== undefined) throw new GrammarError(`AND or OR is missing before ${left}`);
    const [only] = items;
    if (only === undefined) return { requirement: null };
    const isWhole = items.length === 1 && !isLeaf(only) && partsOf(only).some((part) => !isLeaf(part));
    return { requirement: isWhole ? only : { AND: items } };
  } catch (error) {
    if (error instanceof GrammarError) return { problem: error.message };
    throw error;
  }
}

export const isLeaf = (part: RequirementPart): part is RequirementLeaf => "text" in part;
export const partsOf = (requirement: Requirement): readonly RequirementPart[] =>
  "AND" in requirement ? requirement.AND : requirement.OR;

class GrammarError extends Error {
  override name = "GrammarError";
}

/** `(`, `)`, the `*` before a former name, and words. */
const tokenize = (text: string): string[] => text.match(/[()*]|[^\s()*]+/g) ?? [];

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  /** Open brackets. */
  depth: number;
  readonly isCatalogued: IsCatalogued;
}

/** Real requirements nest five deep, and names have three remarks. */
const [MAX_DEPTH, MAX_REMARKS] = [50, 50];

/** Reads operands joined by AND, up to the end or to a closing bracket. */
function readConjunction(reader: Reader): RequirementPart[] {
  const items: RequirementPart[] = [];
  if (isEnd(reader)) return items;
  for (;;) {
    const alternatives = readAlternatives(reader);
    if (alternatives.length > 1) items.push({ OR: alternatives });
    else items.push(...alternatives);
    if (!takeOperator(reader, "AND")) return items;
  }
}

function readAlternatives(reader: Reader): RequirementPart[] {
  const items: RequirementPart[] = [];
  do {
    const operand = readOperand(reader);
    if (operand !== undefined) items.push(operand);
  } while (takeOperator(reader, "OR"));
  return items;
}

const isEnd = ({ tokens, at }: Reader): boolean => at >= tokens.length || tokens[at] === ")";

/** `OR GREATER` belongs to a score, `OR BETTER` to a grade. */
const isOperator = (tokens: readonly string[], index: number): boolean =>
  tokens[index] === "AND" || (tokens[index] === "OR" && !/^(GREATER|HIGHER|BETTER)\b/.test(tokens[index + 1] ?? ""));

function takeOperator(reader: Reader, word: "AND" | "OR"): boolean {
  if (reader.tokens[reader.at] !== word || !isOperator(reader.tokens, reader.at)) return false;
  reader.at++;
  return true;
}

/** Returns undefined for empty brackets. */
function readOperand(reader: Reader): RequirementPart | undefined {
  if (reader.tokens[reader.at] === "(") return readGroup(reader);
  const words = readWords(reader);
  if (words.length === 0) throw new GrammarError(`a course is missing before ${reader.tokens[reader.at] ?? "the end"}`);
  let remarks = readRemarks(reader);
  const rest = readRestOfExam(reader, words, remarks);
  if (rest) remarks = rest.remarks;
  return toLeaf([...words, ...(rest?.words ?? [])], remarks, reader.isCatalogued);
}

function readGroup(reader: Reader): RequirementPart | undefined {
  reader.at++;
  if (++reader.depth > MAX_DEPTH) throw new GrammarError("the brackets nest too deeply");
  const items = readConjunction(reader);
  const end = reader.tokens[reader.at];
  if (end !== ")")
    throw new GrammarError(end === undefined ? "a bracket is not closed" : `AND or OR is missing before ${end}`);
  reader.at++;
  reader.depth--;
  // Remarks follow each name, not a group.
  if (reader.tokens[reader.at] === "(") throw new GrammarError("AND or OR is missing before a bracket");
  const [only] = items;
  return items.length > 1 ? { AND: items } : only;
}

function readWords(reader: Reader): string[] {
  const from = reader.at;
  while (!isEnd(reader) && reader.tokens[reader.at] !== "(" && !isOperator(reader.tokens, reader.at)) reader.at++;
  return reader.tokens.slice(from, reader.at);
}

/** Finds the bracket that closes the bracket at `from`. */
function closeOf(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let index = from; index < tokens.length; index++) {
    if (tokens[index] === "(") depth++;
    if (tokens[index] === ")" && --depth === 0) return index;
  }
  throw new GrammarError("a bracket is not closed");
}

/** `( ( coreq ) )` means the same as `( coreq )`. */
function withoutBrackets(inside: readonly string[]): readonly string[] {
  let from = 0;
  let to = inside.length;
  while (from < MAX_DEPTH && inside[from] === "(" && closeOf(inside, from) === to - 1) [from, to] = [from + 1, to - 1];
  return inside.slice(from, to);
}

/** Reads the brackets after a name: `( min grade = C )`, `( min score = 4 )`, `( coreq )`, possibly nested. */
function readRemarks(reader: Reader): Remarks {
  let remarks = NO_REMARKS;
  for (let count = 1; reader.tokens[reader.at] === "("; count++) {
    if (count > MAX_REMARKS) throw new GrammarError("a name has too many remarks");
    const close = closeOf(reader.tokens, reader.at);
    const inside = withoutBrackets(reader.tokens.slice(reader.at + 1, close));
    const text = inside.join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
    if (!isRemark(text) && inside.some((_, index) => isOperator(inside, index)))
      throw new GrammarError("AND or OR is missing before a bracket");
    if (text !== "") remarks = addRemark(remarks, text);
    reader.at = close + 1;
  }
  return remarks;
}

/**
 * An exam's name may contain AND: `AP GOVT AND POLITICS ( min score = 3 )`. Only exams have scores: words with a score
 * that do not begin an exam's name, after an exam without a score, are the rest of its name.
 */
function readRestOfExam(
  reader: Reader,
  words: readonly string[],
  remarksBefore: Remarks,
): { words: string[]; remarks: Remarks } | undefined {
  const name = words[0] === "NO" ? words.slice(1) : words;
  if (hasRemarks(remarksBefore) || !isExam(name) || !isOperator(reader.tokens, reader.at)) return undefined;
  const ahead: Reader = { ...reader, at: reader.at + 1 };
  const rest = readWords(ahead);
  if (rest.length === 0 || isExam(rest) || rest[0] === "NO" || /\d/.test(rest.at(-1) ?? "")) return undefined;
  const remarks = readRemarks(ahead);
  if (!hasScore(remarks) && !/\bscore of\b/i.test(rest.join(" "))) return undefined;
  const operator = reader.tokens[reader.at] ?? "";
  reader.at = ahead.at;
  return { words: [operator, ...rest], remarks };
}
