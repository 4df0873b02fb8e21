import type { Table } from 'apache-arrow';
import { seriesValues } from '../frame/display/shown-series.js';
import { takeRuns } from '../frame/series/take-runs.js';
import { columnReader, readColumn } from '../frame/table/columns.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries, type SeriesView } from '../frame/table/series-view.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { ArgumentError } from '../model/errors.js';
import { FREQUENCIES } from '../model/frequency.js';
import type { SeriesLabel } from '../model/names/short-labels.js';
import type { Provenance } from '../model/provenance.js';
import { formatDay } from '../model/time.js';
import type { Chart } from './chart.js';
import { nameViews, sourceLine, unitOf } from './frame-texts.js';
import { type LineData, lineData } from './lines.js';
import { SERIES_PLOT_KEYS, type SeriesPlotOptions } from './series.js';
import { timeChart } from './time-chart.js';

/** Texts and size of the chart; by default from the frame. */
export type FramePlotOptions = Partial<SeriesPlotOptions>;

/**
 * A chart with one line for each series of a long or wide frame over time: an axis for each unit, up to three; a panel for
 * each series above eight. A line is broken where periods of its own frequency are missing. Where frequencies are mixed,
 * the coarser values are steps over their periods. Names, units and the sources of the drawn series are those of the frame.
 * @throws ArgumentError when the table has no series or no values, a series has several values for one period, as in a
 * frame with a history, the series are in more than three units, or there are more than 60 of them and none is highlighted
 */
export function plotFrame(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotFrame');
  const views = frameSeries(table);
  if (views.length === 0)
    throw new ArgumentError('table', 'table: it has no series; give a long or wide frame');
  const provenance = readProvenance(table);
  const { title, subtitle, labels } = nameViews(views);
  const lineOf = lineReader(table, { provenance, options });
  const lines = views.map((view, i) => lineOf(view, labels[i]!));
  return timeChart(lines, {
    ...options,
    title: options.title ?? title,
    subtitle: options.subtitle ?? subtitle,
    source: sourceLine(options.source, views, provenance),
  });
}

/** Reads the series of a frame as lines, each of its columns once. */
export function lineReader(
  table: Table,
  { provenance, options }: { provenance: Provenance | null; options: FramePlotOptions },
): (view: SeriesView, label: SeriesLabel) => LineData {
  const columnOf = columnReader(table);
  const hasStart = table.schema.fields.some(({ name }) => name === 'start_date');
  const ends = readColumn(table, 'end_date', 'timestamp');
  const starts = hasStart ? readColumn(table, 'start_date', 'timestamp') : null;
  return (view, label) => {
    const periods = {
      start: starts && takeRuns(starts, view.runs).values,
      end: takeRuns(ends, view.runs).values,
    };
    const order = periodOrder(periods, label);
    const inOrder = (dates: BigInt64Array) => dates.map((_, i) => dates[order[i]!]!);
    const value = seriesValues(columnOf, view);
    return lineData(
      {
        start_date: periods.start && inOrder(periods.start),
        end_date: inOrder(periods.end),
        value: value.map((_, i) => value[order[i]!]!),
        frequency: FREQUENCIES.find(({ id }) => id === view.key.frequency_id),
      },
      {
        ...label,
        unit: options.unit ?? unitOf(view, provenance),
        measure: options.measure ?? view.names.get('metric_name') ?? 'Value',
      },
    );
  };
}

/**
 * The rows of a series by ascending period.
 * @throws ArgumentError when a period has several values: a line through vintages would move where the figures did not
 */
function periodOrder(
  { start, end }: { start: BigInt64Array | null; end: BigInt64Array },
  { label }: SeriesLabel,
): Uint32Array {
  const begin = start ?? end;
  const step = (a: number, b: number): number => Number(begin[b]! - begin[a]! || end[b]! - end[a]!);
  const order = Uint32Array.from(end.keys());
  if (order.some((row) => row > 0 && step(row - 1, row) < 0)) order.sort((a, b) => step(b, a) || a - b);
  const repeated = order.findIndex((row, i) => i > 0 && step(order[i - 1]!, row) === 0);
  if (repeated === -1) return order;
  const period = `${start === null ? '' : `${formatDay(Number(start[order[repeated]!]))} to `}${formatDay(Number(end[order[repeated]!]))}`;
  throw new ArgumentError(
    'table',
    `table: ${label} has several values for ${period}, as in a frame with a history; draw its latest ones, or those as of a date (at_time), or its revisions by plotRevisions`,
  );
}
