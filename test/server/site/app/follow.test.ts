/** Following a section in a real browser: nothing is missed, notifications only after a click, the tab's title, and the feed. */
import { describe, expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";
import { openPlanWorld, type PlanWorld } from "./plan-world.ts";

const SECTION = "/sections/2024/Fall/34130";
const KINDS =
  "kind=added,removed,cancelled,reinstated,status,enrolled,waitlist,capacity,instructors,meetings,final,restrictions,comment";
const LIST = `/changes?year=2024&quarter=Fall&sectionCodes=34130&${KINDS}`;

interface Change {
  readonly sectionCode: string;
  readonly kind: string;
  readonly before: string;
  readonly after: string;
}

const enrolled = (before: string, after: string) =>
  ({ kind: "enrolled", field: "numCurrentlyEnrolled.totalEnrolled", before, after }) as const;
const taken = (totalEnrolled: string) => ({ numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled: "" } });

describeInBrowser<PlanWorld>(
  "following",
  (opened) => {
    const { sees, text } = opened;
    const rows = () => opened.page.locator("table:has(caption:has-text('newest first')) tbody tr").allInnerTexts();
    const follow = () => opened.page.getByRole("button", { name: "Follow COMPSCI 161 Lec A (34130)" });
    /** The list on the page is that of the API, newest first. */
    async function expectServed(): Promise<void> {
      const served = await opened.world.json<Change[]>(LIST);
      await sees("caption", `${served.length} change${served.length === 1 ? "" : "s"} in Fall 2024`);
      const shown = (await rows()).map((row) => row.split(/\s+/).join(" "));
      expect(shown.length).toBe(served.length);
      served.toReversed().forEach(({ sectionCode, kind, before, after }, i) => {
        const [from, to] = kind === "status" ? [words(before), words(after)] : [before, after];
        expect(shown[i]).toMatch(new RegExp(`${sectionCode} ${kind} ${from} ${to}$`));
      });
    }
    const words = (status: string) => (status === "FULL" ? "full" : "open");

    describe("in three steps from home", () => {
      it("by keyboard: search the code, Follow; a change published before the click is not lost", async () => {
        const page = await opened.open("/", { permissions: ["notifications"] });
        await page.evaluate("navigator.serviceWorker.ready");
        await opened.search("34130");
        await sees("caption", "1 change in Fall 2024");
        await opened.world.publishChange("34130", taken("139"), enrolled("138", "139"));
        expect(await rows()).toHaveLength(1);
        await follow().focus();
        await page.keyboard.press("Enter");
        await sees(".follow [role=status]", "Following: you will be notified");
        expect(await follow().getAttribute("aria-pressed")).toBe("true");
        await expectServed();
        await sees(".facts", "139 / 138");
      });

      it("seats and list follow what is published, and the title counts it; students who come and go notify nobody", async () => {
        const title = await opened.page.title();
        await opened.world.publishChange("34130", taken("137"), enrolled("139", "137"));
        await sees("caption", "3 changes in Fall 2024");
        await sees(".facts", "137 / 138");
        await sees(".sections tbody", "137 / 138");
        await expectServed();
        expect(await opened.page.title()).toBe(`(1) ${title}`);
        expect(await notifications()).toEqual([]);
      });

      it("a seat that opens is a notification", async () => {
        await opened.world.publishChange(
          "34130",
          { status: "OPEN" },
          { kind: "status", field: "status", before: "FULL", after: "OPEN" },
        );
        await sees(".verdict", "open");
        await expectServed();
        await expect.poll(notifications).toEqual(["COMPSCI 161 (34130): A seat is open."]);
        expect(await opened.page.title()).toMatch(/^\(2\) /);
        await opened.page.evaluate("dispatchEvent(new Event('focus'))");
        expect(await opened.page.title()).not.toMatch(/^\(/);
      });

      it("a fresh page shows the same list as the one that was followed", async () => {
        const followed = await rows();
        await opened.page.reload();
        await sees("caption", "4 changes in Fall 2024");
        expect(await rows()).toEqual(followed);
        expect(await opened.page.getByText(/^No change/).count()).toBe(0);
      });

      it("the feed beside it has the same changes", async () => {
        const address = await opened.page.locator(".follow").getByRole("link", { name: "Feed" }).getAttribute("href");
        const feed = await opened.context.request.get(opened.world.url + address);
        expect(feed.headers()["content-type"]).toContain("application/atom+xml");
        expect((await feed.text()).match(/<entry>/g)).toHaveLength((await opened.world.json<Change[]>(LIST)).length);
      });
    });

    it("asks for permission only on click, and works without it", async () => {
      const page = await opened.open("/");
      await opened.context.addInitScript(
        "window.asked = 0; const ask = Notification.requestPermission.bind(Notification); Notification.requestPermission = () => { window.asked++; return ask(); };",
      );
      await page.goto(opened.world.url + SECTION);
      await follow().waitFor();
      expect(await page.evaluate("asked")).toBe(0);
      await follow().click();
      await sees(".follow [role=status]", "notifications are off, so changes are counted in the tab title");
      expect(await page.evaluate("asked")).toBe(1);
      await follow().click();
      expect([await follow().getAttribute("aria-pressed"), await text(".follow [role=status]")]).toEqual(["false", ""]);
    });

    it("says so where the stream is not available, and the page goes on", async () => {
      const page = await opened.open(SECTION);
      await follow().waitFor();
      await opened.context.route("**/v1/rest/changes?*", (route) => route.fulfill({ status: 503, body: "{}" }));
      await follow().click();
      await sees(".follow [role=status]", "Live updates are unavailable");
      expect(await follow().getAttribute("aria-pressed")).toBe("false");
      await sees(".facts", "137 / 138");
      expect(await page.locator(".problem").count()).toBe(0);
      opened.allow(503);
    });

    it("a section without changes says that none was recorded; a plan follows all of its sections", async () => {
      const page = await opened.open("/sections/2024/Fall/04204");
      await sees("main", "No changes recorded in Fall 2024.");
      await page.goto(`${opened.world.url}/plan?sections=04204,34131`);
      await page.getByRole("button", { name: "Follow the sections of this plan" }).click();
      await sees(".follow [role=status]", "Following");
      await opened.world.publishChange("04204", taken("29"), enrolled("12", "29"));
      await sees(".plan-list li:has-text('04204')", "29 / 30");
      expect(await page.title()).toMatch(/^\(1\) /);
    });

    async function notifications(): Promise<string[]> {
      return opened.page.evaluate<string[]>(
        `navigator.serviceWorker.ready
          .then((worker) => worker.getNotifications())
          .then((all) => all.map(({ title, body }) => title + ": " + body))`,
      );
    }
  },
  openPlanWorld,
);
