/**
 * Sections of every term from 2014 Summer 1 to 2026 Spring, cancelled ones and independent study included, rounded to
 * ten.
 */
import type { Quarter } from "../../contract/vocabulary.ts";

/** Sections of Fall 2024, the term from which the departments' figures come. */
export const FALL_2024_SECTIONS = 13_719;
/** The distribution of a summer's sections over its sessions. */
export const SUMMER_SHARES: Readonly<Partial<Record<Quarter, number>>> = {
  Summer1: 0.38,
  Summer10wk: 0.2,
  Summer2: 0.42,
};

/** year → [Winter, Spring, Fall] */
const MAIN_TERMS: Readonly<Record<string, readonly [winter: number, spring: number, fall: number]>> = {
  2014: [11_590, 11_300, 12_090],
  2015: [11_810, 11_530, 12_160],
  2016: [11_940, 11_510, 12_600],
  2017: [12_060, 11_970, 12_940],
  2018: [12_760, 12_370, 13_000],
  2019: [12_880, 12_430, 13_200],
  2020: [13_070, 12_910, 13_880],
  2021: [13_370, 12_920, 13_860],
  2022: [13_730, 13_280, 13_820],
  2023: [13_700, 13_110, 13_630],
  2024: [13_790, 13_170, 13_720],
  2025: [13_600, 13_020, 13_580],
};
const LIKE_LATER_YEARS = MAIN_TERMS["2025"] as readonly [number, number, number];

/**
 * The size of a term relative to Fall 2024 (of a summer session, relative to that session in 2024, since the years
 * differ little).
 */
export function termFactor(year: string, quarter: Quarter): number {
  const [winter, spring, fall] = MAIN_TERMS[year] ?? LIKE_LATER_YEARS;
  if (quarter === "Winter") return winter / FALL_2024_SECTIONS;
  if (quarter === "Spring") return spring / FALL_2024_SECTIONS;
  if (quarter === "Fall") return fall / FALL_2024_SECTIONS;
  return 1;
}
