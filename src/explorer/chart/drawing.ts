import type { Spec, View } from 'vega';
import type { Chart } from '../../charts/chart.js';
import { drawSpec } from '../../charts/draw.js';
import { plotFrame } from '../../charts/frame.js';
import type { Theme } from '../../charts/theme.js';
import { inYears, plotYears } from '../../charts/years.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { type Line, withValues } from '../state/lines.js';
import type { ViewState } from '../state/view-state.js';
import { type PlotPlaces, placesOf } from './plot-places.js';
import { preparePrint } from './printed.js';
import { POINTS, screenSpec } from './screen-chart.js';

/** What a chart over time is made of. */
export interface ChartInput {
  /** The frame as it is shown. */
  readonly frame: LongFrame;
  /** The series of the frame. */
  readonly lines: readonly Line[];
  readonly scale: ViewState['scale'];
  readonly highlight: string | null;
  readonly width: number;
  readonly height: number;
  /** Points above which the chart is thinned; undefined for the usual number. */
  readonly maxPoints?: number | undefined;
}

/** A chart over time on the screen. */
export interface Drawing extends PlotPlaces {
  readonly chart: Chart;
  /** What is drawn, in the order of the labels: the series, or their years. */
  readonly lines: readonly Line[];
  /** The same chart in another size, for a file. */
  readonly remake: (size: { width: number; height: number }) => Chart;
  /** Moves the axis of time to some of the dates that are drawn, UTC milliseconds; null is the first or the last one. */
  readonly showDates: (fromMs: number | null, toMs: number | null) => Promise<void>;
}

/** Where a chart is drawn, and whether it is still wanted. */
interface Place {
  readonly theme: Theme;
  readonly target: HTMLElement;
  readonly isWanted: () => boolean;
}

/** Draws the series of a frame in place of the chart before; null when it is not wanted any more. */
export async function draw(input: ChartInput, place: Place): Promise<Drawing | null> {
  if (!place.isWanted()) return null;
  const chart = chartOf(input);
  const isOfYears = input.scale === 'season';
  const view = await show(chart, place, { hasLegend: isOfYears });
  if (view === null) return null;
  const places = placesOf(view, chart.figure);
  return {
    chart,
    lines: isOfYears ? input.lines.map(withValues).flatMap(inYears) : input.lines,
    ...places,
    showDates: async (fromMs, toMs) => {
      const dates = places.setDates(fromMs, toMs);
      if (dates !== undefined) await moveDates(view, dates);
    },
    remake: (size) => chartOf({ ...input, ...size, maxPoints: undefined }),
  };
}

/** The chart of a frame, with the texts that the choices of the page add. */
function chartOf({ frame, scale, highlight, width, height, maxPoints }: ChartInput): Chart {
  const size = { width, height, highlight: highlight ?? undefined, maxPoints };
  if (scale === 'index')
    return plotFrame(frame, { ...size, measure: 'Index, first value = 100', unit: 'index' });
  if (scale === 'yoy') return plotFrame(frame, { ...size, measure: 'Change on a year before', unit: '%' });
  if (scale === 'season') return plotYears(frame, { width, height, maxPoints });
  return plotFrame(frame, size);
}

/** Draws a chart with its own legend in place of the one before; false when it is not wanted any more. */
export async function placeChart(chart: Chart, place: Place): Promise<boolean> {
  return (await show(chart, place, { hasLegend: true })) !== null;
}

/** What is drawn in each place, and the text of its specification without points. */
const drawnIn = new Map<HTMLElement, { readonly view: View; readonly outline: string }>();

async function show(
  chart: Chart,
  { target, isWanted, theme }: Place,
  { hasLegend }: { hasLegend: boolean },
): Promise<View | null> {
  const spec = screenSpec(chart, { theme, hasLegend });
  const before = drawnIn.get(target);
  const outline = JSON.stringify({ ...spec, data: null, description: null });
  // A view that is gone is not held by what waits to print it.
  const drawn = () => (drawnIn.get(target)?.outline === outline ? drawnIn.get(target)!.view : null);
  if (before?.outline === outline && spec.data !== undefined) {
    await replacePoints(before.view, spec.data.values, spec.description);
    preparePrint(target, theme, drawn);
    return isWanted() ? before.view : null;
  }
  const element = document.createElement('div');
  const view = await drawSpec(spec, { element, adapt: withMovingDates });
  if (!isWanted()) {
    view.finalize();
    return null;
  }
  for (const [place, { view: gone }] of drawnIn) {
    if (place !== target && place.isConnected) continue;
    gone.finalize();
    drawnIn.delete(place);
  }
  drawnIn.set(target, { view, outline });
  target.replaceChildren(element);
  preparePrint(target, theme, drawn);
  return view;
}

/** Draws other points in a chart that stays the same else, which takes a fraction of the time of a new one. */
async function replacePoints(view: View, points: readonly object[], description: string): Promise<void> {
  const { changeset } = await import('vega');
  const change = changeset()
    .remove(() => true)
    .insert([...points]);
  await moveDates(view.description(description).change(POINTS, change).resize(), null);
}

/** The signal of the dates between which the axis of time is: the first and the last in UTC milliseconds, or null for all. */
const DATES = 'shownDates';

/**
 * A specification of Vega whose axes of time can be moved without computing anything else anew: lines and points are then cut
 * at its edges, and of their points only the position is asked for again.
 */
export function withMovingDates(spec: Spec): Spec {
  const moving = (part: Part): Part => ({
    ...part,
    ...(part.scales && { scales: part.scales.map(withDates) }),
    ...(part.marks && { marks: part.marks.map(moving) }),
    ...((part.type === 'line' || part.type === 'symbol') && {
      clip: { signal: `${DATES} !== null` },
      encode: positionsApart(part.encode ?? {}),
    }),
  });
  return {
    ...moving(spec as Part),
    signals: [...(spec.signals ?? []), { name: DATES, value: null }],
  } as Spec;
}

function withDates(scale: { readonly type?: string | undefined }): object {
  return scale.type === 'utc' ? { ...scale, domainRaw: { signal: DATES } } : scale;
}

/** What does not depend on scales of positions is computed when a point enters, and not again. */
function positionsApart({ enter, update, ...others }: Part['encode'] & object): object {
  const { x, y, ...once } = update ?? {};
  return { ...others, enter: { ...enter, ...once }, update: { ...(x && { x }), ...(y && { y }) } };
}

/** What of a specification has axes of time and points. */
interface Part {
  readonly type?: string | undefined;
  readonly scales?: readonly { readonly type?: string | undefined }[] | undefined;
  readonly marks?: readonly Part[] | undefined;
  readonly encode?: Partial<Record<'enter' | 'update', Record<string, object>>> | undefined;
}

/** Moves the axes of time of a chart; null shows all dates. */
export async function moveDates(view: View, dates: readonly [number, number] | null): Promise<void> {
  await view.signal(DATES, dates).runAsync();
}
