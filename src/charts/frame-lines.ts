import type { Table } from 'apache-arrow';
import { creditOf, withDetail } from '../frame/display/credit.js';
import { readSeries } from '../frame/series/series-points.js';
import { readColumn } from '../frame/table/columns.js';
import { readProvenance, sourceKeys } from '../frame/table/provenance.js';
import { frameSeries, seriesNames, unitOf } from '../frame/table/series-view.js';
import { seriesLabels } from '../frame/table/short-labels.js';
import { splitUnit } from '../model/entity.js';
import { FREQUENCIES } from '../model/frequency.js';
import { upperFirst } from '../model/names/first-letter.js';
import { ofAnyFrequency, type SeriesKey } from '../model/series.js';
import type { ChartTexts } from './chart.js';
import { measureName } from './headline.js';
import { distinctLabels, joinTexts, type Line, lineOf } from './lines.js';

export interface SeriesLine extends Line {
  /** The series key. A derived series keeps the key of its source series. */
  readonly key: SeriesKey;
  readonly place: string;
}

/** Returns a frame's series as lines, in order of appearance. A series with values in two units becomes two lines. */
export function readLines(table: Table): SeriesLine[] {
  const provenance = readProvenance(table);
  const sourceOf = sourceKeys(table);
  const series = readSeries(table);
  const names = series.map(({ view }) => seriesNames(view));
  const short = seriesLabels(names);
  const plain = series.map(({ view }) => splitUnit(unitOf(view, provenance)));
  const units = plain.map(({ unit }) => unit);
  const isOfUnits = new Set(units).size > 1 && new Set(short).size < short.length;
  const distinct = distinctLabels(
    short.map((label, at) => (isOfUnits ? withUnitLabel(label, units[at]!) : label)),
  );
  return series.map(({ view, ...points }, at) => {
    const [metric, item, region] = names[at]!;
    const texts = { label: distinct[at]!, metric, item, region, unit: units[at]! };
    const frequency = FREQUENCIES.find(({ id }) => id === view.key.frequency_id);
    const key = sourceOf(view.key);
    const value = points.value.map(plain[at]!.toPlain);
    return { ...lineOf({ ...points, value }, texts, frequency), key, place: ofAnyFrequency(key) };
  });
}

export function linesWithValues(table: Table): SeriesLine[] {
  return readLines(table).filter(({ value }) => value.some((one) => !Number.isNaN(one)));
}

/** Appends a unit to a label, or `no unit` if the unit is empty. */
export function withUnitLabel(text: string, unit: string): string {
  return withDetail(text, unit || 'no unit');
}

const MAX_MEASURES = 3;

/** Returns a chart's title, subtitle with notes, and source: by default, the shared names and measures, and the sources. */
export function frameTexts<Options extends ChartTexts>(
  table: Table,
  options: Options,
  notes: readonly string[] = [],
) {
  const views = frameSeries(table);
  const names = views.map(seriesNames);
  const [frequency, ...common] = [4, 0, 1, 2, 3].map((place) => {
    const distinct = new Set(names.map((one) => one[place]!));
    return distinct.size === 1 ? [...distinct][0] : '';
  });
  const measures = [...new Set(names.map(([metric, item]) => measureName({ metric, item })))];
  const [listed, left] = [measures.slice(0, MAX_MEASURES).join(', '), measures.length - MAX_MEASURES];
  // If there are several measures, their names replace the metric or item that all series share.
  const shared =
    measures.length < 2
      ? common
      : [upperFirst(left > 0 ? `${listed} and ${left} more` : listed), ...common.slice(2)];
  const title = joinTexts(shared) || 'Series';
  return {
    ...options,
    title: options.title ?? title,
    subtitle: joinTexts([options.subtitle ?? frequency, ...notes]),
    source: options.source ?? creditOf(table),
  };
}

/** Returns a note on how many periods of a weighted average lack values for some regions; empty if there are none. */
export function weightNote(table: Table): string {
  if (!table.schema.fields.some(({ name }) => name === 'weight_present')) return '';
  const present = readColumn(table, 'weight_present', 'float64').values;
  // The comparison has a tolerance, because the sum of rounded weights can be slightly less than 1.
  const lacking = present.filter((weight) => weight < 1 - 1e-9);
  if (lacking.length === 0) return '';
  const percent = Math.floor(Math.min(...lacking) * 100);
  return `${lacking.length} of ${present.length} periods have regions without a value (at least ${percent}% of the weight has a value)`;
}
