/** A link to the JSON behind a part of the page. */
export const JsonLink = ({ name, address }: { name: string; address: string }) => (
  <p class="json">
    JSON: <a href={address}>{name}</a>
  </p>
);

/** How a response is derived: files, sources, and a statement. */
const explanationOf = (address: string): string => `${address}${address.includes("?") ? "&" : "?"}explain=true`;

export const ExplainLink = ({ address }: { address: string }) => (
  <p class="json">
    <a href={explanationOf(address)}>Where these numbers come from</a>
  </p>
);
