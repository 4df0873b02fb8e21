import type { View } from 'vega';
import type { Chart, ChartFigure, FigurePanel } from '../../charts/chart.js';
import { drawSpec, type VegaLiteSpec } from '../../charts/draw.js';
import { dateFormat } from '../../charts/language.js';
import { INKS, type Theme } from '../../charts/theme.js';
import { allowedMarkup } from '../../frame/display/escape-text.js';
import { parseTime } from '../../model/time.js';

/** A chart on the screen. */
export interface Drawing {
  readonly chart: Chart;
  /** Where it is drawn. */
  readonly panels: readonly PlacedPanel[];
}

/** Pixels of a chart. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where a chart is drawn, and whether it is still wanted. */
export interface Place {
  readonly theme: Theme;
  readonly target: HTMLElement;
  readonly isWanted: () => boolean;
}

/** Draws a chart in place of the one before; null when it is not wanted any more. */
export async function draw(chart: Chart, place: Place): Promise<Drawing | null> {
  const view = place.isWanted() ? await show(chart, place) : null;
  return view && { chart, panels: placesOf(view, chart.figure) };
}

/** The drawing of each place, and the text of its specification without points. */
const drawnIn = new Map<HTMLElement, { readonly view: View; readonly outline: string }>();

async function show(chart: Chart, { target, isWanted, theme }: Place): Promise<View | null> {
  const spec = screenSpec(chart, theme);
  const before = drawnIn.get(target);
  const { outline, data } = namedData(spec);
  // Waiting to print does not hold a view that is gone.
  const drawn = () => (drawnIn.get(target)?.outline === outline ? drawnIn.get(target)!.view : null);
  const isSame = before?.outline === outline && data.size > 0;
  const element = document.createElement('div');
  const view = isSame ? before.view : await drawSpec(spec, element);
  if (isSame) {
    // Other points in a chart that stays the same else take a fraction of the time of a new one.
    view.description(spec.description);
    for (const [name, points] of data) view.data(name, [...points]);
    await view.resize().runAsync();
  } else if (!isWanted()) {
    view.finalize();
    return null;
  } else {
    for (const [place, { view: gone }] of drawnIn) {
      if (place !== target && place.isConnected) continue;
      gone.finalize();
      drawnIn.delete(place);
    }
    drawnIn.set(target, { view, outline });
    target.replaceChildren(element);
  }
  preparePrint(target, theme, drawn);
  return isWanted() ? view : null;
}

/** A panel that is drawn: where it is in pixels, and where its values are. */
export interface PlacedPanel extends Omit<FigurePanel, keyof Size>, Size {
  /** The first and the last moment of its axis. */
  readonly dates: readonly [number, number];
  readonly xAt: (ms: number) => number;
  /** Where a value is; null where that is not known. */
  readonly yAt: (value: number) => number | null;
}

/** Returns the panels of a drawn chart. */
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

/** A chart that stays for this long is prepared for paper. */
const REST_MS = 1_000;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/**
 * Puts a picture for paper next to a chart, in dark ink on white and without pixels, once the chart rests: browsers
 * print the page as it is when the user asks for it, and do not wait for a chart to be drawn. A chart that was drawn
 * just before is printed as it is on the screen.
 */
function preparePrint(target: HTMLElement, theme: Theme, drawn: () => View | null): void {
  clearTimeout(timers.get(target));
  target.querySelector('.printed')?.remove();
  const prepare = async () => {
    const svg = target.isConnected ? await drawn()?.toSVG() : undefined;
    if (svg === undefined || drawn() === null) return;
    const picture = document.createElement('img');
    picture.className = 'printed';
    picture.alt = '';
    picture.src = `data:image/svg+xml,${encodeURIComponent(onPaper(allowedMarkup(svg), theme))}`;
    target.querySelector('.printed')?.remove();
    target.append(picture);
  };
  timers.set(
    target,
    setTimeout(() => void prepare(), REST_MS),
  );
}

/** Returns the picture in the colours of the light theme. */
function onPaper(svg: string, theme: Theme): string {
  const colours = new Map(
    (['paper', 'ink', 'quiet', 'grid'] as const).map((name) => [INKS[theme][name], INKS.light[name]]),
  );
  return svg.replace(/#[0-9a-f]{6}(?=")/g, (colour) => colours.get(colour) ?? colour);
}

/**
 * Returns the data of a specification by their names, which are given to them here, and the text of it without them:
 * charts of one outline differ in their data alone.
 */
function namedData(spec: VegaLiteSpec) {
  const data = new Map<string, readonly object[]>();
  const outline = JSON.stringify({ ...spec, description: null }, function (this: object, name, value) {
    // Those of a lookup stay in the outline.
    if (name !== 'data' || 'key' in this) return value;
    value.name = `data ${data.size}`;
    data.set(value.name, value.values);
    return { ...value, values: undefined };
  });
  return { outline, data };
}

/**
 * Returns a chart in the reader's language and text size. The page writes its texts in HTML, which wraps and is read
 * aloud.
 */
function screenSpec(chart: Chart, theme: Theme): VegaLiteSpec {
  const { config, ...spec } = chart.withoutTexts(theme) as VegaLiteSpec & { config: object };
  const read = {
    ...spec,
    config: { ...config, locale: localeConfig(navigator.languages) },
  };
  return withTextSize(read, textFactor());
}

/** Pixels of text at which specifications are made. */
const TEXT_PIXELS = 16;

function textFactor(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / TEXT_PIXELS;
}

/** Returns the numerals, separators and names of months of a language, as Vega's axes write them. */
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
  const names = (options: Intl.DateTimeFormatOptions, days: readonly string[]) => {
    const format = dateFormat(languages, options);
    return days.map((day) => format.format(parseTime(day, 'day')));
  };
  const time = {
    dateTime: '%x, %X',
    date: '%Y-%m-%d',
    time: '%H:%M:%S',
    periods: ['AM', 'PM'],
    days: names({ weekday: 'long' }, WEEK),
    shortDays: names({ weekday: 'short' }, WEEK),
    months: names({ month: 'long' }, MONTHS),
    shortMonths: names({ month: 'short' }, MONTHS),
  };
  return { number, time };
}

/** A week from Sunday on, and the first days of a year. */
const WEEK = Array.from({ length: 7 }, (_, i) => `2023-01-0${i + 1}`);
const MONTHS = Array.from({ length: 12 }, (_, i) => `2023-${String(i + 1).padStart(2, '0')}-01`);

/** Returns a specification in which every size of a text is multiplied, as a reader has chosen larger text. */
function withTextSize<Spec>(spec: Spec, factor: number): Spec {
  if (factor === 1) return spec;
  return JSON.parse(JSON.stringify(spec), (name, value) =>
    typeof value === 'number' && /(fontSize|lineHeight)$/i.test(name) ? value * factor : value,
  );
}
