/**
 * Inserts all mutants into a source, each behind a condition, so that a single loaded module is tested with one after
 * another.
 */
import ts from "typescript-5";
import { operatorsOf, patternsOf } from "./operators.ts";

export interface Mutant {
  /** File and place, and what stands there instead: `file.ts:12:7 a < b → a <= b`. */
  readonly id: string;
  readonly file: string;
}

/** The name of what an instrumented source asks which mutant is active: see `active.ts`. */
const ACTIVE = "globalThis.__mutation";

export interface Instrumented {
  readonly code: string;
  readonly mutants: readonly Mutant[];
  /** Expressions outside of functions, which are evaluated once, when the module is loaded: they are not tried. */
  readonly untried: number;
}

/** @param file the path from the root, for the mutants' names */
export function instrument(file: string, source: string): Instrumented {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  let untried = 0;

  const textOf = (node: ts.Node): string => source.slice(node.getStart(tree), node.end);
  const declare = (node: ts.Node, instead: string): string => {
    const { line, character } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    const short = (text: string) => text.replace(/\s+/g, " ").slice(0, 90);
    const id = `${file}:${line + 1}:${character + 1} ${short(textOf(node))} → ${short(instead)}`;
    mutants.push({ id, file });
    return `${ACTIVE}.is(${JSON.stringify(id)})`;
  };

  /** The text of a node in which the nodes below are replaced by what `visit` makes of them. */
  function withChildren(node: ts.Node): string {
    let text = "";
    let at = node.getStart(tree);
    node.forEachChild((child) => {
      const start = child.getStart(tree);
      text += source.slice(at, start) + visit(child);
      at = child.end;
    });
    return text + source.slice(at, node.end);
  }

  function visit(node: ts.Node): string {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return textOf(node);
    if (ts.isTypeAliasDeclaration(node) || isNoValue(node)) return textOf(node);
    const text = withChildren(node);
    if (ts.isRegularExpressionLiteral(node)) {
      const patterns = patternsOf(node.text).map((instead) => `[() => ${declare(node, instead)}, ${instead}]`);
      return patterns.length === 0 ? text : `${ACTIVE}.form(${node.text}, [${patterns.join(", ")}])`;
    }
    const instead = operatorsOf(node, textOf);
    if (instead.length === 0) return text;
    if (!isInFunction(node)) {
      untried += instead.length;
      return text;
    }
    if (ts.isStatement(node)) return `{ if (!${declare(node, "nothing")}) ${text} }`;
    const choices = instead.map((one) => `${declare(node, one)} ? (${one}) : `);
    return `(${choices.join("")}${bracketed(node, text)})`;
  }

  const code = withChildren(tree);
  return { code: source.slice(0, tree.getStart(tree)) + code + source.slice(tree.end), mutants, untried };
}

const bracketed = (node: ts.Node, text: string): string => (ts.isArrowFunction(node) ? text : `(${text})`);

/** True for nodes that are not expressions: names of properties, labels of imports and exports, directives. */
function isNoValue(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isStringLiteral(node) && !ts.isNumericLiteral(node)) return false;
  return (
    ts.isExportDeclaration(parent) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) ||
    ts.isLiteralTypeNode(parent) ||
    ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isBindingElement(parent)) &&
      (parent as { name?: ts.Node }).name === node)
  );
}

/** True when it is evaluated whenever a function is called, not once when the module is loaded. */
function isInFunction(node: ts.Node): boolean {
  for (let at = node; at.parent; at = at.parent) if (ts.isFunctionLike(at.parent)) return true;
  return false;
}
