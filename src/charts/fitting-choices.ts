import { seriesNames } from '../frame/display/shown-series.js';
import type { LongFrame } from '../frame/frame.js';
import { readColumn } from '../frame/table/columns.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries, unitOf } from '../frame/table/series-view.js';
import { seriesLabels } from '../frame/table/short-labels.js';
import { type Every, FORMULAS, type Formula, RESAMPLED, SCALES, type Scale } from '../model/chart-choices.js';
import { hasTrueZero } from '../model/derivations.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { readFormula, unitOfFormula } from './formula.js';
import { isAnnual } from './lines.js';

/** The scales and formulas that suit a frame's series, with a label for each formula. */
export interface FittingChoices {
  readonly scales: readonly Scale[];
  readonly formulas: readonly (readonly [formula: Formula, text: string])[];
}

/** Series with shorter periods than this can be smoothed by a mean over several days. */
const MAX_FINE_DAYS = 8;

/** Returns the scales and formulas that suit a long frame's series after resampling to `every`. */
export function fittingChoices(table: LongFrame, every: Every | null): FittingChoices {
  const provenance = readProvenance(table);
  const views = frameSeries(table);
  const units = views.map((view) => unitOf(view, provenance));
  const lengths = views.map(({ key }) => {
    const frequency = FREQUENCIES.find(({ id, name }) =>
      every === null ? id === key.frequency_id : name === RESAMPLED[every],
    );
    return frequency === undefined ? 1 : periodDays(frequency);
  });
  const hasZero = units.every(hasTrueZero);
  const isOfDays = lengths.every((days) => days < MAX_FINE_DAYS);
  const hasCourse = lengths.some((periodDays) => !isAnnual({ periodDays }));
  const isOneUnit = new Set(units).size === 1;
  const isPositive = () => readColumn(table, 'value', 'float64').values.every((value) => value > 0);
  const fits: Readonly<Record<Scale, boolean>> = {
    auto: true,
    normal: true,
    zero: hasZero,
    log: hasZero && isPositive(),
    smooth: isOfDays,
    mean: new Set(lengths).size === 1,
    usual: hasCourse && views.length === 1,
    index: hasZero,
    change: true,
    yoy: hasZero,
    season: hasCourse && isOneUnit,
  };
  return { scales: SCALES.filter((scale) => fits[scale]), formulas: formulasOf(views, units) };
}

function formulasOf(
  views: ReturnType<typeof frameSeries>,
  units: readonly string[],
): FittingChoices['formulas'] {
  if (views.length !== 2) return [];
  const [a, b] = seriesLabels(views.map(seriesNames)).map(({ label }) => label);
  return FORMULAS.flatMap((formula) => {
    if (formula === 'none' || unitOfFormula(formula, [units[0]!, units[1]!]) === null) return [];
    const { words, isReversed } = readFormula(formula);
    return [[formula, isReversed ? `${b} ${words} ${a}` : `${a} ${words} ${b}`]] as const;
  });
}
