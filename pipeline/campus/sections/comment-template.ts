/** Comments are HTML with the white space of their template, as in the real system. */

/** The template's indentation around a comment. */
export const inTemplate = (html: string): string => `\n\t\t\t    <p>${html}</p>\n\t\t\t    `;

export const escapeMarkup = (text: string): string => text.replaceAll("&", "&amp;");
