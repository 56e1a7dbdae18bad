/** Numbers in JSON that DuckDB writes: JavaScript's are not exact, and NaN and Infinity are not valid in JSON. */

const NUMBER = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity|\d[\d.eE+-]*)/g;

/** Replaces the numbers outside of strings. */
export const replaceNumbers = (json: string, replace: (number: string) => string): string =>
  json.replaceAll(NUMBER, (token) => (token.startsWith('"') ? token : replace(token)));

const isFinite = (number: string): boolean => !/[NI]/.test(number);

/** Replaces NaN and infinities with null. */
export const finiteJson = (json: string): string =>
  isFinite(json) ? json : replaceNumbers(json, (number) => (isFinite(number) ? number : "null"));

/** The significant digits, wherever the point is. */
const digitsOf = (number: string): string =>
  number
    .replace(/e.*$/i, "")
    .replaceAll(/[-.]/g, "")
    .replaceAll(/^0+|0+$/g, "");

function isHeld(number: string): boolean {
  const value = Number(number);
  return /^-?\d+$/.test(number) ? Number.isSafeInteger(value) : digitsOf(String(value)) === digitsOf(number);
}

/** Replaces each number that JavaScript, and so most readers of JSON, would change with a string. */
export const exactJson = (json: string): string =>
  replaceNumbers(json, (number) => (isHeld(number) ? number : `"${number}"`));
