/**
 * Removes the controls of writing direction from the university's texts (Unicode Standard Annex 9). Markup isolates
 * them; plain text cannot.
 */

export const withoutDirection = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
