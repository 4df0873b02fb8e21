import type { Chart } from '../../charts/chart.js';
import type { VegaLiteSpec } from '../../charts/draw.js';
import { dateFormat } from '../../charts/language.js';
import type { Theme } from '../../charts/theme.js';
import { parseTime } from '../../model/time.js';

/**
 * The data of a specification by their names, which are given to them here, and the text of it without them: charts of one
 * outline differ in their data alone.
 */
export function namedData(spec: VegaLiteSpec) {
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

/** A chart in the reader's language and text size. The page writes its texts in HTML, which wraps and is read aloud. */
export function screenSpec(chart: Chart, theme: Theme): VegaLiteSpec {
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

/** The numerals, separators and names of months of a language, as Vega's axes write them. */
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

/** A specification in which every size of a text is multiplied, as a reader has chosen larger text. */
function withTextSize<Spec>(spec: Spec, factor: number): Spec {
  if (factor === 1) return spec;
  return JSON.parse(JSON.stringify(spec), (name, value) =>
    typeof value === 'number' && /(fontSize|lineHeight)$/i.test(name) ? value * factor : value,
  );
}
