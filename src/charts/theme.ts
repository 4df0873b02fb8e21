import { NUMBER_LABEL } from './language.js';

/** A colour scheme for charts. */
export type Theme = 'light' | 'dark';

export const TITLE_SIZE = 16;

/** Series colours that colour-blind readers can tell apart on both white and black backgrounds. */
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

/** Returns the colour for the series with the given index. Colours repeat once all have been used. */
export function colourAt(place: number): string {
  return COLOURS[place % COLOURS.length]!;
}

/** The grey used for series that are not highlighted and for map shapes without a value. */
export const QUIET_COLOUR = '#9aa5b1';
const DASHES = [undefined, [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2]] as const;

/**
 * Returns each line's colour, width and dash pattern. If the lines have several different values of `place`, each place
 * has its own colour, and dashes distinguish lines with the same place; otherwise each line has its own colour.
 * @param places the values of `place` in the order in which colours are assigned; by default, in the order of the lines
 */
export function lineStyles(
  lines: readonly { readonly place?: unknown; readonly unit?: string | undefined }[],
  places: readonly unknown[] = [...new Set(lines.map(({ place }) => place))],
): { colour: string; width: number; dash?: readonly number[] | undefined }[] {
  const isOfPlaces = places.length > 1 && !places.includes(undefined);
  return lines.map(({ place, unit }, at) => {
    const colour = colourAt(isOfPlaces ? Math.max(0, places.indexOf(place)) : at);
    const before = lines.slice(0, at).filter((line) => line.place === place && line.unit === unit).length;
    return {
      colour,
      width: 2,
      dash: DASHES[(isOfPlaces ? before : Math.floor(at / COLOURS.length)) % DASHES.length],
    };
  });
}

export const INKS: Readonly<Record<Theme, Readonly<Record<'paper' | 'ink' | 'quiet' | 'grid', string>>>> = {
  light: { paper: '#ffffff', ink: '#1f2933', quiet: '#52606d', grid: '#e4e7eb' },
  dark: { paper: '#14181d', ink: '#e8ecf0', quiet: '#a3adb8', grid: '#323a44' },
};

/** Mixes two `#rrggbb` colours. `share` is the proportion of `other`, from 0 to 1. */
export function mixColours(colour: string, other: string, share: number): string {
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const channels = [1, 3, 5].map((at) =>
    Math.round((1 - share) * channel(colour, at) + share * channel(other, at)),
  );
  return `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
}

export function configOf(theme: Theme): object {
  const { paper, ink, quiet, grid } = INKS[theme];
  return {
    background: paper,
    font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    view: { stroke: null },
    // Screen readers read the chart's description instead of thousands of points.
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
    axisQuantitative: { labelExpr: NUMBER_LABEL },
    legend: {
      labelColor: ink,
      titleColor: quiet,
      labelFontSize: 12,
      titleFontWeight: 'normal',
      labelLimit: 320,
      // On phones, the legends of bands and lines do not fit side by side.
      layout: { top: { direction: 'vertical', anchor: 'start' } },
    },
    header: { labelColor: ink, labelFontSize: 11, labelLimit: 220, labelAnchor: 'start', title: null },
    text: { color: ink },
  };
}
