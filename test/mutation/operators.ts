/** The replacements that mutants make for a piece of code. */
import ts from "typescript-5";

const { SyntaxKind: Kind } = ts;

const BINARY: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [Kind.LessThanToken, ["<=", ">="]],
  [Kind.LessThanEqualsToken, ["<", ">"]],
  [Kind.GreaterThanToken, [">=", "<="]],
  [Kind.GreaterThanEqualsToken, [">", "<"]],
  [Kind.EqualsEqualsEqualsToken, ["!=="]],
  [Kind.ExclamationEqualsEqualsToken, ["==="]],
  [Kind.AmpersandAmpersandToken, ["||"]],
  [Kind.BarBarToken, ["&&"]],
  [Kind.PlusToken, ["-"]],
  [Kind.MinusToken, ["+"]],
  [Kind.AsteriskToken, ["/"]],
  [Kind.SlashToken, ["*"]],
  [Kind.PercentToken, ["*"]],
]);

/** Methods with a counterpart; without one the call is left out. */
const METHODS: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  toLowerCase: "toUpperCase",
  toUpperCase: "toLowerCase",
  min: "max",
  max: "min",
  filter: "",
  slice: "",
  trim: "",
  sort: "",
  toSorted: "",
  reverse: "",
  toReversed: "",
};

type TextOf = (node: ts.Node) => string;

/** Each mutant as the text of an expression; for a statement, a value that stands for its absence. */
export function operatorsOf(node: ts.Node, textOf: TextOf): string[] {
  // A class needs its call of super, where it stands.
  if (ts.isExpressionStatement(node)) return /^(?:super\b|["'])/.test(textOf(node)) ? [] : [""];
  if (!ts.isExpression(node) || isTarget(node)) return [];
  return [...expression(node, textOf), ...place(node)];
}

function expression(node: ts.Expression, textOf: TextOf): string[] {
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    const kind = node.operatorToken.kind;
    if (kind === Kind.QuestionQuestionToken) return [left, right];
    return (BINARY.get(kind) ?? []).map((operator) => `(${left}) ${operator} (${right})`);
  }
  if (ts.isPrefixUnaryExpression(node) && [Kind.ExclamationToken, Kind.MinusToken].includes(node.operator))
    return [textOf(node.operand)];
  if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && /\+\+|--/.test(textOf(node)))
    return [textOf(node).replace(/\+\+|--/, (sign) => (sign === "++" ? "--" : "++"))];
  if (node.kind === Kind.TrueKeyword) return ["false"];
  if (node.kind === Kind.FalseKeyword) return ["true"];
  // The template of a tag is not a string.
  if (ts.isTaggedTemplateExpression(node.parent)) return [];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text === "" ? '"?"' : '""'];
  if (ts.isTemplateExpression(node)) return ['""'];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return ["[]"];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return call(node, node.expression, textOf);
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken && !isInChain(node))
    return [`${textOf(node.expression)}.${textOf(node.name)}`];
  return [];
}

function call(
  node: ts.CallExpression,
  { expression: of, name, questionDotToken }: ts.PropertyAccessExpression,
  textOf: TextOf,
) {
  const other = Object.hasOwn(METHODS, name.text) ? METHODS[name.text] : undefined;
  if (other === undefined || questionDotToken || isInChain(node)) return [];
  if (other === "") return [textOf(of)];
  return [`${textOf(of)}.${other}${textOf(node).slice(textOf(node.expression).length)}`];
}

/** Mutants by position: a condition that always or never holds, a result that is missing. */
function place(node: ts.Expression): string[] {
  const { parent } = node;
  if (ts.isIfStatement(parent) || (ts.isConditionalExpression(parent) && parent.condition === node))
    return ["true", "false"];
  if (
    (ts.isWhileStatement(parent) || ts.isForStatement(parent)) &&
    (parent as { condition?: ts.Node }).condition === node
  )
    return ["false"];
  if (ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node))
    return isPlain(node) ? [] : ["undefined"];
  return [];
}

const isPlain = (node: ts.Node): boolean =>
  node.kind === Kind.UndefinedKeyword || (ts.isIdentifier(node) && node.text === "undefined");

/** The target of an assignment, a method call or a deletion stays unchanged. */
function isTarget(node: ts.Expression): boolean {
  const { parent } = node;
  if (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind >= Kind.FirstAssignment &&
    parent.operatorToken.kind <= Kind.LastAssignment
  )
    return true;
  return (
    (ts.isCallExpression(parent) && parent.expression === node) ||
    ts.isDeleteExpression(parent) ||
    (ts.isPrefixUnaryExpression(parent) && /\+\+|--/.test(ts.tokenToString(parent.operator) ?? "")) ||
    ts.isPostfixUnaryExpression(parent) ||
    ts.isExpressionWithTypeArguments(parent)
  );
}

/** True when more of an optional chain follows, which must stay in one piece. */
const isInChain = ({ parent, end }: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(parent) ||
    ts.isCallExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isNonNullExpression(parent)) &&
  parent.expression.end === end &&
  ts.isOptionalChain(parent);

const PATTERNS: readonly (readonly [part: RegExp, instead: string])[] = [
  [/^\/\^/, "/"],
  [/(?<!\\)\$(?=\/)/, ""],
  [/(?<=\/[a-z]*)i(?=[a-z]*$)/, ""],
  [/\\d/, "\\D"],
  [/\\s/, "\\S"],
  [/\\b/, ""],
  [/(?<=[\])\w])\+/, ""],
  [/(?<=[\])\w])\*/, "+"],
  [/(?<=[\])\w])\?/, ""],
  [/\[\^/, "["],
];

/** Regular expressions that differ in one place, as literals. */
export function patternsOf(literal: string): string[] {
  const changed = PATTERNS.map(([part, instead]) => literal.replace(part, () => instead));
  return [...new Set(changed)].filter((text) => {
    const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
    return text !== literal && source !== "" && isForm(source, flags);
  });
}

function isForm(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
