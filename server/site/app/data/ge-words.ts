/** General education categories: the Roman number on a transcript, and the subject. */
import type { GeCategory } from "../../../../pipeline/contract/vocabulary.ts";

export const GE_WORDS: Readonly<Record<GeCategory, readonly [roman: string, subject: string]>> = {
  "GE-1A": ["GE-Ia", "Lower-division writing"],
  "GE-1B": ["GE-Ib", "Upper-division writing"],
  "GE-2": ["GE-II", "Science and technology"],
  "GE-3": ["GE-III", "Social and behavioral sciences"],
  "GE-4": ["GE-IV", "Arts and humanities"],
  "GE-5A": ["GE-Va", "Quantitative literacy"],
  "GE-5B": ["GE-Vb", "Formal reasoning"],
  "GE-6": ["GE-VI", "Language other than English"],
  "GE-7": ["GE-VII", "Multicultural studies"],
  "GE-8": ["GE-VIII", "International and global issues"],
};
