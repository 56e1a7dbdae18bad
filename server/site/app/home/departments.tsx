/** All departments by code, with a filter, and the categories of general education. */
import { useState } from "preact/hooks";
import { addressOf, departmentAddress, findAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { GE_WORDS } from "../data/ge-words.ts";
import { Loaded } from "../parts/loaded.tsx";

const ALL = "ALL";

export const Categories = () => (
  <>
    <h2>General education</h2>
    <ul class="chips">
      {Object.entries(GE_WORDS).map(([ge, [name, means]]) => (
        <li key={ge}>
          <a href={findAddress({ ge, fullCourses: "SkipFull" })} title="Open sections">
            <b>{name}</b> {means}
          </a>
        </li>
      ))}
    </ul>
  </>
);

export function Departments() {
  const [filter, setFilter] = useState("");
  const isLike = (label: string) => label.toLowerCase().includes(filter.trim().toLowerCase());
  return (
    <>
      <p class="choice">
        <label>
          Filter <input type="search" value={filter} onInput={({ currentTarget }) => setFilter(currentTarget.value)} />
        </label>
      </p>
      <Loaded<[ResponseBody<"Departments">]> addresses={[addressOf("/schedule/depts")]} lines={6}>
        {(departments) => {
          const shown = departments.filter(({ deptLabel, deptValue }) => deptValue !== ALL && isLike(deptLabel));
          if (shown.length === 0) return <p role="status">No departments match “{filter}”.</p>;
          return (
            <ul class="departments">
              {shown.map(({ deptLabel, deptValue }) => (
                <li key={deptValue}>
                  <a href={departmentAddress(deptValue)}>
                    <b>{deptValue}</b> {deptLabel.slice(`${deptValue}: `.length)}
                  </a>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </>
  );
}
