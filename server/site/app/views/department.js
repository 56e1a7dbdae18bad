import { jsx as _jsx } from "preact/jsx-runtime";
/** One department: its courses in a table that sorts. */
import { addressOf } from "../data/addresses.ts";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
export const DepartmentView = ({ code }) =>
  _jsx(Loaded, {
    addresses: [addressOf("/courses", { department: code })],
    lines: 8,
    children: (courses) => _jsx(PageTitle, { title: code, over: code, children: courses[0]?.departmentName || code }),
  });
