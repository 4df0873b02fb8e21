import type { Table } from 'apache-arrow';
import { readEpochs } from '../columns/series-dates.js';
import { creditOf } from '../frame/display/credit.js';
import { seriesNames } from '../frame/display/shown-series.js';
import { frameOf, type LongFrame } from '../frame/frame.js';
import { mapSeries } from '../frame/series/map-series.js';
import { frequencyOf, readSeries } from '../frame/series/series-points.js';
import { readColumn } from '../frame/table/columns.js';
import { readProvenance, sourceKeys } from '../frame/table/provenance.js';
import { frameSeries, type SeriesView, unitOf } from '../frame/table/series-view.js';
import { seriesLabels } from '../frame/table/short-labels.js';
import {
  defaultAggregation,
  type Every,
  type Formula,
  type How,
  RESAMPLED,
  type Scale,
} from '../model/chart-choices.js';
import { DERIVATIONS } from '../model/derivations.js';
import type { PeriodLength } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { ofAnyFrequency, type SeriesKey } from '../model/series.js';
import { endOfDay } from '../model/time.js';
import { applyFormula } from './formula.js';
import { withUnitLabel } from './frame-texts.js';
import { distinctLabels, isOfTradingDays, type Line, nearestFrequency, spanOf } from './lines.js';

/** The values of one series in one unit, in date order. */
export interface SeriesLine extends Line {
  /** The series key. A derived series has the key of its source series. */
  readonly key: SeriesKey;
}

/** Returns a frame's series as lines, in order of appearance. A series with values in two units becomes two lines. */
export function readLines(table: Table): SeriesLine[] {
  const provenance = readProvenance(table);
  const sourceOf = sourceKeys(table);
  const series = readSeries(table);
  const names = series.map(({ view }) => seriesNames(view));
  const labels = seriesLabels(names);
  const units = series.map(({ view }) => unitOf(view, provenance));
  const short = labels.map(({ label }) => label);
  const isOfUnits = new Set(units).size > 1 && new Set(short).size < short.length;
  const distinct = distinctLabels(
    short.map((label, at) => (isOfUnits ? withUnitLabel(label, units[at]!) : label)),
  );
  return series.map(({ view: { key }, start, end, value }, at) => {
    const [metric, item, region] = names[at]!;
    const frequency = FREQUENCIES.find(({ id }) => id === key.frequency_id) ?? nearestFrequency(end);
    return {
      key: sourceOf(key),
      label: distinct[at]!,
      fullLabel: labels[at]!.fullLabel,
      metric,
      item,
      region,
      place: ofAnyFrequency(sourceOf(key)),
      start,
      end,
      value,
      unit: units[at]!,
      periodDays: periodDays(frequency),
      isOfTradingDays: isOfTradingDays({ start, value }),
    };
  });
}

export interface FrameChoices {
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly every?: Every | null | undefined;
  /** How to aggregate values to longer periods. If null, amounts are summed and other values are averaged. */
  readonly how?: How | null | undefined;
  readonly scale: Scale;
  readonly formula: Formula;
  readonly periods: number;
}

/**
 * Transforms a frame for display and download. It resamples the series, applies the formula, compares years or averages
 * periods, keeps only the requested dates, and scales the values to an index. Returns the frame, its lines and the
 * credit line for its sources.
 */
export function transformFrame(
  table: LongFrame,
  { from, to, every, how, scale, formula, periods }: FrameChoices,
): { readonly frame: LongFrame; readonly lines: readonly SeriesLine[]; readonly credit: string } {
  let frame = table;
  const hows = new Map<string, How>();
  if (every != null) {
    const provenance = readProvenance(table);
    const howOf = (view: SeriesView) => {
      const [metric, item] = seriesNames(view);
      const chosen = how ?? defaultAggregation({ metric, item, unit: unitOf(view, provenance) });
      hows.set(ofAnyFrequency(view.key), chosen);
      return chosen;
    };
    frame = frame.resample({ to: RESAMPLED[every], how: howOf });
  }
  if (formula !== 'none') frame = applyFormula(frame, formula);
  if (scale === 'yoy' || scale === 'change')
    frame = frame.yearOverYear({ as: scale === 'yoy' ? 'percent' : 'change' });
  if (scale === 'mean') frame = frame.rollingMean({ window: windowOf(frame, periods), min_values: periods });
  if (from != null || to != null)
    frame = frame.filter({ start_date: from ?? undefined, end_date: to == null ? undefined : endOfDay(to) });
  if (scale === 'index') frame = toIndex(frame);
  // A headline already says how its values were derived, except for rolling means and formulas.
  const isSaid = scale !== 'mean' && formula === 'none';
  const metrics = new Map(
    isSaid ? frameSeries(table).map((view) => [ofAnyFrequency(view.key), seriesNames(view)[0]]) : [],
  );
  const lines = linesWithValues(frame).map((line) => ({
    ...line,
    metric: metrics.get(ofAnyFrequency(line.key)) ?? line.metric,
    how: hows.get(ofAnyFrequency(line.key)) ?? null,
  }));
  return { frame, lines, credit: creditOf(formula === 'none' ? frame : table) };
}

/**
 * Returns the combined length of the given number of periods at the frame's frequency.
 * @throws ArgumentError if the frame's series have different frequencies
 */
function windowOf(table: LongFrame, periods: number): PeriodLength {
  const [length, ...others] = new Set(frameSeries(table).map((view) => frequencyOf(view).periodLength));
  if (length === undefined || others.length > 0)
    throw badArgument('scale', 'a mean of several periods requires series with the same frequency', {
      remedy: 'resample them first',
    });
  return Object.fromEntries(Object.entries(length).map(([unit, count]) => [unit, count * periods]));
}

export function linesWithValues(frame: LongFrame): SeriesLine[] {
  return readLines(frame).filter(({ value }) => value.some((one) => !Number.isNaN(one)));
}

/** Returns the first and last day of a frame's points as UTC milliseconds, or null if there are no points. */
export function extentOf(table: LongFrame): { fromMs: number; toMs: number } | null {
  if (table.numRows === 0) return null;
  const datesOf = (name: string) => readEpochs(readColumn(table, name, 'timestamp').values);
  const [fromMs, toMs] = spanOf([datesOf('start_date'), datesOf('end_date')], () => 0);
  return { fromMs, toMs };
}

/** Scales each series so that its first value is 100. */
function toIndex(table: LongFrame): LongFrame {
  const indexed = mapSeries(table, { step: 'index', derivation: DERIVATIONS.index() }, ({ value }) =>
    value.map((one) => (value[0] === 0 ? Number.NaN : (one / value[0]!) * 100)),
  );
  return frameOf(indexed);
}
