import {
  BEYOND,
  CHECKED_BEFORE,
  CONTINUOUS,
  type Equivalents,
  NAN_ANYWAY,
  SLOWER,
  VERTICAL,
} from './equivalent.js';

const UNFILLED = 'a gap is never at most undefined, so that the copy has what the columns have';

export const AGRONOMY: Equivalents = {
  'src/agronomy/weights/period-index.ts': [
    {
      line: 'const ends = start === end ? starts : bitsOf(end);',
      changes: ['start === end → false'],
      reason: SLOWER,
    },
    {
      line: 'let previous = -1;',
      changes: ['-1 → +1'],
      reason: SLOWER,
    },
    {
      line: 'const guess = previous + 1 < firstRows.length ? firstRows[previous + 1]! : -1;',
      changes: [
        'previous + 1 < firstRows.length → true',
        'previous + 1 < firstRows.length → false',
        'previous + 1 < firstRows.length → previous + 1 <= firstRows.length',
        'previous + 1 < firstRows.length → previous + 1 >= firstRows.length',
        'previous + 1 → previous - 1',
        'previous + 1 → previous - 1',
      ],
      reason: SLOWER,
    },
    {
      line: 'guess >= 0 && sameTime(starts, guess, row) && (ends === starts || sameTime(ends, guess, row));',
      changes: [
        'guess >= 0 && sameTime(starts, guess, row) && (ends === star… → false',
        'guess >= 0 → true',
        'guess >= 0 → guess > 0',
        'guess >= 0 → guess < 0',
        'ends === starts || sameTime(ends, guess, row) → ends === starts && sameTime(ends, guess, row)',
        'ends === starts → false',
      ],
      reason: SLOWER,
    },
    {
      line: 'function sameTime({ doubles, words }: TimeBits, a: number, b: number): boolean {',
      changes: ['{ if (doubles[a] === doubles[b]) return true; return sameEpo… → {}'],
      reason: SLOWER,
    },
    {
      line: 'if (doubles[a] === doubles[b]) return true;',
      changes: ['doubles[a] === doubles[b] → false', 'true → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let row = 0; row < found.length; row++) found[row] = position[found[row]!]!;',
      changes: ['row < found.length → row <= found.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/weights/row-weights.ts': [
    {
      line: 'while (to + 8 <= at.length && isRunOfEight(at, to, position)) to += 8;',
      changes: [
        'to + 8 <= at.length && isRunOfEight(at, to, position) → false',
        'to + 8 <= at.length → to + 8 < at.length',
      ],
      reason: SLOWER,
    },
    {
      line: 'while (to < at.length && at[to] === position) to++;',
      changes: ['to < at.length && at[to] === position → false'],
      reason: SLOWER,
    },
    {
      line: 'while (to < at.length && at[to] === position) to++;',
      changes: ['to < at.length → true'],
      reason: BEYOND,
    },
    {
      line: 'while (to < at.length && at[to] === position) to++;',
      changes: ['to < at.length → to <= at.length'],
      reason: BEYOND,
    },
    {
      line: 'while (to < at.length && at[to] === position) to++;',
      changes: ['to < at.length → to >= at.length'],
      reason: SLOWER,
    },
    {
      line: 'function isRunOfEight(at: Uint32Array, row: number, position: number): boolean {',
      changes: ['{ const differs = (at[row]! ^ position) | (at[row + 1]! ^ po… → {}'],
      reason: SLOWER,
    },
    {
      line: 'return differs === 0;',
      changes: ['differs === 0 → false'],
      reason: SLOWER,
    },
  ],
  'src/agronomy/weights/shared-periods.ts': [
    {
      line: 'if (length === 0 || region.length % length !== 0) return null;',
      changes: ['length === 0 → false'],
      reason: SLOWER,
    },
    {
      line: 'for (; i + 4 <= count; i += 4) {',
      changes: ['i + 4 <= count → false', 'i + 4 <= count → i + 4 < count'],
      reason: SLOWER,
    },
  ],
  'src/agronomy/weights/sum-across-regions.ts': [
    {
      line: 'for (let row = 0; row < values.length; row++) {',
      changes: ['row < values.length → row <= values.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/weights/weighted-average.ts': [
    {
      line: "weighting_func === undefined && 'weights' in weights ? averageOfBlocks(columns, weights) : null;",
      changes: ["weighting_func === undefined && 'weights' in weights → false"],
      reason: SLOWER,
    },
    {
      line: "weighting_func === undefined && 'weights' in weights ? averageOfBlocks(columns, weights) : null;",
      changes: ['\'weights\' → ""'],
      reason: SLOWER,
    },
    {
      line: 'if (shared !== null) {',
      changes: ['shared !== null → false', '{ finishAverage(shared, renormalise); return shared; } → {}'],
      reason: SLOWER,
    },
    {
      line: 'if (columns.value_valid !== null) return null;',
      changes: ['columns.value_valid !== null → true'],
      reason: SLOWER,
    },
    {
      line: 'if (shared === null) return null;',
      changes: ['shared === null → true'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < values.length; i++) {',
      changes: ['i < values.length → i <= values.length'],
      reason: BEYOND,
    },
    {
      line: 'if (Number.isNaN(addend) || (value_valid !== null && !isValid(value_valid, row))) continue;',
      changes: ['value_valid !== null → true'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < value.length; i++) {',
      changes: ['i < value.length → i <= value.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/weights/weighted-series.ts': [
    {
      line: 'if (columns.value_valid !== null) setInvalidToNaN(out, columns.value_valid);',
      changes: ['columns.value_valid !== null → true'],
      reason: SLOWER,
    },
    {
      line: 'for (; row + 8 <= to; row += 8) {',
      changes: ['row + 8 <= to → false', 'row + 8 <= to → row + 8 < to'],
      reason: SLOWER,
    },
    {
      line: 'for (let row = 0; row < weighted.length; row++) if (!isValid(valid, row)) weighted[row] = Number.NaN;',
      changes: ['row < weighted.length → row <= weighted.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/weights/weights.ts': [
    {
      line: 'if (!weights.some((_, region) => isMissing(region))) return weights;',
      changes: ['!weights.some((_, region) => isMissing(region)) → false'],
      reason: 'without a missing mean the share is 1',
    },
    {
      line: "const from = options.start_date === undefined ? null : BigInt(parseTime(options.start_date, 'start_date'));",
      changes: ['\'start_date\' → ""'],
      reason: CHECKED_BEFORE,
    },
    {
      line: "const to = options.end_date === undefined ? null : BigInt(parseTime(options.end_date, 'end_date'));",
      changes: ['\'end_date\' → ""'],
      reason: CHECKED_BEFORE,
    },
    {
      line: 'for (let row = 0; row < region.length; row++) {',
      changes: ['row < region.length → row <= region.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/accumulation.ts': [
    {
      line: 'for (let i = 0; i < daily.length; i++) {',
      changes: ['i < daily.length → i <= daily.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/corn-heat-units.ts': [
    {
      line: 'for (let i = 0; i < daily.length; i++) {',
      changes: ['i < daily.length → i <= daily.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/day-waves.ts': [
    {
      line: 'if (Number.isNaN(mean)) return Number.NaN;',
      changes: ['Number.isNaN(mean) → false'],
      reason: NAN_ANYWAY,
    },
    {
      line: 'if (high <= base) return 0;',
      changes: ['high <= base → high < base'],
      reason: CONTINUOUS,
    },
    {
      line: 'if (low >= cap) return atCap - slope * (mean - cap);',
      changes: ['low >= cap → low > cap'],
      reason: CONTINUOUS,
    },
    {
      line: 'const aboveBase = low >= base ? mean - base : above(low, high, base);',
      changes: ['low >= base → low > base'],
      reason: CONTINUOUS,
    },
    {
      line: 'if (high <= cap) return aboveBase;',
      changes: ['high <= cap → high < cap'],
      reason: CONTINUOUS,
    },
    {
      line: 'return shareLoss === 0 ? capped : capped - shareLoss * shareAbove(low, high, cap);',
      changes: ['shareLoss === 0 → false'],
      reason: SLOWER,
    },
  ],
  'src/agronomy/degree-days/degree-days.ts': [
    {
      line: "const startMs = options.start === undefined ? null : parseTime(options.start, 'start');",
      changes: ['\'start\' → ""'],
      reason: CHECKED_BEFORE,
    },
    {
      line: "const filled = typeof missing === 'object' ? fillColumns(columns, missing.interpolate) : columns;",
      changes: ["typeof missing === 'object' → true"],
      reason: UNFILLED,
    },
    {
      line: 'for (let i = 0; i < tmin.length; i++) if (tmin[i]! > tmax[i]!) inverted++;',
      changes: ['i < tmin.length → i <= tmin.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/kernels.ts': [
    {
      line: 'if (temperature <= base) return 0;',
      changes: ['temperature <= base → temperature < base'],
      reason: CONTINUOUS,
    },
    {
      line: 'return temperature < cap ? temperature - base : atCap - slope * (temperature - cap);',
      changes: [
        'temperature < cap → temperature <= cap',
        'atCap - slope * (temperature - cap) → atCap + slope * (temperature - cap)',
        'slope * (temperature - cap) → slope / (temperature - cap)',
        'temperature - cap → temperature + cap',
      ],
      reason: VERTICAL,
    },
    {
      line: 'export function hasMeanSum(plan: DegreeDayPlan): boolean {',
      changes: ["{ return plan.shape === 'mean' && isContinuous(plan); } → {}"],
      reason: SLOWER,
    },
    {
      line: "return plan.shape === 'mean' && isContinuous(plan);",
      changes: ["plan.shape === 'mean' && isContinuous(plan) → false", '\'mean\' → ""'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < count; i++) {',
      changes: ['i < count → i <= count'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < count; i++) {',
      changes: ['i < count → i <= count'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < count; i++) out[at + i] = day(tmin[from + i]!, tmax[from + i]!);',
      changes: ['i < count → i <= count'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < count; i++) {',
      changes: ['i < count → i <= count'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/matrix-sums.ts': [
    {
      line: 'for (let region = 0; region < regions; region++) {',
      changes: ['region < regions → region <= regions'],
      reason: BEYOND,
    },
    {
      line: 'for (let region = 0; region < totals.length; region++) {',
      changes: ['region < totals.length → region <= totals.length'],
      reason: BEYOND,
    },
    {
      line: 'if (plan.double) fillDoubleRow(run, plan, target);',
      changes: ['plan.double → true'],
      reason: SLOWER,
    },
    {
      line: 'const isFused = sums.daily === null && hasMeanSum(plan);',
      changes: ['sums.daily === null && hasMeanSum(plan) → false'],
      reason: SLOWER,
    },
  ],
  'src/agronomy/degree-days/matrix.ts': [
    {
      line: "const matrix = typeof missing === 'object' ? fillMatrix(input, shape, missing.interpolate) : input;",
      changes: ["typeof missing === 'object' → true"],
      reason: UNFILLED,
    },
    {
      line: 'for (let region = 0; region < regions; region++) {',
      changes: ['region < regions → region <= regions'],
      reason: BEYOND,
    },
    {
      line: 'const days_counted = matrix === input ? sums.present : countPresent(input, shape);',
      changes: ['matrix === input → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < tmin.length; i++) {',
      changes: ['i < tmin.length → i <= tmin.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/missing-days.ts': [
    {
      line: 'let known = -1;',
      changes: ['-1 → +1'],
      reason: 'before the first known value nothing is filled, whatever stands there: it is NaN',
    },
    {
      line: 'if (known >= 0 && gap > 0 && gap <= maxGap) {',
      changes: ['gap > 0 → true', 'gap > 0 → gap >= 0'],
      reason: 'a gap of no days is filled with nothing',
    },
    {
      line: 'for (let i = 0; i < tmin.length; i++) if (!Number.isNaN(tmin[i]! + tmax[i]!)) counted++;',
      changes: ['i < tmin.length → i <= tmin.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/temperature-column.ts': [
    {
      line: 'for (let i = 0; i < chunk.length; i++) {',
      changes: ['i < chunk.length → i <= chunk.length'],
      reason: BEYOND,
    },
  ],
  'src/agronomy/degree-days/climatology.ts': [
    {
      line: "const startMs = parseTime(start, 'start');",
      changes: ['\'start\' → ""'],
      reason: CHECKED_BEFORE,
    },
    {
      line: "if (formatDay(parseTime(start, 'start')).slice(5) !== first.start.slice(5, 10)) {",
      changes: ['\'start\' → ""'],
      reason: CHECKED_BEFORE,
    },
    {
      line: 'if (sample.length === 0) return;',
      changes: ['sample.length === 0 → false'],
      reason: NAN_ANYWAY,
    },
  ],
  'src/agronomy/degree-days/date-of-threshold.ts': [
    {
      line: "return { date: formatDay(parseTime(start, 'start') + i * DAY_MS), days: i - first + 1, accumulated };",
      changes: ['\'start\' → ""'],
      reason: CHECKED_BEFORE,
    },
  ],
  'src/agronomy/degree-days/plan.ts': [
    {
      line: "'mcmaster-wilhelm-2': { shape: 'extremes', double: false },",
      changes: ["{ shape: 'extremes', double: false } → {}", '\'extremes\' → ""'],
      reason: 'a shape that is none of the others counts by the extremes',
    },
    {
      line: "return { ...planDegreeDays({ method, cutoff: 'none', base: Number.MAX_VALUE, cap: null }), atCap: 0 };",
      changes: ['\'none\' → ""'],
      reason: 'the plan only looks for the other cut-offs',
    },
  ],
  'src/agronomy/degree-days/seasons.ts': [
    {
      line: "const startMs = parseTime(start, 'start');",
      changes: ['\'start\' → ""'],
      reason: CHECKED_BEFORE,
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the code as it stands
      line: "firstMs: parseTime(`${year}-${from}`, 'from'),",
      changes: ['\'from\' → ""'],
      reason: CHECKED_BEFORE,
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the code as it stands
      line: "lastMs: parseTime(`${to < from ? year + 1 : year}-${to}`, 'to'),",
      changes: ['\'to\' → ""'],
      reason: CHECKED_BEFORE,
    },
  ],
};
