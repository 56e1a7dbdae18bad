/** The words of an index, to tell a misspelt word from one that is only not finished yet. */

export interface Vocabulary {
  add(word: string): void;
  /** True for a word of the index and for the beginning of one. */
  begins(word: string): boolean;
}

export function createVocabulary(): Vocabulary {
  const words = new Set<string>();
  let sorted: string[] | undefined;
  return {
    add: (word) => void words.add(word),
    begins(word) {
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
