import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** One course: its sections, grades, and what it needs and unlocks. */
import { addressOf } from "../data/addresses.ts";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
export const CourseView = ({ id }) =>
  _jsx(Loaded, {
    addresses: [addressOf(`/courses/${encodeURIComponent(id)}`)],
    lines: 8,
    children: (course) =>
      _jsxs(_Fragment, {
        children: [
          _jsx(PageTitle, {
            title: `${course.department} ${course.courseNumber} · ${course.title}`,
            over: `${course.department} ${course.courseNumber}`,
            children: course.title,
          }),
          _jsx("p", { children: course.description }),
        ],
      }),
  });
