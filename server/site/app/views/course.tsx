/** One course: its sections, grades, and what it needs and unlocks. */
import { addressOf } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";

type Course = ResponseBody<"Course">;

export const CourseView = ({ id }: { id: string }) => (
  <Loaded<[Course]> addresses={[addressOf(`/courses/${encodeURIComponent(id)}`)]} lines={8}>
    {(course) => (
      <>
        <PageTitle
          title={`${course.department} ${course.courseNumber} · ${course.title}`}
          over={`${course.department} ${course.courseNumber}`}
        >
          {course.title}
        </PageTitle>
        <p>{course.description}</p>
      </>
    )}
  </Loaded>
);
