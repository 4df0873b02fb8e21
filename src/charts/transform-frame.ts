import { creditOf } from '../frame/display/credit.js';
import { seriesNames } from '../frame/display/shown-series.js';
import { frameOf, type LongFrame } from '../frame/frame.js';
import { buildLong, LONG_COLUMNS } from '../frame/series/build-frame.js';
import { deriveSeries, mapSeries, metadataOfDerived } from '../frame/series/map-series.js';
import { frequencyOf, readSeries, type SeriesPoints } from '../frame/series/series-points.js';
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
import { DERIVATIONS, DERIVED_UNITS, derivedMetricId, hasTrueZero } from '../model/derivations.js';
import type { Frequency, PeriodLength, Unit } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { ofAnyFrequency, seriesKeyText } from '../model/series.js';
import { linesWithValues, readLines, type SeriesLine } from './frame-lines.js';
import { lowerFirst } from './language.js';
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
  const figures = new Map(whole.map((line) => [unitKey(line), line.value]));
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

function formulasOf(views: readonly SeriesView[], units: readonly string[]) {
  if (views.length !== 2) return [];
  const [a, b] = seriesLabels(views.map(seriesNames));
  return FORMULAS.flatMap((formula) => {
    if (formula === 'none' || unitOfFormula(formula, [units[0]!, units[1]!]) === null) return [];
    const { words, isReversed } = readFormula(formula);
    return [[formula, isReversed ? `${b} ${words} ${a}` : `${a} ${words} ${b}`]] as const;
  });
}

/** The wording and computation of each kind of formula. `one` is the left operand and `other` the right. */
const RULES = {
  over: { words: 'per', compute: (one: number, other: number) => (other === 0 ? Number.NaN : one / other) },
  minus: { words: 'minus', compute: (one: number, other: number) => one - other },
  share: {
    words: 'as share of',
    compute: (one: number, other: number) => (other === 0 ? Number.NaN : (100 * one) / other),
  },
} as const;

/** Returns a formula's wording and computation. `isReversed` is true if the second series is the left operand. */
export function readFormula(formula: Exclude<Formula, 'none'>) {
  const kind = formula.includes('minus') ? 'minus' : formula.includes('share') ? 'share' : 'over';
  return { kind, ...RULES[kind], isReversed: formula.startsWith('b') } as const;
}

/** Returns the unit of a formula's result, or null if the two units cannot be combined. */
function unitOfFormula(formula: Exclude<Formula, 'none'>, units: readonly [string, string]): string | null {
  const { kind, isReversed } = readFormula(formula);
  const [one, other] = isReversed ? [units[1], units[0]] : units;
  if (kind === 'minus') return one === other ? one : null;
  if (!hasTrueZero(one) || !hasTrueZero(other)) return null;
  if (kind === 'share') return one === other ? '%' : null;
  if (one === '' || other === '') return null;
  return one === other ? '' : quotient(one, other);
}

/** Divides two units: `t` by `ha` gives `t/ha`, and so do `1000 t` by `1000 ha` and `million t` by `Mha`. */
function quotient(one: string, other: string): string {
  const partsOf = (unit: string) => /^(1000 |M)?(.*?)( \(.*\))?$/.exec(unit.replace(/^million /, 'M'))!;
  const [above, below] = [partsOf(one), partsOf(other)];
  const isOfOneScale = above[1] !== undefined && above[1] === below[1];
  const [up, down] = isOfOneScale ? [above[2]!, below[2]!] : [one.replace(/ \(.*\)$/, ''), other];
  return /[/]/.test(up + down) ? `${up} per ${down}` : `${up}/${down}`;
}

/** Applies a formula to the periods of two series. @throws ArgumentError unless they share periods and units suit it */
function applyFormula(table: LongFrame, formula: Exclude<Formula, 'none'>): LongFrame {
  const all = readSeries(table);
  if (all.length !== 2)
    throw badArgument('formula', `it requires two series with values, but there are ${all.length}`, {
      remedy: 'choose two series',
    });
  const provenance = readProvenance(table);
  const { words, compute, isReversed } = readFormula(formula);
  const units = all.map(({ view }) => unitOf(view, provenance)) as [string, string];
  const shownUnits = units.map((unit) => unit || 'no unit').join(' and ');
  const unit = unitOfFormula(formula, units);
  if (unit === null)
    throw badArgument('formula', `values in ${shownUnits} cannot be combined with this formula`, {
      remedy: 'choose series in the same unit, or convert them',
    });
  const pair: Pair = isReversed ? [all[1]!, all[0]!] : [all[0]!, all[1]!];
  const points = combine(pair, compute);
  if (points.value.length === 0)
    throw badArgument('formula', 'the two series have no period in common', {
      remedy:
        'choose series that have the same frequency and whose years begin in the same month, or resample them',
    });
  const [{ view: one }, { view: other }] = pair;
  const own = toUnit(unit, provenance?.units ?? []);
  const names = namesOfPair(pair, words);
  const derivation = { words: `${words} ${seriesKeyText(other.key)}`, unit: own };
  const derived = deriveSeries({ key: one.key, column: 'value', unit_id: null, names }, derivation);
  derived.names.set('metric_name', names.get('metric_name')!);
  const view = { ...derived, runs: [{ from: 0, to: points.value.length }] };
  const described =
    provenance === null || own === null
      ? table
      : table.withProvenance({ ...provenance, units: [...provenance.units, own] });
  const metadata = metadataOfDerived(described, `formula(${formula})`, [{ from: one, to: view }]);
  return frameOf(buildLong(LONG_COLUMNS, [{ ...points, view }], metadata)) as LongFrame;
}

/** Returns the unit with the given abbreviation, creating it if it is unknown, or null if the abbreviation is empty. */
function toUnit(abbreviation: string, known: readonly Unit[]): Unit | null {
  if (abbreviation === '') return null;
  const found = [...DERIVED_UNITS, ...known].find((unit) => unit.abbreviation === abbreviation);
  const id = derivedMetricId(0, { words: abbreviation });
  const names = { name: abbreviation, namePlural: abbreviation, abbreviation };
  return found ?? { id, ...names, baseConvFactor: { factor: 1 } };
}

type Pair = readonly [one: SeriesPoints, other: SeriesPoints];

function combine([one, other]: Pair, compute: (one: number, other: number) => number) {
  const keyOf = ({ start, end }: SeriesPoints, row: number) => `${start[row]}/${end[row]}`;
  const rowsOfOther = new Map(Array.from(other.value.keys(), (row) => [keyOf(other, row), row]));
  const rows = Int32Array.from([...one.value.keys()].filter((row) => rowsOfOther.has(keyOf(one, row))));
  const take = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]!);
  const value = Float64Array.from(rows, (row) =>
    compute(one.value[row]!, other.value[rowsOfOther.get(keyOf(one, row))!]!),
  );
  return { rows: Int32Array.from(rows.keys()), start: take(one.start), end: take(one.end), value };
}

/** Returns the names that both series share. The metric name also contains `words`, which describe the formula. */
function namesOfPair(pair: Pair, words: string): Map<string, string> {
  const [{ view: one }, { view: other }] = pair;
  const [first, second] = seriesLabels(pair.map(({ view }) => seriesNames(view)));
  const names = new Map(
    [...one.names].map(([name, text]) => [name, other.names.get(name) === text ? text : '']),
  );
  const metric = names.get('metric_name');
  const combined = metric
    ? `${metric}, ${first} ${words} ${second}`
    : `${first} ${words} ${lowerFirst(second!)}`;
  return names.set('metric_name', combined);
}
