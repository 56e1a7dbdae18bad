/** The words of an index, to tell a misspelled word from an unfinished one. */

export interface Vocabulary {
  add(word: string): void;
  /** True for a word of the index, or a prefix of one. */
  hasPrefix(word: string): boolean;
}

export function createVocabulary(): Vocabulary {
  const words = new Set<string>();
  let sorted: string[] | undefined;
  return {
    add: (word) => void words.add(word),
    hasPrefix(word) {
      sorted ??= [...words].sort();
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sorted[middle] ?? "") < word) low = middle + 1;
        else high = middle;
      }
      return sorted[low]?.startsWith(word) ?? false;
    },
  };
}
