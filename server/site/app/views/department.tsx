/** One department: its courses in a table that sorts. */
import { addressOf } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";

export const DepartmentView = ({ code }: { code: string }) => (
  <Loaded<[ResponseBody<"Courses">]> addresses={[addressOf("/courses", { department: code })]} lines={8}>
    {(courses) => (
      <PageTitle title={code} over={code}>
        {courses[0]?.departmentName || code}
      </PageTitle>
    )}
  </Loaded>
);
