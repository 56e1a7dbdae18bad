/** One person: what they teach, and how they grade. */
import { addressOf } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";

export const InstructorView = ({ netid }: { netid: string }) => (
  <Loaded<[ResponseBody<"Instructor">]> addresses={[addressOf(`/instructors/${encodeURIComponent(netid)}`)]} lines={8}>
    {(person) => <PageTitle title={person.name}>{person.name}</PageTitle>}
  </Loaded>
);
