import type { View } from 'vega';
import type { Theme } from '../../charts.js';
import { type ChartInput, makeChart } from './make-chart.js';
import { type ScreenChart, screenChart } from './screen-spec.js';
import { drawSpec } from './vega-view.js';

/** A chart on the screen. */
export interface Drawing extends ScreenChart {
  /** The moment at a horizontal position of the plot, in pixels; null beside the axes. */
  readonly timeAt: (x: number) => number | null;
  /** The horizontal position of a moment; null outside the axes. */
  readonly positionOf: (ms: number) => number | null;
}

const views = new WeakMap<HTMLElement, View>();

/** Draws a chart in place of the one before; null when it is not wanted any more. */
export async function draw(
  input: ChartInput,
  { theme, target, isWanted }: { theme: Theme; target: HTMLElement; isWanted: () => boolean },
): Promise<Drawing | null> {
  const chart = screenChart(makeChart(input).themed(theme));
  const canvas = document.createElement('div');
  const view = await drawSpec(chart.spec, canvas);
  if (!isWanted()) {
    view.finalize();
    return null;
  }
  views.get(target)?.finalize();
  views.set(target, view);
  target.replaceChildren(canvas);
  return { ...chart, ...timesOf(view, chart) };
}

type Scale = ((value: number) => number) & {
  invert: (position: number) => number | Date;
  range: () => number[];
};

function timesOf(view: View, { inPanels }: ScreenChart): Pick<Drawing, 'timeAt' | 'positionOf'> {
  if (inPanels) return { timeAt: () => null, positionOf: () => null };
  const scale = view.scale('x') as Scale;
  const [left] = view.origin() as [number, number];
  const [low = 0, high = 0] = scale.range();
  return {
    timeAt: (x) => (x < left + low - 4 || x > left + high + 4 ? null : Number(scale.invert(x - left))),
    positionOf: (ms) => {
      const x = scale(ms);
      return x < low - 1 || x > high + 1 ? null : left + x;
    },
  };
}
