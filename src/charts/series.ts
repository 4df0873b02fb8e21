import { readEpochs } from '../columns/series-dates.js';
import {
  arrayOf,
  checkDate,
  checkFinite,
  checkNumber,
  checkString,
  fieldsOf,
  listOf,
  needed,
  oneOf,
  whole,
} from '../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import { ArgumentError } from '../model/errors.js';
import type { Chart } from './chart.js';
import { lineData } from './lines.js';
import type { Annotation } from './panels.js';
import { type ChartTexts, TEXT_KEYS } from './texts.js';
import { timeChart } from './time-chart.js';

/** A series to draw, such as a crop-weighted average. */
export interface PlottedSeries {
  /** Text of the legend. */
  readonly label: string;
  /** Last date of each period, UTC milliseconds, ascending. */
  readonly end_date: BigInt64Array;
  /** First date of each period, UTC milliseconds; by default one period length before the end. */
  readonly start_date?: BigInt64Array | undefined;
  /** One value for each period; NaN where there is none. */
  readonly value: Float64Array;
}

/** Texts and size of a chart of series. */
export interface SeriesPlotOptions extends ChartTexts {
  /** The title. */
  title: string;
  /** Name of the measured quantity. */
  measure: string;
  /** Abbreviation of the unit of the values. */
  unit: string;
  /** Label of the series to highlight; the others are grey. */
  highlight?: string | undefined;
  /** Points above which lines are thinned, each pixel column keeping its extremes; 20,000 by default. */
  maxPoints?: number | undefined;
  /** Several units have a panel each, which is the default, or up to three axes of one panel. */
  axes?: 'panels' | 'one' | undefined;
  /** Ids of regions in the order of their colours, so that a place has one colour in several charts. */
  places?: readonly number[] | undefined;
  /** Days of a centred mean, which is drawn over the faint values. */
  smooth?: number | undefined;
  /** Your lines, bands and texts. */
  annotations?: readonly Annotation[] | undefined;
}

const checkAnnotations = listOf(
  fieldsOf({ from: checkDate, to: checkDate, value: checkFinite, text: checkString }),
);

const checkSeries = fieldsOf({
  label: needed(checkString),
  end_date: needed(arrayOf(BigInt64Array)),
  start_date: arrayOf(BigInt64Array),
  value: needed(arrayOf(Float64Array)),
});

/** The keys of the options that charts of series share. */
export const SERIES_PLOT_KEYS: OptionKeys<SeriesPlotOptions> = {
  ...TEXT_KEYS,
  title: checkString,
  measure: checkString,
  unit: checkString,
  highlight: checkString,
  maxPoints: whole({ min: 1 }),
  axes: oneOf(['panels', 'one']),
  places: listOf(checkNumber),
  smooth: whole({ min: 2 }),
  annotations: checkAnnotations,
};
const PLOT_KEYS: OptionKeys<SeriesPlotOptions> = {
  ...SERIES_PLOT_KEYS,
  title: needed(checkString),
  measure: needed(checkString),
  unit: needed(checkString),
};

/**
 * A chart of several series over time, all in one unit. A value is drawn at the first date of its period. A line is broken
 * where periods are missing.
 * @throws ArgumentError when there is no value, a series does not have as many dates as values, or none has the
 * highlighted label
 */
export function plotSeries(series: readonly PlottedSeries[], options: SeriesPlotOptions): Chart {
  needed(listOf(checkSeries))(series, 'series');
  checkRequiredOptions(options, PLOT_KEYS, 'plotSeries');
  const { measure, unit, source, ...texts } = options;
  const lines = series.map((one) => {
    checkLengths(one);
    const dates = {
      start_date: one.start_date ? readEpochs(one.start_date) : null,
      end_date: readEpochs(one.end_date),
    };
    return lineData({ ...dates, value: one.value }, { label: one.label, measure, unit });
  });
  return timeChart(lines, { ...texts, source: source === undefined ? undefined : `Source: ${source}` });
}

function checkLengths({ label, start_date, end_date, value }: PlottedSeries): void {
  for (const dates of [end_date, start_date ?? end_date]) {
    if (dates.length === value.length) continue;
    throw new ArgumentError(
      'series',
      `"${label}" has ${dates.length} dates and ${value.length} values; give one value for each date`,
    );
  }
}
