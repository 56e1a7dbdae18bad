/** A link to the JSON behind a part of the page. */
export const JsonLink = ({ name, address }: { name: string; address: string }) => (
  <p class="json">
    JSON: <a href={address}>{name}</a>
  </p>
);
