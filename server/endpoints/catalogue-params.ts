import { formOf, type Param, texts } from "../response/params.ts";

/** A number such as `4`, `.5` or `1.3`. */
const UNITS = /^(\d{1,6}(\.\d{1,6})?|\.\d{1,6})$/;
export const unitsBound = (about: string, examples: readonly string[]): Param<number> =>
  formOf(about, (value) => (UNITS.test(value) ? Number(value) : undefined), "a number of units", {
    pattern: UNITS.source,
    examples,
  });

const WHOLE = /^\d{1,9}$/;
export const wholeNumber = (about: string, examples: readonly string[]): Param<number> =>
  formOf(about, (value) => (WHOLE.test(value) ? Number(value) : undefined), "a whole number", {
    pattern: WHOLE.source,
    examples,
  });

export const taughtInTermsParam = texts("terms such as `2026 Spring`, ignoring case; any of them", {
  examples: ["2026 Spring", "2025 Fall"],
});
