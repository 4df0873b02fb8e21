import type { View } from 'vega';
import type { Chart, Theme } from '../../charts.js';
import { type ChartInput, makeChart } from './make-chart.js';
import { type ScreenChart, screenChart } from './screen-spec.js';
import { drawSpec } from './vega-view.js';

/** A chart on the screen. */
export interface Drawing extends ScreenChart {
  /** The moment at a horizontal position of the plot, in pixels; null beside the axes. */
  readonly timeAt: (x: number) => number | null;
  /** The same chart in another size, with its texts, for a file. */
  readonly remake: (size: { width: number; height: number }) => Chart;
  /** The horizontal position of a moment; null outside the axes. */
  readonly positionOf: (ms: number) => number | null;
}

const views = new WeakMap<HTMLElement, View>();

/** Where a chart is drawn, and whether it is still wanted. */
interface Place {
  readonly theme: Theme;
  readonly target: HTMLElement;
  readonly isWanted: () => boolean;
}

/** A chart on the screen, with its own legend. */
export type PlacedChart = ScreenChart;

/** Draws the series of a frame in place of the chart before; null when it is not wanted any more. */
export async function draw(input: ChartInput, place: Place): Promise<Drawing | null> {
  const chart = screenChart(makeChart(input).themed(place.theme), { legends: input.scale === 'season' });
  const view = await show(chart, place);
  if (view === null) return null;
  return { ...chart, ...timesOf(view, chart), remake: (size) => makeChart({ ...input, ...size }) };
}

/** Draws a chart in place of the one before; null when it is not wanted any more. */
export async function placeChart(given: Chart, place: Place): Promise<PlacedChart | null> {
  const chart = screenChart(given.themed(place.theme), { legends: true });
  return (await show(chart, place)) === null ? null : chart;
}

async function show(chart: ScreenChart, { target, isWanted }: Place): Promise<View | null> {
  const canvas = document.createElement('div');
  const view = await drawSpec(chart.spec, canvas);
  if (!isWanted()) {
    view.finalize();
    return null;
  }
  views.get(target)?.finalize();
  views.set(target, view);
  target.replaceChildren(canvas);
  return view;
}

type Scale = ((value: number) => number) & {
  invert: (position: number) => number | Date;
  range: () => number[];
};

function timesOf(view: View, { inPanels }: ScreenChart): Pick<Drawing, 'timeAt' | 'positionOf'> {
  if (inPanels) return { timeAt: () => null, positionOf: () => null };
  const scale = view.scale('x') as Scale;
  const padding = view.padding() as unknown as number | { readonly left: number };
  const left =
    (view.origin() as [number, number])[0] + (typeof padding === 'number' ? padding : padding.left);
  const [low = 0, high = 0] = scale.range();
  return {
    timeAt: (x) => (x < left + low - 4 || x > left + high + 4 ? null : Number(scale.invert(x - left))),
    positionOf: (ms) => {
      const x = scale(ms);
      return x < low - 1 || x > high + 1 ? null : left + x;
    },
  };
}
