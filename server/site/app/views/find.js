import { jsx as _jsx } from "preact/jsx-runtime";
/** Find classes. */
import { PageTitle } from "../parts/page-title.tsx";
export const FindView = () => _jsx(PageTitle, { title: "Find", children: "Find classes" });
