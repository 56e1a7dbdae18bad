/** Counts the elements of a document and their depth while it is read. */
import { beyondLimit, type LIMITS } from "../limits.ts";

export interface ElementBounds {
  element(): void;
  /** Counts an attribute of the latest element. */
  attribute(): void;
  /** An element is open from `enter` to `leave`. */
  enter(): void;
  leave(): void;
}

/** Creates the counters. @throws UpstreamBadResponse in each function, as soon as the limit is exceeded */
export function createElementBounds(
  system: string,
  thing: string,
  limits: typeof LIMITS.html | typeof LIMITS.xml,
): ElementBounds {
  let [elements, attributes, allAttributes, levels] = [0, 0, 0, 0];
  const check = (count: number, most: number, what: string): void => {
    if (count > most) throw beyondLimit(system, thing, most, what);
  };
  return {
    element() {
      attributes = 0;
      check(++elements, limits.elements, "elements");
    },
    attribute() {
      check(++attributes, limits.attributes, "attributes in one element");
      check(++allAttributes, limits.allAttributes, "attributes");
    },
    enter: () => check(++levels, limits.levels, "levels of elements"),
    leave: () => void levels--,
  };
}
