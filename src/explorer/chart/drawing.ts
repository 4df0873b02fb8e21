import type { View } from 'vega';
import type { Chart, ChartFigure } from '../../charts/chart.js';
import { drawSpec, type VegaLiteSpec } from '../../charts/draw.js';
import { dateFormat } from '../../charts/language.js';
import { INKS, type Theme } from '../../charts/theme.js';
import { utcDay } from '../../model/time.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Drawing {
  readonly figure: ChartFigure;
  readonly panels: readonly PlacedPanel[];
}

/** The view drawn in an element, and its specification without the data, as JSON. */
interface DrawnView {
  readonly view: View;
  readonly outline: string;
}

const drawnIn = new Map<HTMLElement, DrawnView>();

/** Replaces the previous chart with a new one. Returns null if the page has requested a newer chart in the meantime. */
export async function draw(
  chart: Chart,
  { theme, target, isWanted }: { theme: Theme; target: HTMLElement; isWanted: () => boolean },
): Promise<Drawing | null> {
  if (!isWanted()) return null;
  const spec = screenSpec(chart, theme);
  const { outline, data } = extractData(spec);
  let drawn = drawnIn.get(target);
  if (drawn?.outline === outline && data.size > 0) {
    // If only the data of a chart change, updating the data takes a fraction of the time needed to draw a new chart.
    drawn.view.description(spec.description);
    for (const [name, points] of data) drawn.view.data(name, [...points]);
    await drawn.view.resize().runAsync();
  } else {
    const element = document.createElement('div');
    // Browsers print without waiting for a redraw, so a printed chart keeps its theme and its background colour.
    element.style.background = INKS[theme].paper;
    drawn = { view: await drawSpec(spec, element), outline };
    if (!isWanted()) {
      drawn.view.finalize();
      return null;
    }
    for (const [place, { view }] of drawnIn) {
      if (place !== target && place.isConnected) continue;
      view.finalize();
      drawnIn.delete(place);
    }
    drawnIn.set(target, drawn);
    target.replaceChildren(element);
  }
  return isWanted() ? { figure: chart.figure, panels: placePanels(drawn.view, chart.figure) } : null;
}

export type PlacedPanel = ReturnType<typeof placePanels>[number];

function placePanels(view: View, { times, panels }: ChartFigure) {
  if (times === null) return [];
  const [from, to] = times;
  const [x, y] = view.origin();
  const padding = view.padding();
  const { left = 0, top = 0 } = typeof padding === 'number' ? { left: padding, top: padding } : padding;
  const cells = cellsOf(view, panels.length);
  return panels.map((panel, at) => {
    const { width, height, ...cell } = cells[at]!;
    const place = { left: x + left + cell.x, top: y + top + cell.y };
    const up = view.scale(panel.scale) as (value: number) => number;
    return {
      ...panel,
      ...place,
      width,
      height,
      dates: times,
      xAt: (ms: number) => place.left + width * ((ms - from) / (to - from)),
      yAt: (value: number) => place.top + up(value),
    };
  });
}

/** A group mark of Vega's scene graph. Panels have the role `scope`. */
interface Group {
  readonly role: string;
  readonly items: readonly (Record<'x' | 'y' | 'width' | 'height', number> & {
    readonly items: readonly Group[];
  })[];
}

/** Returns the places of panels in the view. A lone panel fills it, because the scene's groups are then the lines. */
function cellsOf(view: View, count: number) {
  if (count === 1) return [{ x: 0, y: 0, width: view.width(), height: view.height() }];
  const { root } = view.scenegraph() as unknown as { root: Group };
  return root.items[0]!.items.flatMap(({ role, items }) => (role === 'scope' ? items : []));
}

/** Splits a specification into named data and a JSON outline. Charts that differ only in data have equal outlines. */
function extractData(spec: VegaLiteSpec) {
  const data = new Map<string, readonly object[]>();
  const outline = JSON.stringify({ ...spec, description: null }, function (this: object, name, value) {
    // Data that Vega uses only for lookups remain in the JSON.
    if (name !== 'data' || 'key' in this) return value;
    value.name = `data ${data.size}`;
    data.set(value.name, value.values);
    return { ...value, values: undefined };
  });
  return { outline, data };
}

/** The root font size, in pixels, that the font sizes in specifications assume. */
const TEXT_PIXELS = 16;

/** Returns a specification in the reader's language and text size, without the texts that the page renders as HTML. */
function screenSpec(chart: Chart, theme: Theme): VegaLiteSpec {
  const { config, ...spec } = chart.withoutTexts(theme) as VegaLiteSpec & { config: object };
  const read = { ...spec, config: { ...config, locale: localeConfig(navigator.languages) } };
  const factor = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / TEXT_PIXELS;
  if (factor === 1) return read;
  return JSON.parse(JSON.stringify(read), (name, value) =>
    typeof value === 'number' && /(fontSize|lineHeight)$/i.test(name) ? value * factor : value,
  );
}

function localeConfig(languages: readonly string[]): object {
  const parts = new Intl.NumberFormat([...languages]).formatToParts(-1_234_567.8);
  const sign = (type: string, otherwise: string) =>
    parts.find((part) => part.type === type)?.value ?? otherwise;
  const digit = new Intl.NumberFormat([...languages], { useGrouping: false });
  const number = {
    decimal: sign('decimal', '.'),
    thousands: sign('group', ','),
    grouping: [3],
    numerals: Array.from({ length: 10 }, (_, i) => digit.format(i)),
  };
  const names = (options: Intl.DateTimeFormatOptions, dates: readonly number[]) =>
    dates.map(dateFormat(languages, options).format);
  // 1 January 2023 is a Sunday.
  const week = Array.from({ length: 7 }, (_, day) => utcDay(2023, 1, day + 1));
  const year = Array.from({ length: 12 }, (_, month) => utcDay(2023, month + 1, 1));
  const time = {
    periods: ['AM', 'PM'],
    days: names({ weekday: 'long' }, week),
    shortDays: names({ weekday: 'short' }, week),
    months: names({ month: 'long' }, year),
    shortMonths: names({ month: 'short' }, year),
  };
  return { number, time };
}
