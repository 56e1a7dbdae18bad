/** The named entities of HTML, for an XML parser: the schedule's texts are written as HTML, and XML defines five of its names only. */
import { decodeHTMLStrict } from "entities";

/** What a parser takes for a name when it meets a bare ampersand is no name. */
const NAME = /^[A-Za-z][A-Za-z0-9]*$/;

/** Text by entity name; undefined for a name that HTML does not define either. */
export const HTML_ENTITIES: Record<string, string> = new Proxy<Record<string, string>>(
  {},
  {
    get(_none, name) {
      if (typeof name !== "string" || !NAME.test(name)) return undefined;
      const reference = `&${name};`;
      const text = decodeHTMLStrict(reference);
      return text === reference ? undefined : text;
    },
  },
);
