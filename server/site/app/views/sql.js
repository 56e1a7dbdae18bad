import { jsx as _jsx } from "preact/jsx-runtime";
/** SQL. */
import { PageTitle } from "../parts/page-title.tsx";
export const SqlView = () => _jsx(PageTitle, { title: "SQL", children: "SQL" });
