import type { View } from 'vega';
import type { ScreenChart } from './screen-spec.js';

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

type Scale = ((value: number) => number) & {
  invert: (position: number) => number | Date;
  range: () => number[];
  domain: () => (number | Date)[];
};

/** The scale of the axis of time. */
export function timeScale(view: View, { headings }: Pick<ScreenChart, 'headings'>): Scale {
  return view.scale(headings === null ? 'x' : 'concat_0_x') as Scale;
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

/** The places of a drawn chart. */
export function placesOf(view: View, chart: ScreenChart): PlotPlaces {
  const scale = timeScale(view, chart);
  const panels = chart.headings === null ? [wholePanel(view, scale)] : panelsOf(view, chart.headings);
  return {
    at(x, y) {
      const panel = panels.find((one) => isInside(one, x, y));
      return panel === undefined ? null : { ms: Number(scale.invert(x - panel.left)), series: panel.series };
    },
    positionOf(ms, series) {
      const panel = panels.find((one) => one.series === null || one.series === series);
      const x = scale(ms);
      if (panel === undefined || x < -1 || x > panel.width + 1) return null;
      return { x: panel.left + x, top: panel.top, height: panel.height };
    },
  };
}

function isInside({ left, top, width, height, series }: Panel, x: number, y: number): boolean {
  if (x < left - EDGE || x > left + width + EDGE) return false;
  // A chart of one panel is read beside its lines too, as on its axis.
  return series === null || (y >= top - EDGE && y <= top + height + EDGE);
}

/** Where the plot begins on its canvas, in pixels. */
export function originOf(view: View): { left: number; top: number } {
  const [x, y] = view.origin() as [number, number];
  const padding = view.padding() as unknown as number | { readonly left: number; readonly top: number };
  const { left, top } = typeof padding === 'number' ? { left: padding, top: padding } : padding;
  return { left: x + left, top: y + top };
}

function wholePanel(view: View, scale: Scale): Panel {
  const [low = 0, high = 0] = scale.range();
  return { ...originOf(view), width: high - low, height: Number(view.signal('height')), series: null };
}

/** What of Vega's scene graph tells where groups are. */
interface Group {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly datum?: { readonly label?: string | undefined } | undefined;
  readonly items?: readonly Mark[] | undefined;
}

interface Mark {
  readonly marktype?: string | undefined;
  readonly name?: string | undefined;
  readonly items?: readonly Group[] | undefined;
}

/** Vega-Lite's name of the groups that are panels. */
const CELL = /cell$/;

function panelsOf(view: View, headings: readonly string[]): Panel[] {
  const { root } = view.scenegraph() as unknown as { root: Mark };
  const { left, top } = originOf(view);
  const found: Panel[] = [];
  const visit = (mark: Mark, x: number, y: number) => {
    if (mark.marktype !== 'group') return;
    for (const group of mark.items ?? []) {
      const [ownX, ownY] = [x + (group.x ?? 0), y + (group.y ?? 0)];
      const { width = 0, height = 0, datum } = group;
      const isCell = CELL.test(mark.name ?? '') && datum?.label !== undefined;
      if (isCell)
        found.push({ left: ownX, top: ownY, width, height, series: headings.indexOf(datum.label!) });
      else for (const inner of group.items ?? []) visit(inner, ownX, ownY);
    }
  };
  visit(root, left, top);
  return found;
}
