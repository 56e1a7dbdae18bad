/**
 * Escapes text and attributes of HTML and XML. A bare carriage return is escaped too, because XML turns it into a
 * newline.
 */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"'\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
