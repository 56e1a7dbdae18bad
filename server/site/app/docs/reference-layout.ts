/**
 * Lays out Swagger UI inside a view that has its own heading and landmarks: description, filter, operations and models,
 * with names for screen readers.
 */

/** The part of React that the bundle brings along. */
interface React {
  createElement(type: unknown, properties: object | null, ...children: unknown[]): unknown;
}
interface System {
  readonly React: React;
}
interface LayoutProps {
  getComponent(name: string, isContainer: boolean): unknown;
  readonly specSelectors: {
    specStr(): string;
    loadingStatus(): string;
    info(): { get(name: "description"): string };
  };
}

/** A plugin: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/ */
export const referenceLayout = {
  wrapComponents: {
    BaseLayout:
      (Original: unknown, { React }: System) =>
      (props: LayoutProps) => {
        const create = React.createElement;
        const { specSelectors } = props;
        const part = (name: string, properties: object = {}) => create(props.getComponent(name, true), properties);
        if (specSelectors.specStr() === "" || specSelectors.loadingStatus() === "failed")
          return create(Original, props);
        return create(
          "div",
          { className: "swagger-ui" },
          part("SvgAssets"),
          create("div", { className: "info" }, part("Markdown", { source: specSelectors.info().get("description") })),
          create("h2", null, "Operations"),
          create(
            "label",
            { className: "reference-filter" },
            // The field says it too, where there is nothing in it.
            create("span", { className: "hidden" }, "Filter by tag or path"),
            part("FilterContainer"),
          ),
          part("operations"),
          part("Models"),
        );
      },
    // A link would stand inside of the button that opens the operation; the address follows what is open anyway.
    DeepLink:
      (_original: unknown, { React }: System) =>
      ({ text }: { text: unknown }) =>
        React.createElement("span", null, text),
  },
};
