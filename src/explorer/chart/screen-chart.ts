import type { Chart } from '../../charts/chart.js';
import type { VegaLiteSpec } from '../../charts/draw.js';
import type { Theme } from '../../charts/theme.js';
import { parseTime } from '../../model/time.js';

/** The name of the points of a specification. */
export const POINTS = 'points';

/** A specification for the screen, with its points; without where its parts have their own. */
type ScreenSpec = VegaLiteSpec & { readonly data?: { readonly values: readonly object[] } };

/** A chart in the reader's language and text size. The page writes its texts in HTML, which wraps and is read aloud. */
export function screenSpec(
  chart: Chart,
  { theme, hasLegend }: { theme: Theme; hasLegend: boolean },
): ScreenSpec {
  const { data, config, ...spec } = chart.withoutTexts(theme) as ScreenSpec & { config: { legend: object } };
  const { labels, bands } = chart.figure;
  const columns = hasLegend ? legendColumns(spec.width, [...labels, ...bands]) : {};
  const read = {
    ...spec,
    ...(data && { data: { ...data, name: POINTS } }),
    config: {
      ...config,
      legend: { ...config.legend, ...columns },
      locale: localeConfig(navigator.languages),
    },
  };
  return withTextSize(read as ScreenSpec, textFactor());
}

/** Room for a symbol of a legend and its label, in pixels; less for a year. */
const LEGEND_COLUMN = 220;
const YEAR_COLUMN = 80;
const NARROW = 600;

/** The columns of a legend above a narrow chart, as its canvas would cut a long row off. */
export function legendColumns(width: unknown, texts: readonly string[]): { columns?: number } {
  if (typeof width !== 'number' || width >= NARROW) return {};
  const isOfYears = texts.every((text) => /^\d{4}$/.test(text));
  return { columns: Math.max(1, Math.floor(width / (isOfYears ? YEAR_COLUMN : LEGEND_COLUMN))) };
}

/** Pixels of text at which specifications are made. */
const TEXT_PIXELS = 16;

function textFactor(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / TEXT_PIXELS;
}

/** The numerals, separators and names of months of a language, as Vega's axes write them. */
export function localeConfig(languages: readonly string[]): object {
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
    const format = new Intl.DateTimeFormat([...languages], {
      ...options,
      timeZone: 'UTC',
      calendar: 'gregory',
    });
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

/** A specification in which every size of a text is multiplied, as a reader has chosen larger text. */
export function withTextSize<Spec>(spec: Spec, factor: number): Spec {
  if (factor === 1) return spec;
  const scaled = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(scaled);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        name === 'values' ? value : isTextSize(name, value) ? value * factor : scaled(value),
      ]),
    );
  };
  return scaled(spec) as Spec;
}

function isTextSize(name: string, value: unknown): value is number {
  return /fontSize$/i.test(name) && typeof value === 'number';
}
