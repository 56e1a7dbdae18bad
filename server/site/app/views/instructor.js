import { jsx as _jsx } from "preact/jsx-runtime";
/** One person: what they teach, and how they grade. */
import { addressOf } from "../data/addresses.ts";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
export const InstructorView = ({ netid }) =>
  _jsx(Loaded, {
    addresses: [addressOf(`/instructors/${encodeURIComponent(netid)}`)],
    lines: 8,
    children: (person) => _jsx(PageTitle, { title: person.name, children: person.name }),
  });
