import type { Table } from 'apache-arrow';
import { isValid } from '../columns/bitmap.js';
import { withDetail } from '../frame/display/credit.js';
import { seriesValues } from '../frame/display/shown-series.js';
import { columnReader, readColumn } from '../frame/table/columns.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries, seriesShape } from '../frame/table/series-view.js';
import { takeRuns } from '../frame/table/take-rows.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { dateParts } from '../model/calendar.js';
import { ArgumentError } from '../model/errors.js';
import { FREQUENCIES } from '../model/frequency.js';
import { groupedBy } from '../model/grouping.js';
import { DAY_MS, formatDay } from '../model/time.js';
import type { Chart } from './chart.js';
import { namesOf, nameViews, sourceLine, unitOf } from './frame-texts.js';
import { measuredBy, shortUnit, type Writer } from './headline.js';
import { joinTexts, timesOf, valueSpan } from './lines.js';
import { type LineMark, type Panel, panelChart } from './panels.js';
import { type ChartTexts, TEXT_KEYS } from './texts.js';
import { COLOURS, colourAt } from './theme.js';

/** Texts and size of the chart; by default from the frame. */
export type RevisionsPlotOptions = ChartTexts;

/** A value of a period, and when it was said. */
interface Report {
  readonly startMs: number;
  readonly endMs: number;
  readonly saidMs: number;
  readonly value: number;
}

/**
 * A chart of how the figures of a series moved from report to report: a line for each period over the dates of the reports,
 * or over the dates on which the figures became available where the source gives no reports. Above eight periods, the
 * latest are drawn.
 * @param table a long frame of one series with its history: by `reporting_history`, or by `complete_history` with
 * `show_available_date`
 * @throws ArgumentError when it has several series, or no date of a report
 */
export function plotRevisions(table: Table, options: RevisionsPlotOptions = {}): Chart {
  checkOptions(options, TEXT_KEYS, 'plotRevisions');
  const [view, ...others] = seriesShape(table) === 'long' ? frameSeries(table) : [];
  if (view === undefined)
    throw new ArgumentError(
      'table',
      'table: it has no series with a history; give a long frame of one series',
    );
  if (others.length > 0)
    throw new ArgumentError(
      'table',
      `table: it has ${others.length + 1} series; draw the revisions of one, for instance by selectSeries`,
    );
  const periods = byPeriod(readReports(table, view.runs, seriesValues(columnReader(table), view)));
  const shown = periods.slice(-COLOURS.length);
  const provenance = readProvenance(table);
  const named = nameViews([view]);
  const part = `latest ${shown.length} of ${periods.length} periods`;
  const {
    title = named.title,
    subtitle = joinTexts([named.subtitle, 'by date of report', shown.length < periods.length ? part : '']),
  } = options;
  const frequency = FREQUENCIES.find(({ id }) => id === view.key.frequency_id)?.name;
  const labels = shown.map(([first]) => periodLabel(first!, frequency));
  const colours = shown.map((_, s) => colourAt(s));
  // A figure holds until the next report.
  const marks = shown.map(
    (reports, s): LineMark => ({
      mark: 'line',
      series: s,
      label: labels[s]!,
      x: Float64Array.from(reports, ({ saidMs }) => saidMs),
      y: Float64Array.from(reports, ({ value }) => value),
      colour: colours[s]!,
      width: 1.8,
      isStepped: true,
      hasDots: true,
    }),
  );
  const moves = shown.map((reports, s) => {
    const [first, last] = [reports[0]!, reports.at(-1)!];
    return `${labels[s]} from ${first.value} (${formatDay(first.saidMs)}) to ${last.value} (${formatDay(last.saidMs)})`;
  });
  const y = {
    domain: valueSpan(marks.map((mark) => mark.y)),
    title: withDetail(view.names.get('metric_name') ?? 'Value', unitOf(view, provenance)),
  };
  const source = sourceLine(options.source, [view], provenance);
  const description = `${title}: revisions. ${moves.join('; ')}.`;
  const panel: Panel = { x: { kind: 'time', domain: timesOf(marks) }, y: [y], marks };
  return panelChart([panel], { ...options, title, subtitle, source, description }, { labels, colours });
}

/** The last period of a frame with its history in one sentence: its first figure, its last one, and how often it was said. */
export function revisionHeadline(table: Table, write: Writer): string | null {
  const [view] = frameSeries(table);
  if (view === undefined) return null;
  const periods = byPeriod(readReports(table, view.runs, seriesValues(columnReader(table), view)));
  const reports = periods.findLast(({ length }) => length > 1) ?? periods.at(-1)!;
  const [first, last] = [reports[0]!, reports.at(-1)!];
  const [metric, item, region] = namesOf(view);
  const unit = shortUnit(unitOf(view, readProvenance(table)));
  // Reports move figures by less than a sentence rounds away.
  const figure = (value: number) => write.number(Number(value.toPrecision(4)));
  const moved =
    reports.length === 1 ? figure(last.value) : `from ${figure(first.value)} to ${figure(last.value)}`;
  const often = reports.length === 1 ? '' : ` in ${reports.length} reports`;
  return `${region} ${measuredBy({ metric, item })} ${write.period(last.startMs, last.endMs)}: ${moved} ${unit}${often}`;
}

function readReports(table: Table, runs: Parameters<typeof takeRuns>[1], value: Float64Array): Report[] {
  const has = (name: string) => table.schema.fields.some((field) => field.name === name);
  const column = (name: string) => takeRuns(readColumn(table, name, 'timestamp'), runs);
  const [start, end, reporting] = [column('start_date'), column('end_date'), column('reporting_date')];
  const available = has('available_date') ? column('available_date') : null;
  const saidAt = (row: number): number | null => {
    if (isValid(reporting.valid, row)) return Number(reporting.values[row]);
    return available !== null && isValid(available.valid, row) ? Number(available.values[row]) : null;
  };
  const reports: Report[] = [];
  for (let row = 0; row < value.length; row++) {
    const saidMs = saidAt(row);
    if (saidMs === null || Number.isNaN(value[row]!)) continue;
    reports.push({
      startMs: Number(start.values[row]),
      endMs: Number(end.values[row]),
      saidMs,
      value: value[row]!,
    });
  }
  if (reports.length > 0) return reports;
  throw new ArgumentError(
    'table',
    'table: no value has the date of a report; get it with reporting_history, or with complete_history and show_available_date',
  );
}

/** The reports of each period in the order in which they were made, by ascending period. */
function byPeriod(reports: readonly Report[]): Report[][] {
  const periods = groupedBy(reports, ({ startMs, endMs }) => `${startMs} ${endMs}`);
  for (const ofPeriod of periods.values()) ofPeriod.sort((a, b) => a.saidMs - b.saidMs);
  return [...periods.values()].sort((a, b) => a[0]!.startMs - b[0]!.startMs);
}

function periodLabel({ startMs, endMs }: Report, frequency: string | undefined): string {
  const { year } = dateParts(startMs);
  const lastYear = dateParts(endMs).year;
  if (frequency === 'annual')
    return year === lastYear ? String(year) : `${year}/${String(lastYear % 100).padStart(2, '0')}`;
  if (frequency === 'monthly') return formatDay(startMs).slice(0, 7);
  return endMs - startMs < DAY_MS ? formatDay(startMs) : `${formatDay(startMs)} to ${formatDay(endMs)}`;
}
