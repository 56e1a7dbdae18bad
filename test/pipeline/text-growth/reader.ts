/** Declares how a function is called with one text, and what its texts look like. */
export interface TextReader {
  readonly read: (text: string) => unknown;
  /** Valid texts: their words, blanks and signs are the pieces that are repeated. */
  readonly samples: readonly string[];
}

/** Readers by module and name; null for a function that takes no text from outside. */
export type TextReaders = Readonly<Record<string, Readonly<Record<string, TextReader | null>>>>;

export const reads = (read: (text: string) => unknown, ...samples: string[]): TextReader => ({ read, samples });

export const linesIn = (text: string): string[] => text.split("\n");
/** Lines of which no two are equal. */
export const distinctIn = (text: string): string[] => linesIn(text).map((line, i) => `${line} ${i}`);
