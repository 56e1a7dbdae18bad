/** All departments, by code. */
import { addressOf, departmentAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { Loaded } from "../parts/loaded.tsx";

const ALL = "ALL";

export const Departments = () => (
  <>
    <h2 id="departments">Departments</h2>
    <Loaded<[ResponseBody<"Departments">]> addresses={[addressOf("/schedule/depts")]} lines={6}>
      {(departments) => (
        <ul class="departments">
          {departments
            .filter(({ deptValue }) => deptValue !== ALL)
            .map(({ deptLabel, deptValue }) => (
              <li>
                <a href={departmentAddress(deptValue)}>
                  <b>{deptValue}</b> {deptLabel.slice(`${deptValue}: `.length)}
                </a>
              </li>
            ))}
        </ul>
      )}
    </Loaded>
  </>
);
