/** The key of a course or section number: without case, blanks, and zeros in front, which spreadsheets strip. */
export const courseNumberKey = (number: string): string =>
  number
    .replace(/\s/g, "")
    .replace(/^0+(?=\d)/, "")
    .toUpperCase();
