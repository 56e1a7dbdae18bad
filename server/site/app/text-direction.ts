/** Controls of writing direction in what the university wrote (Unicode Standard Annex 9). Markup isolates them; plain text cannot, and goes without. */

export const withoutDirection = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
