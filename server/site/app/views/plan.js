import { jsx as _jsx } from "preact/jsx-runtime";
/** Plan. */
import { PageTitle } from "../parts/page-title.tsx";
export const PlanView = () => _jsx(PageTitle, { title: "Plan", children: "Plan" });
