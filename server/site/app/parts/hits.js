import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** What a search finds. */
import { courseAddress, departmentAddress, instructorAddress, sectionAddress } from "../data/addresses.ts";
export function hitAddress({ kind, id }) {
  switch (kind) {
    case "course":
      return courseAddress(id);
    case "instructor":
      return instructorAddress(id);
    case "department":
      return departmentAddress(id);
    default: {
      const [year = "", quarter = "", code = ""] = id.split(" ");
      return sectionAddress({ year, quarter, code });
    }
  }
}
export const HitLine = ({ hit }) =>
  _jsxs(_Fragment, {
    children: [
      _jsx("span", { class: "hit", children: hit.title }),
      _jsx("span", { class: "subtitle", children: hit.subtitle }),
      _jsx("span", { class: "kind", children: hit.kind }),
    ],
  });
