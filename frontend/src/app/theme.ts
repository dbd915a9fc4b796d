import { createTheme, InputWrapper, type MantineColorsTuple } from "@mantine/core";
import { t } from "@/words";
import { DECIMAL } from "@/words/count";

/** The one accent: a quiet blue that every kind of colour vision tells from grey and from orange. */
const accent: MantineColorsTuple = [
  "#eef2fc",
  "#dce3f5",
  "#b6c5ea",
  "#8da5df",
  "#6b89d6",
  "#5678d1",
  "#3f62bd",
  "#3352a3",
  "#2a4590",
  "#1e377d",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 6 },
  colors: { accent },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  // Dense enough to compare rows without scrolling; what is small stays 12 px.
  fontSizes: { md: "0.9375rem" },
  defaultRadius: "md",
  cursorType: "pointer",
  // Below 1024 px the navigation makes room for the page.
  breakpoints: { md: "64em" },
  respectReducedMotion: true,
  components: {
    // Hints are below, so that the fields of a row are aligned.
    InputWrapper: InputWrapper.extend({
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    }),
    // By name, so that the field itself stays out of the first load. A typed point becomes the language's sign.
    NumberInput: { defaultProps: { decimalSeparator: DECIMAL } },
    Modal: { defaultProps: { closeButtonProps: { "aria-label": t("Close") } } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { "aria-label": t("Show or hide password") } },
    },
  },
  headings: {
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "1.4375rem", lineHeight: "1.25" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem" },
      h4: { fontSize: "0.9375rem" },
    },
  },
});
