/** The headers `Link` of responses, by the bodies that came with them. */
const links = new WeakMap<object, string>();

export function keepLink(body: unknown, link: string | null): void {
  if (link !== null && body !== null && typeof body === "object") links.set(body, link);
}

export const linkOf = (body: object): string => links.get(body) ?? "";
