import { jsx as _jsx } from "preact/jsx-runtime";
/** Status. */
import { PageTitle } from "../parts/page-title.tsx";
export const StatusView = () => _jsx(PageTitle, { title: "Status", children: "Status" });
