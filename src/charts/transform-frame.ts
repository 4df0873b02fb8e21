import { creditOf } from '../frame/display/credit.js';
import { frameOf, type LongFrame } from '../frame/frame.js';
import { applyFormula, formulasOf } from '../frame/series/formula.js';
import { mapSeries } from '../frame/series/map-series.js';
import { frequencyOf } from '../frame/series/series-points.js';
import { readColumn } from '../frame/table/columns.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries, type SeriesView, seriesNames, unitOf } from '../frame/table/series-view.js';
import {
  defaultAggregation,
  EVERY,
  type Every,
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
import { ofAnyFrequency, seriesKeyText } from '../model/series.js';
import { linesWithValues, readLines, type SeriesLine } from './frame-lines.js';
import { derivedFigures } from './language.js';
import { isAnnual, TENTHS } from './lines.js';
import { usualYearLines } from './years.js';

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

/** Transforms a frame. Returns the new frame, its lines, the table's lines, the lines of all dates, and the credit. */
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
  const window = scale === 'mean' ? windowOf(frame, periods) : undefined;
  if (window !== undefined) frame = frame.rollingMean({ window, min_values: periods });
  const whole = readLines(frame);
  // The digits of a series do not depend on the dates shown.
  const isOfStored = formula === 'none' && scale !== 'yoy' && (every != null || scale === 'mean');
  const stored = new Map((isOfStored ? readLines(table) : []).map(({ place, value }) => [place, value]));
  const figuresIn = ({ place, value }: SeriesLine) => {
    const how = scale === 'mean' ? scale : (hows.get(place) ?? 'last');
    return how === 'last' ? value : derivedFigures(value, stored.get(place) ?? value, how);
  };
  const figures = new Map(whole.map((line) => [unitKey(line), isOfStored ? figuresIn(line) : line.value]));
  if (from != null) frame = frame.filter({ start_date: from });
  if (to != null) frame = frame.filter({ end_date: to });
  if (scale === 'index') frame = toIndex(frame);
  // A headline already says how its values were derived, except for rolling means and formulas.
  const isSaid = scale !== 'mean' && formula === 'none';
  const metrics = new Map(
    isSaid ? frameSeries(table).map((view) => [ofAnyFrequency(view.key), seriesNames(view)[0]]) : [],
  );
  const lines = linesWithValues(frame).map((line) => ({
    ...line,
    metric: metrics.get(line.place) ?? line.metric,
    derived: line.metric,
    how: hows.get(line.place) ?? null,
    figures: scale === 'index' ? TENTHS : figures.get(unitKey(line)),
  }));
  const [first] = frameSeries(frame);
  // The stored unit, which may begin with a number, unlike the line's unit.
  const unit = first && unitOf(first, readProvenance(frame));
  const rows = scale === 'usual' ? usualYearLines(lines) : lines;
  const credit = creditOf(formula === 'none' ? frame : table);
  return { frame, lines, rows, unit, window, whole, credit };
}

const unitKey = ({ key, unit }: SeriesLine) => `${seriesKeyText(key)} ${unit}`;

/** Returns the length of several periods. @throws ArgumentError if the frame's series have different frequencies */
function windowOf(table: LongFrame, periods: number): PeriodLength {
  const [length, ...others] = new Set(frameSeries(table).map((view) => frequencyOf(view).periodLength));
  if (length === undefined || others.length > 0)
    throw badArgument('scale', 'a mean of several periods requires series with the same frequency', {
      remedy: 'resample them first',
    });
  return Object.fromEntries(Object.entries(length).map(([unit, count]) => [unit, count * periods]));
}

function toIndex(table: LongFrame): LongFrame {
  const indexed = mapSeries(table, { step: 'index', derivation: DERIVATIONS.index() }, ({ value }) =>
    value.map((one) => (value[0] === 0 ? Number.NaN : (one / value[0]!) * 100)),
  );
  return frameOf(indexed);
}

/** Series with shorter periods than this can be smoothed with a mean over several days. */
const MAX_FINE_DAYS = 8;

/** Returns the scales, formulas (with labels) and longer periods that suit the series after resampling to `every`. */
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
