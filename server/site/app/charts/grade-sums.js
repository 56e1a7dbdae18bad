const LETTERS = ["A", "B", "C", "D", "F"];
const GRADES = [...LETTERS, "P", "NP", "W"];
export const gradeSums = (rows) =>
  GRADES.map((name) => ({ name, value: rows.reduce((sum, row) => sum + row[`grade${name}Count`], 0) }));
/** Like the API: the plain mean of the averages of sections with a letter grade. */
export function meanOf(rows) {
  const lettered = rows.filter((row) => LETTERS.some((grade) => row[`grade${grade}Count`] > 0));
  return lettered.length === 0 ? undefined : lettered.reduce((sum, row) => sum + row.averageGPA, 0) / lettered.length;
}
export const meanText = (rows) => meanOf(rows)?.toFixed(2) ?? "–";
/** A row with several keys is in several groups. */
export function groupBy(rows, keysOf) {
  const groups = new Map();
  for (const row of rows)
    for (const key of keysOf(row)) {
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
  return groups;
}
