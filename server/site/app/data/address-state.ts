/** The state of a view that stands in its address, so that it can be sent to a friend. */
import { useLocation } from "preact-iso";

type Changes = Readonly<Record<string, string | undefined>>;

/** The query of the address, and a function that changes some of it in place; what is empty is left out. */
export function useAddressState(): readonly [Readonly<Record<string, string>>, (changes: Changes) => void] {
  const { query, route } = useLocation();
  const change = (changes: Changes) => {
    const { pathname, search } = globalThis.location;
    const text = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) text.set(name, value);
      else text.delete(name);
    }
    route(text.size === 0 ? pathname : `${pathname}?${text}`, true);
  };
  return [query, change];
}
