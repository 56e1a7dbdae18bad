import { jsx as _jsx } from "preact/jsx-runtime";
/** Data. */
import { PageTitle } from "../parts/page-title.tsx";
export const DataView = () => _jsx(PageTitle, { title: "Data", children: "Data" });
