/**
 * The registrar's prerequisite grammar → a tree of AND and OR.
 *
 * A requirement is an AND of groups: `( MATH 2A ( min grade = C ) OR AP CALCULUS AB ( min score = 4 ) ) AND I&C SCI 31 AND NO I&C SCI 21`.
 * Only the words AND and OR in capitals are operators: PORTUG, BRAND and `score of 3 or greater` are not. Brackets after a course (minimum grade or
 * score, corequisite) and exclusions (`NO …`) are not part of the tree.
 */
import type { PrerequisiteItem, PrerequisiteTree } from "../../contract/rows/course.ts";
import { EXAMS } from "../../contract/course-name.ts";

export type Requirement = { tree: PrerequisiteTree | null } | { problem: string };

/**
 * Parses a requirement; `tree` is null when nothing is required. Text outside the grammar is a `problem`, never a guess.
 *
 * The root is an AND, also of a single item: `{AND: ["MATH 2A"]}`, `{AND: [{OR: [...]}]}`, except a single group with nested groups:
 * `{OR: ["STATS 7", {AND: [...]}]}`. OR binds tighter than AND, inside brackets and outside.
 */
export function parseRequirement(text: string): Requirement {
  const reader: Reader = { tokens: tokenize(text), at: 0, depth: 0 };
  try {
    const items = readConjunction(reader);
    const left = reader.tokens[reader.at];
    if (left === ")") throw new GrammarError("a bracket is closed that was not opened");
    if (left !== undefined) throw new GrammarError(`AND or OR is missing before ${left}`);
    const [only] = items;
    if (only === undefined) return { tree: null };
    const isWholeTree =
      items.length === 1 && typeof only !== "string" && itemsOf(only).some((i) => typeof i !== "string");
    return { tree: isWholeTree ? only : { AND: items } };
  } catch (error) {
    if (error instanceof GrammarError) return { problem: error.message };
    throw error;
  }
}

/** The course names in the tree, each once, in the order of the text. */
export function listOf(tree: PrerequisiteTree | null): string[] {
  const leaves = (item: PrerequisiteItem): string[] =>
    typeof item === "string" ? [item] : itemsOf(item).flatMap(leaves);
  return tree ? [...new Set(leaves(tree))] : [];
}

/** `(A OR B) AND C`; `""` for null. */
export function printTree(tree: PrerequisiteTree | null): string {
  return tree ? printItem(tree, false) : "";
}

function printItem(item: PrerequisiteItem, isNested: boolean): string {
  if (typeof item === "string") return item;
  const items = itemsOf(item);
  const text = items.map((inner) => printItem(inner, true)).join("AND" in item ? " AND " : " OR ");
  return isNested && items.length > 1 ? `(${text})` : text;
}

const itemsOf = (tree: PrerequisiteTree): PrerequisiteItem[] => ("AND" in tree ? tree.AND : tree.OR);

class GrammarError extends Error {
  override name = "GrammarError";
}

/** `(`, `)`, and words. */
const tokenize = (text: string): string[] => text.match(/[()]|[^\s()]+/g) ?? [];

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  /** Open brackets. */
  depth: number;
}

/** Real requirements nest five deep. */
const MAX_DEPTH = 50;

/** An operand; null = not part of the tree. */
type Operand = PrerequisiteItem | null;

/** Operands joined by AND, up to the end or to a closing bracket. */
function readConjunction(reader: Reader): PrerequisiteItem[] {
  const items: PrerequisiteItem[] = [];
  if (isEnd(reader)) return items;
  for (;;) {
    const alternatives = readAlternatives(reader);
    if (alternatives.length > 1) items.push({ OR: alternatives });
    else items.push(...alternatives);
    if (!takeOperator(reader, "AND")) return items;
  }
}

function readAlternatives(reader: Reader): PrerequisiteItem[] {
  const items: PrerequisiteItem[] = [];
  do {
    const operand = readOperand(reader);
    if (operand !== null) items.push(operand);
  } while (takeOperator(reader, "OR"));
  return items;
}

const isEnd = ({ tokens, at }: Reader): boolean => at >= tokens.length || tokens[at] === ")";

