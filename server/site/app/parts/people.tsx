/** Instructors of a section: as the directory writes them and linked, where it has exactly one such person. */
import { useEffect, useState } from "preact/hooks";
import { addressOf, instructorAddress } from "../data/addresses.ts";
import { fetchShared, type ResponseBody } from "../data/fetch-json.ts";
import { spokenName } from "../format.ts";

type Person = ResponseBody<"Instructors">[number];

/** By the schedule's form of the name; a page asks once for each. */
const directory = new Map<string, Promise<readonly Person[]>>();

function peopleCalled(name: string): Promise<readonly Person[]> {
  const people =
    directory.get(name) ??
    fetchShared<readonly Person[]>(addressOf("/instructors", { shortenedName: name })).catch(() => []);
  directory.set(name, people);
  return people;
}

/** `course`, such as `COMPSCI 161`, tells people of one name apart. */
function Instructor({ name, course }: { name: string; course: string }) {
  const [person, setPerson] = useState<Person>();
  useEffect(() => {
    if (name === "STAFF") return undefined;
    let isCurrent = true;
    void peopleCalled(name).then((people) => {
      const those = people.length > 1 ? people.filter(({ courseHistory }) => course in courseHistory) : people;
      if (isCurrent) setPerson(those.length === 1 ? those[0] : undefined);
    });
    return () => {
      isCurrent = false;
    };
  }, [name, course]);
  return person ? <a href={instructorAddress(person.netid)}>{person.name}</a> : <bdi>{spokenName(name)}</bdi>;
}

export const Instructors = ({ names, course }: { names: readonly string[]; course: string }) =>
  names.length === 0 ? (
    <span class="quiet">not named</span>
  ) : (
    <ul class="people">
      {names.map((name) => (
        <li key={name}>
          <Instructor name={name} course={course} />
        </li>
      ))}
    </ul>
  );
