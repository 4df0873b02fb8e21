import type { View } from 'vega';
import type { Chart, ChartFigure, FigurePanel } from '../../charts/chart.js';
import { drawSpec, type VegaLiteSpec } from '../../charts/draw.js';
import { dateFormat } from '../../charts/language.js';
import { INKS, type Theme } from '../../charts/theme.js';
import { allowedMarkup } from '../../frame/display/escape-text.js';
import { DAY_MS, utcDay } from '../../model/time.js';

export interface Drawing {
  readonly chart: Chart;
  readonly panels: readonly PlacedPanel[];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where and how a chart is drawn. `isWanted` returns false once a newer drawing has been requested. */
interface DrawingTarget {
  readonly theme: Theme;
  readonly target: HTMLElement;
  readonly isWanted: () => boolean;
}

/** Draws a chart in place of the previous one. Returns null if the chart is no longer wanted. */
export async function draw(chart: Chart, place: DrawingTarget): Promise<Drawing | null> {
  const view = place.isWanted() ? await show(chart, place) : null;
  return view && { chart, panels: placesOf(view, chart.figure) };
}

/** The view drawn in an element, and its specification as JSON without the data. */
interface DrawnView {
  readonly view: View;
  readonly outline: string;
  printTimer?: ReturnType<typeof setTimeout>;
}

const drawnIn = new Map<HTMLElement, DrawnView>();

async function show(chart: Chart, { target, isWanted, theme }: DrawingTarget): Promise<View | null> {
  const spec = screenSpec(chart, theme);
  const before = drawnIn.get(target);
  const { outline, data } = extractData(spec);
  if (before?.outline === outline && data.size > 0) {
    // Updating the data of an otherwise unchanged chart takes a fraction of the time needed to draw a new one.
    before.view.description(spec.description);
    for (const [name, points] of data) before.view.data(name, [...points]);
    await before.view.resize().runAsync();
    preparePrint(target, theme, before);
    return isWanted() ? before.view : null;
  }
  const element = document.createElement('div');
  const view = await drawSpec(spec, element);
  if (!isWanted()) {
    view.finalize();
    return null;
  }
  for (const [place, { view: gone }] of drawnIn) {
    if (place !== target && place.isConnected) continue;
    gone.finalize();
    drawnIn.delete(place);
  }
  const drawn = { view, outline };
  drawnIn.set(target, drawn);
  target.replaceChildren(element);
  preparePrint(target, theme, drawn);
  return view;
}

/** A drawn panel, with its position in pixels and functions that convert values to positions. */
export interface PlacedPanel extends Omit<FigurePanel, keyof Size>, Size {
  readonly dates: readonly [number, number];
  readonly xAt: (ms: number) => number;
  /** Returns the vertical position of a value, or null if the panel has several scales. */
  readonly yAt: (value: number) => number | null;
}

function placesOf(view: View, figure: ChartFigure): PlacedPanel[] {
  if (figure.times === null) return [];
  const [from, to] = figure.times;
  const [x, y] = view.origin();
  const padding = view.padding();
  const { left = 0, top = 0 } = typeof padding === 'number' ? { left: padding, top: padding } : padding;
  return figure.panels.map((panel): PlacedPanel => {
    const width = panel.width ?? view.width();
    const place = { left: x + left + panel.left, top: y + top + panel.top };
    const up = panel.scale === null ? null : (view.scale(panel.scale) as (value: number) => number);
    return {
      ...panel,
      ...place,
      width,
      height: panel.height ?? view.height(),
      dates: [from, to],
      xAt: (ms) => place.left + width * ((ms - from) / (to - from)),
      yAt: (value) => up && place.top + up(value),
    };
  });
}

/** A chart is prepared for printing once it has been unchanged for this long. */
const REST_MS = 1_000;

/**
 * Adds an SVG in the light theme for printing, once the chart has been unchanged for a while. Browsers do not wait for
 * a chart to be drawn before they print. Until then, the chart is printed as it is on the screen.
 */
function preparePrint(target: HTMLElement, theme: Theme, drawn: DrawnView): void {
  const clear = () => target.querySelector('.printed')?.remove();
  const isShown = () => target.isConnected && drawnIn.get(target) === drawn;
  clearTimeout(drawn.printTimer);
  clear();
  drawn.printTimer = setTimeout(async () => {
    if (!isShown()) return;
    const svg = await drawn.view.toSVG();
    if (!isShown()) return;
    const picture = Object.assign(document.createElement('img'), { className: 'printed', alt: '' });
    picture.src = `data:image/svg+xml,${encodeURIComponent(toLightTheme(allowedMarkup(svg), theme))}`;
    clear();
    target.append(picture);
  }, REST_MS);
}

function toLightTheme(svg: string, theme: Theme): string {
  const colours = new Map(
    (['paper', 'ink', 'quiet', 'grid'] as const).map((name) => [INKS[theme][name], INKS.light[name]]),
  );
  return svg.replace(/#[0-9a-f]{6}(?=")/g, (colour) => colours.get(colour) ?? colour);
}

/** Returns the data of a specification by name, and the rest as JSON, which is equal for charts that differ in data. */
function extractData(spec: VegaLiteSpec) {
  const data = new Map<string, readonly object[]>();
  const outline = JSON.stringify({ ...spec, description: null }, function (this: object, name, value) {
    // The data of lookups remain in the JSON.
    if (name !== 'data' || 'key' in this) return value;
    value.name = `data ${data.size}`;
    data.set(value.name, value.values);
    return { ...value, values: undefined };
  });
  return { outline, data };
}

/** Returns a specification in the reader's language and text size, without the texts that the page renders as HTML. */
function screenSpec(chart: Chart, theme: Theme): VegaLiteSpec {
  const { config, ...spec } = chart.withoutTexts(theme) as VegaLiteSpec & { config: object };
  const read = { ...spec, config: { ...config, locale: localeConfig(navigator.languages) } };
  return withTextSize(read, textFactor());
}

/** The root font size, in pixels, that the font sizes in specifications assume. */
const TEXT_PIXELS = 16;

function textFactor(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / TEXT_PIXELS;
}

/** Returns Vega's locale settings for a language: numerals, separators, and the names of months and days. */
function localeConfig(languages: readonly string[]): object {
  const parts = new Intl.NumberFormat([...languages]).formatToParts(-1_234_567.8);
  const sign = (type: string, otherwise: string) =>
    parts.find((part) => part.type === type)?.value ?? otherwise;
  const digit = new Intl.NumberFormat([...languages], { useGrouping: false });
  const number = {
    decimal: sign('decimal', '.'),
    thousands: sign('group', ','),
    grouping: [3],
    currency: ['', ''],
    numerals: Array.from({ length: 10 }, (_, i) => digit.format(i)),
  };
  const names = (options: Intl.DateTimeFormatOptions, dates: readonly number[]) =>
    dates.map(dateFormat(languages, options).format);
  const week = Array.from({ length: 7 }, (_, day) => FIRST_SUNDAY_MS + day * DAY_MS);
  const year = Array.from({ length: 12 }, (_, month) => utcDay(2023, month + 1, 1));
  const time = {
    dateTime: '%x, %X',
    date: '%Y-%m-%d',
    time: '%H:%M:%S',
    periods: ['AM', 'PM'],
    days: names({ weekday: 'long' }, week),
    shortDays: names({ weekday: 'short' }, week),
    months: names({ month: 'long' }, year),
    shortMonths: names({ month: 'short' }, year),
  };
  return { number, time };
}

const FIRST_SUNDAY_MS = utcDay(2023, 1, 1);

function withTextSize<Spec>(spec: Spec, factor: number): Spec {
  if (factor === 1) return spec;
  return JSON.parse(JSON.stringify(spec), (name, value) =>
    typeof value === 'number' && /(fontSize|lineHeight)$/i.test(name) ? value * factor : value,
  );
}
