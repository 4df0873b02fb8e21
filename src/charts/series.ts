import * as v from 'valibot';
import { readEpochs } from '../columns/series-dates.js';
import { ArgumentError } from '../model/errors.js';
import { check, checkRequiredOptions, fieldsOf, type OptionsOf, required } from '../model/schema/check.js';
import { type Chart, type FramePlotOptions, SERIES_PLOT_KEYS } from './chart.js';
import { lineOf } from './lines.js';
import { timeChart } from './time-chart.js';

// The casts widen the types, because a caller's array may have any kind of buffer.
const EPOCHS = v.instance(BigInt64Array as new () => BigInt64Array);
const VALUES = v.instance(Float64Array as new () => Float64Array);

const SERIES = {
  /** The label in the legend. */
  label: required(v.string()),
  /** The last day of each period as UTC milliseconds, in ascending order. */
  end_date: required(EPOCHS),
  /** The first day of each period as UTC milliseconds. By default, it is derived from the spacing of the end dates. */
  start_date: EPOCHS,
  /** The value of each period, or NaN if it is missing. */
  value: required(VALUES),
};
/** A series to draw, such as a crop-weighted average. */
export interface PlottedSeries extends Readonly<OptionsOf<typeof SERIES>> {}

const PLOT_KEYS = {
  /** The title. */
  title: required(v.string()),
  /** The name of the measured quantity. */
  measure: required(v.string()),
  /** The abbreviation of the values' unit. */
  unit: required(v.string()),
};
/** The texts, size and style of a chart that shows series. */
export interface SeriesPlotOptions
  extends Omit<FramePlotOptions, keyof typeof PLOT_KEYS>,
    OptionsOf<typeof PLOT_KEYS> {}

/**
 * Draws several series that have the same unit over time. Each value is drawn at the middle of its period, and lines
 * break where periods are missing.
 * @throws ArgumentError if there are no values, if a series has different numbers of dates and values, or if no series
 * has the label specified by `highlight`
 */
export function plotSeries(series: readonly PlottedSeries[], options: SeriesPlotOptions): Chart {
  check(v.array(fieldsOf(SERIES)), series, 'series');
  checkRequiredOptions(options, { ...SERIES_PLOT_KEYS, ...PLOT_KEYS }, 'plotSeries');
  const { measure: metric, unit } = options;
  const lines = series.map(({ label, start_date, end_date, value }) => {
    for (const dates of [end_date, start_date ?? end_date]) {
      if (dates.length === value.length) continue;
      throw new ArgumentError('series', `"${label}" has ${dates.length} dates and ${value.length} values`, {
        remedy: `pass one value for each date`,
      });
    }
    const start = start_date ? readEpochs(start_date) : null;
    return lineOf({ start, end: readEpochs(end_date), value }, { label, metric, unit });
  });
  return timeChart(lines, options);
}
