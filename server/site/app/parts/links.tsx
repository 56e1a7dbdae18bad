/** Links to views, and to the JSON behind their parts. */
import { courseAddress, explanationOf } from "../data/addresses.ts";

/** `I&C SCI 46`. */
export const CourseLink = ({ name }: { name: string }) => <a href={courseAddress(name.replaceAll(" ", ""))}>{name}</a>;

/** Where the numbers of a part come from: one small menu. */
export const SourceMenu = ({ name, address }: { name: string; address: string }) => (
  <details class="source">
    <summary aria-label={`Source of ${name}`}>Source</summary>
    <ul>
      <li>
        <a href={explanationOf(address)}>Data source and SQL</a>
      </li>
      <li>
        <a href={address}>JSON</a>
      </li>
      <li>
        <a href={`${address}${address.includes("?") ? "&" : "?"}format=csv`}>CSV</a>
      </li>
    </ul>
  </details>
);
