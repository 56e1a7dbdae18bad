import { expect, test } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { parseDirectoryAnswer } from "../../../pipeline/parse/directory-json.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("entities in values, addresses in base64, a student's level", () => {
  const answer = [
    [
      12.5,
      {
        Name: "Mira O&#39;Vane",
        UCInetID: "mvane",
        Title: "Professor &amp; Chair",
        Department: "A &lt;B&gt; &eacute;",
        Email: base64("mvane@example.edu"),
        Nickname: "Mimi",
      },
    ],
    ["2", { Name: "Zyx  Vane", UCInetID: "zvane", "Student's Level": "Graduate", Title: null }],
  ];
  expect(parseDirectoryAnswer(JSON.stringify(answer))).toEqual([
    {
      score: 12.5,
      name: "Mira O'Vane",
      netid: "mvane",
      title: "Professor & Chair",
      department: "A <B> é",
      email: "mvane@example.edu",
      nickname: "Mimi",
      isStudent: false,
    },
    { score: 2, name: "Zyx Vane", netid: "zvane", title: "", department: "", email: "", nickname: "", isStudent: true },
  ]);
});

test("text that looks like markup stays text", () => {
  const [person] = parseDirectoryAnswer(JSON.stringify([[1, { Name: "Odd <b>Vane</b> &amp; Co", UCInetID: "x" }]]));
  expect(person?.name).toBe("Odd <b>Vane</b> & Co");
});

test("what decodes to no address is none; entries without name or id are left out", () => {
  const answer = [
    [1, { Name: "A B", UCInetID: "ab", Email: "%%%" }],
    [1, { Name: "", UCInetID: "x" }],
    [1, { Name: "X Y" }],
  ];
  expect(parseDirectoryAnswer(JSON.stringify(answer)).map(({ netid, email }) => [netid, email])).toEqual([["ab", ""]]);
});

test("other notations: a network id given as an address, an address as it is, the last name first", () => {
  const read = (Name: string, UCInetID: string, Email: string) =>
    parseDirectoryAnswer(JSON.stringify([[1, { Name, UCInetID, Email }]])).map(({ name, netid, email }) => [
      name,
      netid,
      email,
    ]);
  const vane = [["Mira Vane", "mvane", "mvane@example.edu"]];
  expect(read("Vane, Mira", "MVane@example.edu", "mvane@example.edu")).toEqual(vane);
  expect(read("Mira Vane", "mailto:mvane@example.edu", base64("mvane@example.edu"))).toEqual(vane);
  expect(read("Mira Vane, Ph.D.", "mVane", "")).toEqual([["Mira Vane, Ph.D.", "mVane", ""]]);
});

test.each(["Mira V\u0092Vane", "Mira V\ufffdne", "Mira \ud83d", "Mira&#129;"])(
  "a damaged name is a damaged answer: %j",
  (name) => {
    expect(() => parseDirectoryAnswer(JSON.stringify([[1, { Name: name, UCInetID: "x" }]]))).toThrow(
      /U\+(0092|FFFD|D83D|0081)/,
    );
  },
);

test("nobody", () => {
  expect(parseDirectoryAnswer("[]")).toEqual([]);
});

test.each(["<html></html>", "", "{}", "null", '[["a"]]', "[[1]]", '{"error":"down"}'])("another answer: %s", (text) => {
  expect(() => parseDirectoryAnswer(text)).toThrow(UpstreamBadResponse);
});