/** `OR GREATER` belongs to a score. */
const isOperator = ({ tokens }: Reader, at: number): boolean =>
  tokens[at] === "AND" || (tokens[at] === "OR" && !/^(GREATER|HIGHER|BETTER)\b/.test(tokens[at + 1] ?? ""));

function takeOperator(reader: Reader, word: "AND" | "OR"): boolean {
  if (reader.tokens[reader.at] !== word || !isOperator(reader, reader.at)) return false;
  reader.at++;
  return true;
}

function readOperand(reader: Reader): Operand {
  if (reader.tokens[reader.at] === "(") return readGroup(reader);
  const words = readWords(reader);
  if (words.length === 0) throw new GrammarError(`a course is missing before ${reader.tokens[reader.at] ?? "the end"}`);
  const remarks = readRemarks(reader);
  words.push(...readRestOfExam(reader, words, remarks));
  if (words[0] === "NO") return null;
  return toName([...words, ...remarks.unknown]);
}

function readGroup(reader: Reader): Operand {
  reader.at++;
  if (++reader.depth > MAX_DEPTH) throw new GrammarError("the brackets nest too deep");
  const items = readConjunction(reader);
  const end = reader.tokens[reader.at];
  if (end !== ")")
    throw new GrammarError(end === undefined ? "a bracket is not closed" : `AND or OR is missing before ${end}`);
  reader.at++;
  reader.depth--;
  if (readRemarks(reader).unknown.length > 0) throw new GrammarError("AND or OR is missing before a bracket");
  const [only] = items;
  if (only === undefined) return null;
  return items.length === 1 ? only : { AND: items };
}

function readWords(reader: Reader): string[] {
  const from = reader.at;
  while (!isEnd(reader) && reader.tokens[reader.at] !== "(" && !isOperator(reader, reader.at)) reader.at++;
  return reader.tokens.slice(from, reader.at);
}

interface Remarks {
  score: boolean;
  /** Unknown remarks are part of the name: `AP CALCULUS (SUB)`. */
  unknown: string[];
}

const REMARK = /^(min\.?(imum)? (grade|score)\b|coreq|concurrent|recommended)/i;

/** Brackets that follow a name: `( min grade = C )`, `( min score = 4 )`, `( coreq )`. */
function readRemarks(reader: Reader): Remarks {
  const remarks: Remarks = { score: false, unknown: [] };
  while (reader.tokens[reader.at] === "(") {
    const close = reader.tokens.indexOf(")", reader.at);
    if (close < 0) throw new GrammarError("a bracket is not closed");
    const inside = reader.tokens.slice(reader.at + 1, close);
    const text = inside.join(" ");
    if (inside.includes("(") || inside.includes("AND") || inside.includes("OR"))
      throw new GrammarError("AND or OR is missing before a bracket");
    if (!REMARK.test(text)) remarks.unknown.push(`(${text})`);
    else if (/score/i.test(text)) remarks.score = true;
    reader.at = close + 1;
  }
  return remarks;
}

const isExam = (words: readonly string[]): boolean =>
  EXAMS.has(words[0] ?? "") || (words[0] === "NO" && EXAMS.has(words[1] ?? ""));

/**
 * An exam's name may contain AND: `AP GOVT AND POLITICS ( min score = 3 )`. Only exams have scores: words with a score that do not begin an exam's
 * name, after an exam without a score, are the rest of its name.
 */
function readRestOfExam(reader: Reader, words: readonly string[], remarks: Remarks): string[] {
  if (remarks.score || !isExam(words) || !isOperator(reader, reader.at)) return [];
  const ahead: Reader = { ...reader, at: reader.at + 1 };
  const rest = readWords(ahead);
  if (rest.length === 0 || isExam(rest) || rest[0] === "NO" || /\d/.test(rest.at(-1) ?? "")) return [];
  if (!readRemarks(ahead).score) return [];
  const operator = reader.tokens[reader.at] ?? "";
  reader.at = ahead.at;
  return [operator, ...rest];
}

/** A renumbered course, `NEW * OLD since DATE`, has its new name. */
function toName(words: readonly string[]): string {
  const star = words.indexOf("*");
  return (star > 0 ? words.slice(0, star) : words).join(" ");
}
