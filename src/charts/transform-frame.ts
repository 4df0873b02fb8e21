import { rowsWhere } from '../columns/row-runs.js';
import { readEpochs } from '../columns/series-dates.js';
import { creditOf } from '../frame/display/credit.js';
import { seriesNames } from '../frame/display/shown-series.js';
import { frameOf, type LongFrame } from '../frame/frame.js';
import { mapSeries } from '../frame/series/map-series.js';
import { frequencyOf } from '../frame/series/series-points.js';
import { takeTable } from '../frame/table/build-table.js';
import { readColumn } from '../frame/table/columns.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries, type SeriesView, unitOf } from '../frame/table/series-view.js';
import { seriesLabels } from '../frame/table/short-labels.js';
import {
  defaultAggregation,
  EVERY,
  type Every,
  FORMULAS,
  type Formula,
  type How,
  RESAMPLED,
  SCALES,
  type Scale,
} from '../model/chart-choices.js';
import { DERIVATIONS, hasTrueZero } from '../model/derivations.js';
import type { Frequency, PeriodLength } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { ofAnyFrequency } from '../model/series.js';
import { endOfDay, parseTime } from '../model/time.js';
import { applyFormula, readFormula, unitOfFormula } from './formula.js';
import { linesWithValues } from './frame-lines.js';
import { isAnnual, spanOf } from './lines.js';

interface FrameChoices {
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
) {
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
  if (from != null) frame = frame.filter({ start_date: from });
  if (to != null) frame = endedBy(frame, to);
  if (scale === 'index') frame = toIndex(frame);
  // A headline already says how its values were derived, except for rolling means and formulas.
  const isSaid = scale !== 'mean' && formula === 'none';
  const metrics = new Map(
    isSaid ? frameSeries(table).map((view) => [ofAnyFrequency(view.key), seriesNames(view)[0]]) : [],
  );
  const lines = linesWithValues(frame).map((line) => ({
    ...line,
    metric: metrics.get(line.place) ?? line.metric,
    how: hows.get(line.place) ?? null,
  }));
  const [first] = frameSeries(frame);
  // The unit as stored, which may begin with a number, unlike the unit of the line.
  const unit = first && unitOf(first, readProvenance(frame));
  return { frame, lines, unit, credit: creditOf(formula === 'none' ? frame : table) };
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

/** Keeps the points of periods that end by a day. A period that only begins by then is left out. */
function endedBy(table: LongFrame, day: string): LongFrame {
  const lastMs = parseTime(endOfDay(day), 'to');
  const ends = epochsOf(table, 'end_date');
  const rows = rowsWhere(table.numRows, (row) => ends[row]! <= lastMs);
  return frameOf(takeTable(table, rows, 'filter', { end_date: day })) as LongFrame;
}

const epochsOf = (table: LongFrame, name: string) => readEpochs(readColumn(table, name, 'timestamp').values);

/** Returns the first and last day of a frame's points as UTC milliseconds, or null if there are no points. */
export function extentOf(table: LongFrame): { fromMs: number; toMs: number } | null {
  if (table.numRows === 0) return null;
  const [fromMs, toMs] = spanOf([epochsOf(table, 'start_date'), epochsOf(table, 'end_date')], () => 0);
  return { fromMs, toMs };
}

/** Scales each series so that its first value is 100. */
function toIndex(table: LongFrame): LongFrame {
  const indexed = mapSeries(table, { step: 'index', derivation: DERIVATIONS.index() }, ({ value }) =>
    value.map((one) => (value[0] === 0 ? Number.NaN : (one / value[0]!) * 100)),
  );
  return frameOf(indexed);
}

/** Series with shorter periods than this can be smoothed by a mean over several days. */
const MAX_FINE_DAYS = 8;

/**
 * Returns the scales and formulas that suit a long frame's series after resampling to `every`, with a label for each
 * formula, and the periods to which the series can be resampled.
 */
export function fittingChoices(table: LongFrame, every: Every | null) {
  const provenance = readProvenance(table);
  const views = frameSeries(table);
  const units = views.map((view) => unitOf(view, provenance));
  const daysOf = (isWanted: (frequency: Frequency) => boolean) => {
    const frequency = FREQUENCIES.find(isWanted);
    return frequency === undefined ? 1 : periodDays(frequency);
  };
  const lengths = views.map(({ key }) =>
    daysOf(({ id, name }) => (every === null ? id === key.frequency_id : name === RESAMPLED[every])),
  );
  const hasZero = units.every(hasTrueZero);
  const hasCourse = lengths.some((periodDays) => !isAnnual({ periodDays }));
  const fits: Readonly<Record<Scale, boolean>> = {
    auto: true,
    normal: true,
    zero: hasZero,
    log: hasZero && readColumn(table, 'value', 'float64').values.every((value) => value > 0),
    smooth: lengths.every((days) => days < MAX_FINE_DAYS),
    mean: new Set(lengths).size === 1,
    usual: hasCourse && views.length === 1,
    index: hasZero,
    change: true,
    yoy: hasZero,
    season: hasCourse && new Set(units).size === 1,
  };
  const stored = Math.max(...views.map(({ key }) => daysOf(({ id }) => id === key.frequency_id)));
  const longer = EVERY.filter((one) => daysOf(({ name }) => name === RESAMPLED[one]) >= stored);
  return { scales: SCALES.filter((scale) => fits[scale]), formulas: formulasOf(views, units), longer };
}

function formulasOf(views: readonly SeriesView[], units: readonly string[]) {
  if (views.length !== 2) return [];
  const [a, b] = seriesLabels(views.map(seriesNames));
  return FORMULAS.flatMap((formula) => {
    if (formula === 'none' || unitOfFormula(formula, [units[0]!, units[1]!]) === null) return [];
    const { words, isReversed } = readFormula(formula);
    return [[formula, isReversed ? `${b} ${words} ${a}` : `${a} ${words} ${b}`]] as const;
  });
}
