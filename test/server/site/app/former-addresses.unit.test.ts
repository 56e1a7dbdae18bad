import { expect, it } from "vitest";
import { formerAddress } from "../../../../server/site/app/data/former-addresses.ts";

it.each([
  ["/#course/I%26CSCI46?term=2024%20Fall", "/courses/I%26CSCI46?term=2024+Fall"],
  ["/#instructor/ramberley", "/instructors/ramberley"],
  ["/#department/I%26C%20SCI", "/departments/I%26C%20SCI"],
  ["/#section/35730?term=2024%20Fall", "/sections/2024/Fall/35730"],
  ["/#sql?statement=SELECT%201", "/sql?q=SELECT+1"],
  ["/#contents", "/data"],
  ["/#endpoints", "/docs"],
  ["/?q=dance", "/find?q=dance"],
  ["/academic/?q=dance", "/find?q=dance"],
  // That is the view of today.
  ["/find?q=dance", undefined],
  ["/", undefined],
  ["/#main", undefined],
])("the former address %s leads to %s", (former, today) => {
  expect(formerAddress(new URL(former, "http://localhost"))).toBe(today);
});
