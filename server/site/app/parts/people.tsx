/** Instructors of a section: as the directory writes them and linked, where their name means exactly one person. */
import { useEffect, useState } from "preact/hooks";
import { addressOf, instructorAddress } from "../data/addresses.ts";
import { fetchShared, type ResponseBody } from "../data/fetch-json.ts";
import { onlyPerson } from "../data/only-person.ts";
import { spokenName } from "../format.ts";

type Person = Pick<ResponseBody<"Instructors">[number], "netid" | "name" | "courseHistory">;

/** By netid; a page asks once for each. */
const directory = new Map<string, Promise<Person | undefined>>();
/** The most people per request. */
const MAX_IDS = 200;
let waiting: string[] = [];
let batch: Promise<ReadonlyMap<string, Person>> | undefined;

/** All people that are asked for in one turn are one request. */
function inBatch(): Promise<ReadonlyMap<string, Person>> {
  batch ??= Promise.resolve().then(async () => {
    const ids = waiting;
    [waiting, batch] = [[], undefined];
    const parts = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, i) =>
      ids.slice(i * MAX_IDS, (i + 1) * MAX_IDS),
    );
    const people = await Promise.all(
      parts.map((part) =>
        fetchShared<readonly Person[]>(
          addressOf("/instructors", { ids: part.join(","), fields: "netid,name,courseHistory" }),
        ).catch(() => []),
      ),
    );
    return new Map(people.flat().map((person) => [person.netid, person]));
  });
  return batch;
}

function personCalled(netid: string): Promise<Person | undefined> {
  let person = directory.get(netid);
  if (!person) {
    waiting.push(netid);
    person = inBatch().then((people) => people.get(netid));
    directory.set(netid, person);
  }
  return person;
}

/** Asks for all of them at once, before parts of the view do so one by one. */
export const askForPeople = (netids: readonly string[]): void => netids.forEach((netid) => void personCalled(netid));

interface InstructorProps {
  readonly name: string;
  /** The netids of people whom the name may mean. */
  readonly ids: readonly string[];
  /** Tells people of one name apart. */
  readonly course: string;
}

function Instructor({ name, ids, course }: InstructorProps) {
  const [person, setPerson] = useState<Person>();
  useEffect(() => {
    let isCurrent = true;
    void Promise.all(ids.map(personCalled)).then((results) => {
      const people = results.filter((person) => person !== undefined);
      if (isCurrent) setPerson(onlyPerson(people, course));
    });
    return () => {
      isCurrent = false;
    };
  }, [ids.join(), course]);
  return person ? <a href={instructorAddress(person.netid)}>{person.name}</a> : <bdi>{spokenName(name)}</bdi>;
}

interface InstructorsProps {
  /** As in the schedule. */
  readonly names: readonly string[];
  /** For each name those whom it may mean, from a response with `instructorIds=true`. */
  readonly ids: readonly (readonly string[])[] | undefined;
  /** `COMPSCI 161`. */
  readonly course: string;
}

export const Instructors = ({ names, ids, course }: InstructorsProps) =>
  names.length === 0 ? (
    <span class="quiet">not announced</span>
  ) : (
    <ul class="people">
      {names.map((name, i) => (
        <li key={name}>
          <Instructor name={name} ids={ids?.[i] ?? []} course={course} />
        </li>
      ))}
    </ul>
  );
