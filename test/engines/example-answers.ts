/** The expected output of the examples of CLIENTS.md: the rows of `make sql` for the same question. */

import type { Rows, Value } from "./analysts.ts";

/** By the title of the example: a statement for `make sql` whose values must all occur in the example's output. */
export const EXAMPLE_ANSWERS: Readonly<Record<string, string>> = {
  "Python: DuckDB": `SELECT department, sum(gpaPoints) / sum(gpaStudents) AS gpa FROM grade_students GROUP BY ALL ORDER BY gpa DESC LIMIT 5`,
  "Python: a response by its address, in DuckDB, Polars and pandas": `SELECT year, avg(averageGPA), NULL FROM grades WHERE department = 'MATH' GROUP BY ALL
    UNION ALL SELECT NULL, avg(averageGPA), sum(gradeACount)::INTEGER FROM grades WHERE department = 'MATH'`,
  "Python: pandas and Polars, from the folders of a table and of a view": `(SELECT department, sum(gradeACount)::INTEGER FROM grades GROUP BY ALL ORDER BY 2 DESC LIMIT 5)
    UNION ALL SELECT ordinal::VARCHAR, sum(sectionEnrolled)::INTEGER FROM seats JOIN terms USING (year, quarter) GROUP BY ordinal`,
  "DuckDB: who graded best, from the folder of a view": `SELECT instructor, round(sum(gpaPoints) / sum(gpaStudents), 3) AS gpa, sum(students)::INTEGER
    FROM grade_instructors GROUP BY ALL HAVING sum(gpaStudents) > 50 ORDER BY gpa DESC, instructor LIMIT 5`,
  "R: every response with format=csv is a data frame. An average without letter grades is empty, so that means are the API's.": `SELECT year, avg(averageGPA) FROM grades WHERE department = 'MATH' GROUP BY year`,
  "The browser: a module of any site": `SELECT year, quarter, longName, ordinal FROM terms`,
  "Notebook: a cell to connect, and one for each question": `SELECT year, sum(sectionEnrolled)::INTEGER FROM seats GROUP BY year, quarter`,
};

/** Programs print fewer digits than they have. */
const PRINTED = 0.005;

/** The values that stand nowhere in a printed text: a text as it is, a number rounded to two decimals or better. */
export function missingValues(printed: string, rows: Rows): Value[] {
  const numbers = [...printed.matchAll(/-?\d[\d,_]*(?:\.\d+)?/g)].map(([text]) => Number(text.replace(/[,_]/g, "")));
  const stands = (value: Value): boolean =>
    value === null ||
    (typeof value === "number"
      ? numbers.some((number) => Math.abs(number - value) <= PRINTED)
      : printed.includes(String(value)));
  return [...new Set(rows.flat())].filter((value) => !stands(value));
}
