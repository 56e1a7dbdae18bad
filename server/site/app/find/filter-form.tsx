/** The filters of `/find` as a form. Each change is in the address at once. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { addressOf, findAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { GE_WORDS } from "../data/ge-words.ts";
import { SECTION_TYPE_WORDS } from "../data/glossary.ts";
import { useJson } from "../data/use-json.ts";
import { plural } from "../format.ts";
import { NewStudentChoice } from "../parts/new-student-choice.tsx";
import { type Filters, isEmpty } from "./filters.ts";
import { capitalized, clockWords, daysInWords, DIVISION_WORDS, SEAT_WORDS, sizeWords } from "./sentence.ts";

type Option = readonly [value: string, words: string];

const GE: readonly Option[] = Object.entries(GE_WORDS).map(([ge, [roman, subject]]) => [ge, `${roman}: ${subject}`]);
const named = (words: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(words).map(([value, name]) => [value, capitalized(name)]);
const TYPES: readonly Option[] = Object.entries(SECTION_TYPE_WORDS).map(([type, [name]]) => [type, capitalized(name)]);
const UNITS: readonly Option[] = [...["1", "2", "3", "4", "5", "6"].map((n): Option => [n, n]), ["VAR", "Variable"]];
const HOURS: readonly Option[] = Array.from({ length: 15 }, (_, i) => {
  const time = `${String(i + 8).padStart(2, "0")}:00`;
  return [time, clockWords(time)];
});
const SIZES: readonly Option[] = ["<30", ">100"].map((size) => [size, capitalized(sizeWords(size))]);
const DAYS = ["M", "Tu", "W", "Th", "F", "Sa", "Su"];

interface FieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onSet: (value: string) => void;
}

function Choice({ label, value = "", options, onSet }: FieldProps & { readonly options: readonly Option[] }) {
  // An address can have a value that the form does not offer.
  const isOther = value !== "" && !options.some(([option]) => option === value);
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onSet(currentTarget.value)}>
        <option value="">Any</option>
        {isOther && <option value={value}>{value}</option>}
        {options.map(([option, words]) => (
          <option value={option}>{words}</option>
        ))}
      </select>
    </label>
  );
}

function TextField({ label, value = "", onSet, hint }: FieldProps & { readonly hint: string }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  return (
    <label>
      {label}
      <input
        ref={field}
        type="search"
        autocomplete="off"
        placeholder={hint}
        onChange={({ currentTarget }) => onSet(currentTarget.value.trim())}
      />
    </label>
  );
}

function Check({ label, value, onSet }: FieldProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value === "true"}
        onChange={({ currentTarget }) => onSet(currentTarget.checked ? "true" : "")}
      />
      {label}
    </label>
  );
}

function Days({ value = "", onSet }: Omit<FieldProps, "label">) {
  const chosen = new Set(value.match(/Su|M|Tu|W|Th|F|Sa/g));
  const toggle = (day: string) =>
    onSet(DAYS.filter((other) => (other === day ? !chosen.has(other) : chosen.has(other))).join(""));
  return (
    <Group name="Days">
      <div class="days">
        {DAYS.map((day) => (
          <button
            type="button"
            class="small"
            aria-pressed={chosen.has(day)}
            title={daysInWords(day)}
            onClick={() => toggle(day)}
          >
            {day}
          </button>
        ))}
      </div>
    </Group>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} class="group">
      <span id={id} class="group-name">
        {name}
      </span>
      {children}
    </div>
  );
}

export function FilterForm({ filters, planned }: { readonly filters: Filters; readonly planned: number }) {
  const { route } = useLocation();
  const { value: departments } = useJson<[ResponseBody<"Departments">]>([addressOf("/schedule/depts")]);
  const set = (name: keyof Filters) => ({
    value: filters[name],
    onSet: (value: string) => route(findAddress({ ...filters, [name]: value }), true),
  });
  const offered = (departments?.[0] ?? []).flatMap(({ deptLabel, deptValue }): Option[] =>
    deptValue === "ALL" ? [] : [[deptValue, deptLabel]],
  );
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Choice label="Seats" options={named(SEAT_WORDS)} {...set("fullCourses")} />
      <NewStudentChoice />
      <Choice label="General education" options={GE} {...set("ge")} />
      <Choice label="Department" options={offered} {...set("department")} />
      <Days {...set("days")} />
      <div class="pair">
        <Choice label="Starts after" options={HOURS} {...set("startTime")} />
        <Choice label="Ends before" options={HOURS} {...set("endTime")} />
      </div>
      <div class="pair">
        <Choice label="Units" options={UNITS} {...set("units")} />
        <Choice label="Level" options={named(DIVISION_WORDS)} {...set("division")} />
      </div>
      <Check
        label={planned === 0 ? "Fits my plan (empty)" : `Fits my plan (${plural(planned, "section")})`}
        {...set("fitsPlan")}
      />
      <Check label="Prerequisites met" {...set("prerequisites")} />
      <Check label="No restrictions" {...set("noRestriction")} />
      <TextField label="Instructor" hint="Last name" {...set("instructorName")} />
      <TextField label="Title contains" hint="Word in the title" {...set("courseTitle")} />
      <div class="pair">
        <TextField label="Course number" hint="161" {...set("courseNumber")} />
        <TextField
          label="Building"
          hint="Code"
          value={filters.building}
          onSet={(building) => route(findAddress({ ...filters, building, room: undefined }), true)}
        />
      </div>
      <div class="pair">
        <Choice label="Type" options={TYPES} {...set("sectionType")} />
        <Choice label="Size" options={SIZES} {...set("maxCapacity")} />
      </div>
      {!isEmpty(filters) && (
        <p>
          <a href={findAddress({})}>Clear all filters</a>
        </p>
      )}
    </form>
  );
}
