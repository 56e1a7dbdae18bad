/** The divisions of courses by their number, as the API's `division` and `courseLevel` divide them. */

export interface Division {
  readonly id: string;
  readonly words: string;
  /** The first number of the division, and the first one after it. */
  readonly from: number;
  readonly to: number;
}

export const DIVISIONS: readonly Division[] = [
  { id: "LowerDiv", words: "lower-division", from: 0, to: 100 },
  { id: "UpperDiv", words: "upper-division", from: 100, to: 200 },
  { id: "Graduate", words: "graduate", from: 200, to: Infinity },
];

export const isOfDivision = (courseNumeric: number, { from, to }: Division): boolean =>
  from <= courseNumeric && courseNumeric < to;
