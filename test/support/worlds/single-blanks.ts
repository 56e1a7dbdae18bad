/** A row of the world as it is served: runs of white space in its texts are one blank. */
export function withSingleBlanks<Row extends object>(row: Row): Row {
  const texts = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" ? value.replace(/\s+/g, " ") : value,
  ]);
  return Object.fromEntries(texts) as Row;
}
