import type { Table } from 'apache-arrow';
import { creditOf } from '../frame/display/credit.js';
import { frame } from '../frame/frame.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries, seriesNames, seriesShape, unitOf } from '../frame/table/series-view.js';
import type { Period } from '../model/calendar.js';
import { splitUnit } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { groupedBy } from '../model/grouping.js';
import { checkOptions } from '../model/schema/check.js';
import { DAY_MS, formatDay } from '../model/time.js';
import { type Chart, type ChartTexts, TEXT_KEYS } from './chart.js';
import { frameTexts } from './frame-lines.js';
import { measureName, shortUnit } from './headline.js';
import { creditAsKnown, type Writer, writerIn } from './language.js';
import { joinTexts, type PeriodValues } from './lines.js';
import { axisOf, type LineMark, panelChart } from './panels.js';
import { COLOURS } from './theme.js';

/** The chart's title, subtitle, source and size. Texts that are not set come from the frame. */
export type RevisionsPlotOptions = ChartTexts;

type Report = ReturnType<typeof reportsOf>[number];

/**
 * Draws the revisions of a series: one line for each of the latest eight periods, over the dates of its reports. If a
 * value has no reporting date, or corrects a value of the same report, the date on which it became available is used.
 * @param table a long frame of one series with its vintages, requested with `reporting_history`, or with
 * `complete_history` and `show_available_date`
 * @throws ArgumentError if the table has more than one series, or if no value has a `reporting_date` or
 * `available_date`
 */
export function plotRevisions(table: Table, options: RevisionsPlotOptions = {}): Chart {
  checkOptions(options, TEXT_KEYS, 'plotRevisions');
  return drawRevisions(table, options, writerIn(['en-GB']));
}

/** Draws revisions. If `hasHeadline` is set, a headline replaces the title, which moves to the subtitle. */
function drawRevisions(
  table: Table,
  { hasHeadline = false, ...options }: ChartTexts & { readonly hasHeadline?: boolean },
  write: Writer,
): Chart {
  const [view, ...others] = seriesShape(table) === 'long' ? frameSeries(table) : [];
  if (view === undefined)
    throw badArgument('table', 'it has no series with a history', {
      remedy: 'pass a long frame with one series',
    });
  if (others.length > 0)
    throw badArgument('table', `it has ${others.length + 1} series`, {
      remedy: `draw the revisions of one series, chosen for example with selectSeries`,
    });
  const periods = groupByPeriod(table);
  const shown = periods.slice(-COLOURS.length);
  const part = `latest ${shown.length} of ${periods.length} periods`;
  const all = periods.flat();
  const imported = `known since the import of ${write.shortDay(all[0]!.saidMs)}`;
  const late = Math.max(...all.filter(isLate).map(({ availableMs }) => availableMs));
  const known = Number.isFinite(late) ? ` (available later, the last on ${write.shortDay(late)})` : '';
  const dated = isOfImport(all) ? imported : `by date of report${known}`;
  const parts = [dated, shown.length < periods.length ? part : ''];
  const own = frameTexts(table, options, options.subtitle === undefined ? parts : []);
  const [metric, item, region] = seriesNames(view);
  const { unit } = splitUnit(unitOf(view, readProvenance(table)));
  const figures = all.map(({ value }) => value);
  const subject = `${region} ${measureName({ metric, item })}`;
  const title = `${subject} ${describeRevision(periods, { unit: shortUnit(unit), figures }, write)}`;
  const texts = { ...own, ...(hasHeadline && { title, subtitle: joinTexts([own.title, own.subtitle]) }) };
  const labels = shown.map(([first]) => write.period(first!.startMs, first!.endMs));
  // Lines are stepped, because a value is valid until the next report.
  const lines = shown.map(
    (reports, s): LineMark => ({
      series: s,
      label: labels[s]!,
      x: Float64Array.from(reports, ({ saidMs }) => saidMs),
      y: Float64Array.from(reports, ({ value }) => value),
      colour: COLOURS[s]!,
      width: 2,
      isStepped: true,
      hasDots: true,
    }),
  );
  const moves = shown.map((reports, s) => {
    const [first, last] = [reports[0]!, reports.at(-1)!].map(
      ({ value, saidMs }) => `${write.quantity(value, unit, figures)} on ${write.day(saidMs)}`,
    );
    return reports.length === 1 ? `${labels[s]}: ${first}` : `${labels[s]}: from ${first} to ${last}`;
  });
  const panel = { axis: axisOf(metric, unit), lines };
  const description = `${texts.title}: revisions. ${moves.join('; ')}.`;
  const drawn = lines.map(({ x, y }) => ({ start: x, end: x, value: y, unit, figures }));
  return panelChart('time', [panel], { ...texts, description }, { labels, lines: drawn });
}

