/** SQL text out of our own names and constants; what comes from outside is bound instead. */

/** A name as SQL text: `"the name"`. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A constant of the contract as SQL text: `'the word'`. */
export function literal(word: string): string {
  return `'${word.replaceAll("'", "''")}'`;
}
