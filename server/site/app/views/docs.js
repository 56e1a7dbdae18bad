import { jsx as _jsx } from "preact/jsx-runtime";
/** Reference. */
import { PageTitle } from "../parts/page-title.tsx";
export const DocsView = () => _jsx(PageTitle, { title: "Reference", children: "Reference" });
