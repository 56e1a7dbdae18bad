/** P, NP and W by name, in small letters beside the number of letter grades. */
import { otherGradesText } from "../charts/grade-sums.ts";

export function OtherGrades({ sums }: { readonly sums: Parameters<typeof otherGradesText>[0] }) {
  const text = otherGradesText(sums);
  return text === "" ? null : <small class="quiet"> + {text}</small>;
}
