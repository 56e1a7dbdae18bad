/** Decodes text so that damaged bytes never become U+FFFD. */

/** Undefined when the bytes are not in that encoding, when nobody knows it, and for a text that another program has damaged already. */
export function decodeText(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // In one call Node 20 decodes windows-1252 as if it were ISO-8859-1.
    const text = decoder.decode(bytes, { stream: true }) + decoder.decode();
    return text.includes("\ufffd") ? undefined : text;
  } catch {
    return undefined;
  }
}
