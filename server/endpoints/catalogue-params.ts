/** Parameters that courses and instructors share. */
import { formOf, type Param, texts } from "../params.ts";

/** A number such as `4`, `.5` or `1.3`. */
export const unitsBound = (about: string): Param<number> =>
  formOf(
    about,
    (value) => (/^(\d{1,6}(\.\d{1,6})?|\.\d{1,6})$/.test(value) ? Number(value) : undefined),
    "a number of units",
  );

export const wholeNumber = (about: string): Param<number> =>
  formOf(about, (value) => (/^\d{1,9}$/.test(value) ? Number(value) : undefined), "a whole number");

export const taughtInTermsParam = texts("terms such as `2023 Spring`, ignoring case");
