/** Splits the id of a course, which has no blank, into its possible departments and numbers. */
export interface CourseKey {
  readonly department: string;
  readonly courseNumber: string;
}

/**
 * `MATH2B` is MATH 2B, `IN4MATX43` IN4MATX 43; `MATHH3D` is MATHH 3D or MATH H3D. The likelier one first; none for a
 * text that is no id.
 */
export function splitsOf(id: string): CourseKey[] {
  const [, letters = "", digits = ""] = /^(\D.{0,29}?)(\d{1,7}[A-Za-z]{0,6})$/.exec(id.replaceAll(" ", "")) ?? [];
  if (digits === "") return [];
  const [, head = "", last = ""] = /^(.+)([A-Za-z])$/.exec(letters) ?? [];
  const plain = { department: letters, courseNumber: digits };
  return head === "" ? [plain] : [plain, { department: head, courseNumber: last + digits }];
}
