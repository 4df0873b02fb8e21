import * as v from 'valibot';
import { readEpochs } from '../columns/series-dates.js';
import { ArgumentError } from '../model/errors.js';
import { check, checkRequiredOptions, fieldsOf, type OptionKeys, required } from '../model/schema/check.js';
import { type Chart, SERIES_PLOT_KEYS, type SeriesPlotOptions } from './chart.js';
import { lineOf } from './lines.js';
import { timeChart } from './time-chart.js';

/** A series to draw, such as a crop-weighted average. */
export interface PlottedSeries {
  /** The label in the legend. */
  readonly label: string;
  /** The last day of each period as UTC milliseconds, in ascending order. */
  readonly end_date: BigInt64Array;
  /** The first day of each period as UTC milliseconds. By default, it is derived from the spacing of the end dates. */
  readonly start_date?: BigInt64Array | undefined;
  /** The value of each period, or NaN if it is missing. */
  readonly value: Float64Array;
}

const SERIES = fieldsOf({
  label: required(v.string()),
  end_date: required(v.instance(BigInt64Array)),
  start_date: v.instance(BigInt64Array),
  value: required(v.instance(Float64Array)),
});

const PLOT_KEYS: OptionKeys<SeriesPlotOptions> = {
  ...SERIES_PLOT_KEYS,
  title: required(v.string()),
  measure: required(v.string()),
  unit: required(v.string()),
};

/**
 * Draws several series that have the same unit over time. Each value is drawn at the middle of its period, and lines
 * break where periods are missing.
 * @throws ArgumentError if there are no values, if a series has different numbers of dates and values, or if no series
 * has the label specified by `highlight`
 */
export function plotSeries(series: readonly PlottedSeries[], options: SeriesPlotOptions): Chart {
  check(v.array(SERIES), series, 'series');
  checkRequiredOptions(options, PLOT_KEYS, 'plotSeries');
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
