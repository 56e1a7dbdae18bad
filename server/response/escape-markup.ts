/** For text and attributes of HTML and XML; a bare carriage return would become a newline in XML. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"'\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
