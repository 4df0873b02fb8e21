import { FORMULAS, type Formula } from '../../model/chart-choices.js';
import { DERIVED_UNITS, derivedMetricId, hasTrueZero } from '../../model/derivations.js';
import type { Unit } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { lowerFirst } from '../../model/names/first-letter.js';
import { seriesKeyText } from '../../model/series.js';
import { frameOf, type LongFrame } from '../frame.js';
import { readProvenance } from '../table/provenance.js';
import { type SeriesView, seriesNames, unitOf } from '../table/series-view.js';
import { seriesLabels } from '../table/short-labels.js';
import { buildLong, LONG_COLUMNS } from './build-frame.js';
import { deriveSeries, metadataOfDerived } from './map-series.js';
import { readSeries, type SeriesPoints } from './series-points.js';

/** Returns the formulas that suit two series, each with a label such as `Iowa per Ohio`; none for other numbers of series. */
export function formulasOf(views: readonly SeriesView[], units: readonly string[]) {
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
export function applyFormula(table: LongFrame, formula: Exclude<Formula, 'none'>): LongFrame {
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
