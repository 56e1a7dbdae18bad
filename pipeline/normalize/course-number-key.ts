/** The key of a course or section number: without case, blanks, and leading zeros, which spreadsheets strip. */
export const courseNumberKey = (number: string): string =>
  number
    .replace(/\s/g, "")
    .replace(/^0+(?=\d)/, "")
    .toUpperCase();
