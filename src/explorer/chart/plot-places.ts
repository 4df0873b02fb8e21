import type { Scene, View } from 'vega';
import type { ChartFigure } from '../../charts/chart.js';

/** A vertical line in pixels of the plot. */
export interface Upright {
  readonly x: number;
  readonly top: number;
  readonly height: number;
}

/** Where moments are in a chart on the screen, and the other way round. */
export interface PlotPlaces {
  /** What is at a position of the plot, in pixels: the series of its panel where it has one; null beside the axes. */
  readonly at: (x: number, y: number) => { readonly ms: number; readonly series: number | null } | null;
  /** Where a moment of a series is; null outside the axes. */
  readonly positionOf: (ms: number, series: number) => Upright | null;
}

/** A panel of a chart: where it is, and which series it shows; null for that of all series. */
interface Panel {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly series: number | null;
}

/** Pixels beside a panel that still count as its edge. */
const EDGE = 4;

/** The dates between which an axis of time is, UTC milliseconds. */
type Dates = readonly [from: number, to: number];

/** The places of a drawn chart over time, and what its axis is moved to; null stands for all dates. */
export function placesOf(
  view: View,
  { panels: headings, times }: Pick<ChartFigure, 'panels' | 'times'>,
): PlotPlaces & { setDates: (fromMs: number | null, toMs: number | null) => Dates | null | undefined } {
  const [first, last] = times!;
  let [from, to] = [first, last];
  const panels = headings === null ? [onlyPanel(view)] : panelsOf(view, headings);
  return {
    at(x, y) {
      const panel = panels.find((one) => isInside(one, x, y));
      if (panel === undefined) return null;
      return { ms: from + ((x - panel.left) / panel.width) * (to - from), series: panel.series };
    },
    positionOf(ms, series) {
      const panel = panels.find((one) => one.series === null || one.series === series);
      if (panel === undefined) return null;
      const x = panel.width * (to > from ? (ms - from) / (to - from) : 0.5);
      if (x < -1 || x > panel.width + 1) return null;
      return { x: panel.left + x, top: panel.top, height: panel.height };
    },
    setDates(fromMs, toMs) {
      const dates = [Math.max(first, fromMs ?? first), Math.min(last, toMs ?? last)] as const;
      if (dates[0] >= dates[1]) return undefined;
      [from, to] = dates;
      return fromMs === null && toMs === null ? null : dates;
    },
  };
}

function isInside({ left, top, width, height, series }: Panel, x: number, y: number): boolean {
  if (x < left - EDGE || x > left + width + EDGE) return false;
  // A chart of one panel is read beside its lines too, as on its axis.
  return series === null || (y >= top - EDGE && y <= top + height + EDGE);
}

/** Where the plot begins on its canvas, in pixels. */
function originOf(view: View): { left: number; top: number } {
  const [x, y] = view.origin();
  const padding = view.padding();
  const { left = 0, top = 0 } = typeof padding === 'number' ? { left: padding, top: padding } : padding;
  return { left: x + left, top: y + top };
}

function onlyPanel(view: View): Panel {
  return { ...originOf(view), width: view.width(), height: view.height(), series: null };
}

/** What the scene graph says of a group: its place in the group that holds it, what it shows, and what is in it. */
interface Group {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly datum?: { readonly label?: string };
  readonly items?: readonly { readonly marktype?: string; readonly items?: readonly Group[] }[];
}

/** The panels by their headings, which the groups of a facet have as their data. */
function panelsOf(view: View, headings: readonly string[]): Panel[] {
  const origin = originOf(view);
  const panels: Panel[] = [];
  const visit = (group: Group, left: number, top: number) => {
    const { width = 0, height = 0, datum } = group;
    const series = headings.indexOf(datum?.label ?? '');
    if (series >= 0 && width > 0 && height > 0) panels.push({ left, top, width, height, series });
    else
      for (const { marktype, items = [] } of group.items ?? [])
        if (marktype === 'group')
          for (const inner of items) visit(inner, left + (inner.x ?? 0), top + (inner.y ?? 0));
  };
  const { root } = view.scenegraph() as Scene & { readonly root: { readonly items: readonly Group[] } };
  for (const group of root.items) visit(group, origin.left + (group.x ?? 0), origin.top + (group.y ?? 0));
  return panels;
}
