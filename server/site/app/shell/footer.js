import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** How fresh the data is, and the views that programs and operators need. */
import { useContext } from "preact/hooks";
import { resourceAddress, viewAddress } from "../data/addresses.ts";
import { SiteContext } from "../data/terms.ts";
import { Ago } from "../parts/ago.tsx";
export function Footer() {
  const { snapshot } = useContext(SiteContext);
  return _jsxs("footer", {
    children: [
      snapshot
        ? _jsxs("p", {
            children: [
              "Published ",
              _jsx(Ago, { time: snapshot.createdAt }),
              ". ",
              _jsx("a", { href: viewAddress("/status"), children: "Status" }),
            ],
          })
        : _jsxs("p", {
            children: [
              "No data has been published yet. ",
              _jsx("a", { href: viewAddress("/status"), children: "Status" }),
            ],
          }),
      _jsxs("p", {
        children: [
          "For programs: ",
          _jsx("a", { href: viewAddress("/docs"), children: "reference" }),
          ",",
          " ",
          _jsx("a", { href: resourceAddress("/v1/openapi.json"), children: "OpenAPI" }),
          ", ",
          _jsx("a", { href: viewAddress("/data"), children: "files" }),
        ],
      }),
    ],
  });
}