/** Counts the dates on which values were reported or became available, and the reports after each period's first. */
export function countReports(table: Table) {
  const all = knownReports(table);
  const periods = new Set(all.map(periodKey));
  return { reports: new Set(all.map(({ saidMs }) => saidMs)).size, revisions: all.length - periods.size };
}

/** Returns the first candidate. If only others have revisions, returns the revised candidate with the most reports. */
export function chooseRevised<One extends ReturnType<typeof countReports>>(candidates: readonly One[]): One {
  const revised = candidates.filter(({ revisions }) => revisions > 0).sort((a, b) => b.reports - a.reports);
  return candidates[0]!.revisions > 0 ? candidates[0]! : (revised[0] ?? candidates[0]!);
}

/** Draws a revisions chart with a headline. If `asof` is set, the credit line states that date. */
export function viewRevisions(
  table: Table,
  { write, asof, ...size }: Pick<ChartTexts, 'width' | 'height'> & { write: Writer; asof: string | null },
): Chart {
  const source = creditAsKnown(creditOf(table), { asof, write });
  return drawRevisions(table, { ...size, source, hasHeadline: true }, write);
}

/** Describes the latest revised period: its first value, last value and number of reports. */
function describeRevision(
  periods: readonly (readonly Report[])[],
  { unit, figures }: Pick<PeriodValues, 'unit' | 'figures'>,
  write: Writer,
): string {
  const reports = periods.findLast(({ length }) => length > 1) ?? periods.at(-1)!;
  const [first, last] = [reports[0]!, reports.at(-1)!];
  const [from, to] = [first, last].map(({ value }) => write.quantity(value, '', figures));
  const [moved, often] =
    reports.length === 1 ? [to, ''] : [`from ${from} to ${to}`, ` in ${reports.length} reports`];
  return `${write.period(last.startMs, last.endMs)}: ${moved} ${unit}${often}`;
}

/** Groups the reports by period, in date order. */
function groupByPeriod(table: Table): Report[][] {
  const reports = knownReports(table);
  if (reports.length === 0)
    throw badArgument('table', 'no value has a reporting date or an available date', {
      remedy: 'request it with reporting_history, or with complete_history and show_available_date',
    });
  const periods = groupedBy(reports, periodKey);
  return [...periods.values()].sort((a, b) => a[0]!.startMs - b[0]!.startMs);
}

/** Checks whether values are known only since their import: no report is dated, and all became available on one day. */
export const isOfImport = (reports: readonly Report[]) =>
  reports.every(({ isReported, saidMs }) => !isReported && saidMs === reports[0]!.saidMs);

/** Checks whether a report became available after its date. As-of dates go by when it became available. */
const isLate = ({ saidMs, availableMs }: Report) => availableMs - saidMs >= DAY_MS;

/** Returns a history's reports, except nulls before a period's first value. A later null (NaN) withdraws a value. */
function knownReports(table: Table): Report[] {
  const known = new Set<string>();
  return reportsOf(table).filter((report) => {
    if (!Number.isNaN(report.value)) known.add(periodKey(report));
    return known.has(periodKey(report));
  });
}

