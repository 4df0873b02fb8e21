/** Light or dark. */
export type Theme = 'light' | 'dark';

/** Pixels of the letters of titles. */
export const TITLE_SIZE = 16;

/** The font of charts. */
export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** Colours of series that can be told apart by people who are colour-blind, on white and on black. */
export const COLOURS = [
  '#1f78b4',
  '#e6641a',
  '#1b9e77',
  '#c0519b',
  '#b8860b',
  '#56b4e9',
  '#a64343',
  '#7a7f87',
] as const;

/** The colour of a series by its place among all. */
export function colourAt(place: number): string {
  return COLOURS[place % COLOURS.length]!;
}

/** The colour of series next to a highlighted one, and of shapes without a value. */
export const QUIET_COLOUR = '#9aa5b1';

/** The colours of paper, texts and grids. */
export interface Inks {
  readonly paper: string;
  readonly ink: string;
  readonly quiet: string;
  readonly grid: string;
  /** The colour of a text that belongs to a line of some colour. */
  readonly text: (colour: string) => string;
}

const SHADES = {
  light: { paper: '#ffffff', ink: '#1f2933', quiet: '#52606d', grid: '#e4e7eb' },
  dark: { paper: '#14181d', ink: '#e8ecf0', quiet: '#a3adb8', grid: '#323a44' },
} as const;

/** The colours of each theme. */
export const INKS: Readonly<Record<Theme, Inks>> = {
  light: { ...SHADES.light, text: (colour) => mixed(colour, SHADES.light.ink) },
  dark: { ...SHADES.dark, text: (colour) => mixed(colour, SHADES.dark.ink) },
};

/** How much of a line's colour is in its text: with more, yellow on white cannot be read. */
const TEXT_SHARE = 0.62;

function mixed(colour: string, ink: string): string {
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const channels = [1, 3, 5].map((at) =>
    Math.round(TEXT_SHARE * channel(colour, at) + (1 - TEXT_SHARE) * channel(ink, at)),
  );
  return `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
}

/** The Vega-Lite configuration of each theme. */
export const THEMES: Readonly<Record<Theme, object>> = {
  light: /* @__PURE__ */ configOf(INKS.light),
  dark: /* @__PURE__ */ configOf(INKS.dark),
};

function configOf({ paper, ink, quiet, grid }: Inks): object {
  return {
    background: paper,
    font: FONT,
    view: { stroke: null },
    // Screen readers read the description, instead of thousands of points.
    mark: { invalid: 'break-paths-show-domains', aria: false },
    title: {
      anchor: 'start',
      frame: 'group',
      color: ink,
      fontSize: TITLE_SIZE,
      fontWeight: 600,
      subtitleColor: quiet,
      subtitleFontSize: 12,
      subtitlePadding: 4,
      offset: 10,
    },
    axis: {
      labelColor: quiet,
      titleColor: quiet,
      titleFontWeight: 'normal',
      titleFontSize: 12,
      labelFontSize: 11,
      domainColor: quiet,
      tickColor: quiet,
      gridColor: grid,
    },
    axisX: { grid: false, labelFlush: true },
    legend: {
      labelColor: ink,
      titleColor: quiet,
      labelFontSize: 12,
      titleFontWeight: 'normal',
      labelLimit: 320,
    },
    header: { labelColor: ink, labelFontSize: 11, labelLimit: 220, labelAnchor: 'start', title: null },
    text: { color: ink },
    style: { caption: { color: quiet, fill: quiet, fontSize: 11, align: 'left', baseline: 'top' } },
  };
}
