import type { Scene, Spec, View } from 'vega';
import type { Chart, ChartFigure } from '../../charts/chart.js';
import { drawSpec } from '../../charts/draw.js';
import { plotFrame } from '../../charts/frame.js';
import { INKS, type Theme } from '../../charts/theme.js';
import { inYears, plotYears } from '../../charts/years.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { type Line, withValues } from '../state/lines.js';
import type { ViewState } from '../state/view-state.js';
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

/** A chart that stays for this long is prepared for paper. */
const REST_MS = 1_000;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/**
 * Puts a picture for paper beside a chart, in dark ink on white and without pixels, once the chart rests: browsers print what
 * stands on the page when the user asks for it, and do not wait for a chart to be drawn. A chart that was drawn just before is
 * printed as it is on the screen.
 */
export function preparePrint(target: HTMLElement, theme: Theme, drawn: () => View | null): void {
  clearTimeout(timers.get(target));
  target.querySelector('.printed')?.remove();
  const prepare = async () => {
    const svg = target.isConnected ? await drawn()?.toSVG() : undefined;
    if (svg === undefined || drawn() === null) return;
    const picture = document.createElement('img');
    picture.className = 'printed';
    picture.alt = '';
    picture.src = `data:image/svg+xml,${encodeURIComponent(onPaper(svg, theme))}`;
    target.querySelector('.printed')?.remove();
    target.append(picture);
  };
  timers.set(
    target,
    setTimeout(() => void prepare(), REST_MS),
  );
}

/** The picture in the colours of the light theme. */
function onPaper(svg: string, theme: Theme): string {
  const colours = new Map(
    Object.entries(INKS[theme]).map(([name, ink]) => [ink, INKS.light[name as keyof typeof INKS.light]]),
  );
  return svg.replace(/#[0-9a-f]{6}(?=")/g, (colour) => colours.get(colour as never) ?? colour);
}