const periodKey = ({ startMs, endMs }: Period) => `${startMs} ${endMs}`;

/**
 * Returns a history's values (null as NaN), superseded before superseding values. A value's date is its reporting date
 * or, if it is missing or the value corrects an earlier value of the same report, the day on which it became available.
 * Values that were superseded before their own date, such as corrections of an old report, are left out.
 */
export function reportsOf(table: Table) {
  const [view] = frameSeries(table);
  if (view === undefined) return [];
  const { toPlain } = splitUnit(unitOf(view, readProvenance(table)));
  const rows = frame(table).toRows();
  const all = rows.map(({ start_date, end_date, unit_id, value, reporting_date, available_date }) => ({
    ...{ startMs: Number(start_date), endMs: Number(end_date), unit_id },
    // A missing reporting date counts as the earliest.
    reportedMs: Number(reporting_date ?? -Number.MAX_VALUE),
    availableMs: Number(available_date ?? reporting_date ?? Number.NaN),
    value: toPlain(Number(value ?? Number.NaN)),
  }));
  all.sort((a, b) => a.reportedMs - b.reportedMs || a.availableMs - b.availableMs);
  const seen = new Set<string>();
  const dated = all.flatMap(({ reportedMs, ...report }) => {
    const key = `${periodKey(report)} ${reportedMs}`;
    const isReported = reportedMs !== -Number.MAX_VALUE;
    const isFirst = isReported && !seen.has(key);
    seen.add(key);
    const saidMs = isFirst ? reportedMs : Math.max(reportedMs, report.availableMs);
    return Number.isNaN(saidMs) ? [] : [{ ...report, saidMs, isReported }];
  });
  const supersededMs = new Map<string, number>();
  return dated
    .reverse()
    .filter((report) => {
      const key = periodKey(report);
      const isShown = report.saidMs < (supersededMs.get(key) ?? Number.POSITIVE_INFINITY);
      if (isShown) supersededMs.set(key, report.saidMs);
      return isShown;
    })
    .reverse();
}

/** The maximum number of values in a table of periods by vintages. A larger table would be slow to create. */
const MAX_VALUES = 1_000_000;

/**
 * Returns the values that were reported on each of the latest days with a report (see `reportsOf`). Each row is a period
 * with a value on at least one of these days: NaN for null, or `undefined` if no value was reported on that day.
 * @param history a frame of one series' points from `complete_history`, with available dates. If the unit changes, only
 * values in the first unit are returned.
 * @param max the maximum number of days; by default, as many as add up to a million values
 */
export function triangleOf(history: Table, max?: number) {
  const view = frameSeries(history)[0]!;
  const all = reportsOf(history);
  const days = [...new Set(all.map(({ saidMs }) => formatDay(saidMs)))].sort();
  const inFirstUnit = all.filter(({ unit_id }) => unit_id === view.unit_id);
  const periods = groupedBy(inFirstUnit, periodKey);
  const shown = days.slice(-(max ?? Math.max(1, Math.floor(MAX_VALUES / periods.size))));
  const rows = [...periods.values()].map((vintages) => {
    const byDay = new Map(vintages.map(({ saidMs, value }) => [formatDay(saidMs), value]));
    const [{ startMs: start, endMs: end }] = vintages as [(typeof vintages)[number]];
    return { start, end, values: shown.map((day) => byDay.get(day)) };
  });
  return {
    ...{ total: days.length, shown, isImport: isOfImport(all), hasLate: all.some(isLate) },
    ...{ unit: splitUnit(unitOf(view, readProvenance(history))).unit },
    figures: inFirstUnit.map(({ value }) => value),
    rows: rows
      .filter(({ values }) => values.some((value) => value !== undefined))
      .sort((a, b) => a.start - b.start || a.end - b.end),
  };
}
