/** Distributions of the records office's grade counts, 2014 to 2022 (57,302 rows); rounded. */

/**
 * Rows of a term relative to its sections: about 1,420 of 17,000 in a quarter, the rest of the rows in summer. Fitted
 * to 60,000 rows in all.
 */
export const LEAST_STUDENTS = 10;
/** Share of graded undergraduate and graduate sections with Pass/No-Pass only, and with any withdrawal. */
export const PNP_ONLY_SHARES = { undergraduate: 0.08, graduate: 0.003 } as const;
export const WITHDRAWAL_SHARES = { undergraduate: 0.15, graduate: 0.04 } as const;
/** Share of students who take a letter-graded undergraduate class Pass/No Pass; one in nine of those does not pass. */
export const PASS_OPTION_SHARE = 0.066;
export const NOT_PASSED_SHARE = 0.11;
/** GPA computed from the counts with 4/3/2/1/0, minus the reported GPA, which includes plus and minus grades. */
// oxfmt-ignore
export const NAIVE_MINUS_REPORTED = [[0, -0.2], [0.01, -0.096], [0.05, -0.05], [0.1, -0.029], [0.25, 0], [0.5, 0.019], [0.75, 0.049], [0.9, 0.083], [0.95, 0.106], [0.99, 0.154], [1, 0.22]] as const;
/** Spread of students' grades within a section and of sections within a department, in grade points. */
export const STUDENT_SPREAD = 0.95;
export const SECTION_SPREAD = 0.28;
/** The most by which an instructor's grades lie above or below the department's, in grade points. */
export const INSTRUCTOR_SPREAD = 0.38;
/** Grade points by which averages rise each year, and fall with every doubling of a class of USUAL_STUDENTS. */
export const YEARLY_RISE = 0.016;
export const RISE_FROM = 2020;
export const LOSS_BY_DOUBLING = 0.05;
export const USUAL_STUDENTS = 30;
/** Placeholders for a missing instructor. */
export const NO_INSTRUCTOR = ["UNKNOWN INSTRUCTOR", "REDACTED"] as const;
