import type { View } from 'vega';
import type { Chart } from '../../charts/chart.js';
import type { Theme } from '../../charts/theme.js';
import { type ChartInput, makeChart } from './make-chart.js';
import { type PlotPlaces, placesOf, timeScale } from './plot-places.js';
import { type ScreenChart, screenChart } from './screen-spec.js';
import { followPrinting, type Recolouring, recolouring } from './vega/printed.js';
import { drawSpec, moveDates, replacePoints } from './vega/vega-view.js';

/** A chart on the screen. */
export interface Drawing extends ScreenChart, PlotPlaces {
  /** The same chart in another size, with its texts, for a file. */
  readonly remake: (size: { width: number; height: number }) => Chart;
  /** Moves the axis of time to some of the dates that are drawn, UTC milliseconds; null is the first or the last one. */
  readonly showDates: (fromMs: number | null, toMs: number | null) => Promise<void>;
}

/** What is drawn in a place, and the text of its specification without points. */
interface Shown {
  readonly view: View;
  readonly outline: string;
  /** What its colours are on paper. */
  readonly onPaper: Recolouring;
}

const shownIn = new Map<HTMLElement, Shown>();

const afterDrawing = followPrinting(() =>
  [...shownIn].flatMap(([place, { view, onPaper }]) =>
    place.isConnected ? [[place, view, onPaper] as const] : [],
  ),
);

/** Ends what is drawn in places that have left the page. */
function dropGone(): void {
  for (const [place, { view }] of shownIn) {
    if (place.isConnected) continue;
    view.finalize();
    shownIn.delete(place);
  }
}

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
  if (!place.isWanted()) return null;
  const made = makeChart(input);
  const chart = screenChart(made.themed(place.theme), { legends: input.scale === 'season' });
  const view = await show(chart, place, made);
  if (view === null) return null;
  return {
    ...chart,
    ...placesOf(view, chart),
    showDates: dateMover(view, chart),
    remake: (size) => makeChart({ ...input, ...size, maxPoints: undefined }),
  };
}

function dateMover(view: View, chart: ScreenChart): Drawing['showDates'] {
  const [first, last] = timeScale(view, chart).domain().map(Number) as [number, number];
  return async (fromMs, toMs) => {
    if (fromMs === null && toMs === null) return moveDates(view, null);
    const [from, to] = [Math.max(first, fromMs ?? first), Math.min(last, toMs ?? last)];
    if (from < to) await moveDates(view, [from, to]);
  };
}

/** Draws a chart in place of the one before; null when it is not wanted any more. */
export async function placeChart(given: Chart, place: Place): Promise<PlacedChart | null> {
  const chart = screenChart(given.themed(place.theme), { legends: true });
  return (await show(chart, place, given)) === null ? null : chart;
}

/** All of a specification but its points and what they are described by: charts with the same one differ in these alone. */
function outlineOf(spec: object): string {
  return JSON.stringify({ ...spec, data: null, description: null });
}

async function show(
  chart: ScreenChart,
  { target, isWanted, theme }: Place,
  made: Chart,
): Promise<View | null> {
  const before = shownIn.get(target);
  const outline = outlineOf(chart.spec);
  if (before?.outline === outline && chart.points !== null) {
    await replacePoints(before.view, chart.points, chart.description);
    afterDrawing();
    return isWanted() ? before.view : null;
  }
  const canvas = document.createElement('div');
  const view = await drawSpec(chart.spec, canvas);
  if (!isWanted()) {
    view.finalize();
    return null;
  }
  shownIn.get(target)?.view.finalize();
  dropGone();
  shownIn.set(target, { view, outline, onPaper: recolouring(made.themed(theme), made.themed('light')) });
  target.replaceChildren(canvas);
  afterDrawing();
  return view;
}
