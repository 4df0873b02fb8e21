import { BEYOND, CONTINUOUS, type Equivalents, OUTSIDE, PLACED, SHARED, SLOWER } from './equivalent.js';

export const FRAME: Equivalents = {
  'src/frame/build/date-axis.ts': [
    {
      line: 'return grid === null ? mergedAxis(spans) : gridAxis(spans, grid);',
      changes: ['grid === null → true'],
      reason: SLOWER,
    },
  ],
  'src/frame/build/date-span.ts': [
    {
      line: 'for (const { from, to } of spans) longest = Math.max(longest, to - from);',
      changes: ['to - from → to + from'],
      reason: 'more memory than the spans need',
    },
    {
      line: 'for (let i = 0; i < target.length; i++) target[i] = epochAt(words, from + i);',
      changes: ['i < target.length → i <= target.length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < target.length; i++) target[i] = ends[from + i]! * DAY_MS;',
      changes: ['i < target.length → i <= target.length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < target.length; i++) target[i] = firstMs + (from + i) * stepMs;',
      changes: ['i < target.length → i <= target.length'],
      reason: BEYOND,
    },
    {
      line: 'if (at + count > dates.length) return false;',
      changes: ['at + count > dates.length → false', 'at + count → at - count'],
      reason: OUTSIDE,
    },
  ],
  'src/frame/build/day-grid.ts': [
    {
      line: 'if (!(days instanceof Int32Array)) regular.set(span, days);',
      changes: ['!(days instanceof Int32Array) → false'],
      reason: SLOWER,
    },
    {
      line: 'if (isUnbroken(words, days.length)) return { first, step: 1, count: days.length };',
      changes: ['isUnbroken(words, days.length) → false'],
      reason: SLOWER,
    },
    {
      line: 'function isUnbroken(words: Int32Array, count: number): boolean {',
      changes: ['{ let expected = epochAt(words, 0); for (let i = 1; i < coun… → {}'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 1; i < count; i++) {',
      changes: ['i < count → i <= count', 'i++ → i--'],
      reason: SLOWER,
    },
    {
      line: 'if (epochAt(words, i) !== expected) return false;',
      changes: ['epochAt(words, i) !== expected → true'],
      reason: SLOWER,
    },
    { line: 'return true;', changes: ['true → false'], reason: SLOWER },
    { line: 'if (day < min) min = day;', changes: ['day < min → day <= min'], reason: CONTINUOUS },
    { line: 'else if (day > max) max = day;', changes: ['day > max → day >= max'], reason: CONTINUOUS },
    {
      line: 'else if (days.step === 1) present.fill(1, days.first, days.first + days.count);',
      changes: ['days.step === 1 → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < days.length; i++) rows[i] = rowOfDay[days[i]!]!;',
      changes: ['i < days.length → i <= days.length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < days.count; i++) rows[i] = rowOfDay[days.first + i * days.step]!;',
      changes: ['i < days.count → i <= days.count'],
      reason: BEYOND,
    },
  ],
  'src/frame/build/merged-axis.ts': [
    {
      line: 'for (let row = 0; row < sorted.length; row++) setEpoch(words, row, sorted[row]!);',
      changes: ['row < sorted.length → row <= sorted.length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < wanted.length; i++) {',
      changes: ['i < wanted.length → i <= wanted.length'],
      reason: BEYOND,
    },
    {
      line: 'if (isWindow(span, sorted, lowerBound(sorted, firstDate(span)))) continue;',
      changes: ['isWindow(span, sorted, lowerBound(sorted, firstDate(span))) → false'],
      reason: SLOWER,
    },
    {
      line: 'if (unseen.length > sorted.length) {',
      changes: [
        'unseen.length > sorted.length → true',
        'unseen.length > sorted.length → false',
        'unseen.length > sorted.length → unseen.length >= sorted.length',
        'unseen.length > sorted.length → unseen.length <= sorted.length',
        '{ sorted = mergeDistinct(sorted, unseen); unseen = []; } → {}',
      ],
      reason: SLOWER,
    },
    {
      line: 'if (next === sorted.length || sorted[next] !== date) unseen.push(date);',
      changes: [
        'next === sorted.length || sorted[next] !== date → true',
        'next === sorted.length → false',
        'next === sorted.length → next !== sorted.length',
      ],
      reason: SLOWER,
    },
    {
      line: 'let at = near < sorted.length && sorted[near]! <= date ? near : lowerBound(sorted, date);',
      changes: [
        'near < sorted.length && sorted[near]! <= date → false',
        'near < sorted.length → near >= sorted.length',
        'sorted[near]! <= date → sorted[near]! < date',
      ],
      reason: SLOWER,
    },
    {
      line: 'let at = near < sorted.length && sorted[near]! <= date ? near : lowerBound(sorted, date);',
      changes: ['near < sorted.length → true', 'near < sorted.length → near <= sorted.length'],
      reason: OUTSIDE,
    },
    {
      line: 'while (at < sorted.length && sorted[at]! < date) at++;',
      changes: ['at < sorted.length → true', 'at < sorted.length → at <= sorted.length'],
      reason: OUTSIDE,
    },
    {
      line: 'return all.filter((date, i) => date !== all[i - 1]);',
      changes: ['i - 1 → i + 1'],
      reason: 'of equal dates the last is kept instead of the first',
    },
  ],
  'src/frame/build/scatter.ts': [
    {
      line: 'if (at >= 0) for (let i = 0; i < span.to - span.from; i++) scratch.rows[i] = at + i;',
      changes: [
        'i < span.to - span.from → i <= span.to - span.from',
        'span.to - span.from → span.to + span.from',
      ],
      reason: BEYOND,
    },
    { line: 'if (!isShared) values.set(run, first);', changes: ['!isShared → true'], reason: SHARED },
    {
      line: 'if (run.length === length && points.value_valid === null) return { values, valid: null, dropped: 0 };',
      changes: ['run.length === length && points.value_valid === null → false'],
      reason: SLOWER,
    },
    { line: 'if (!isShared) blankNulls(values, valid);', changes: ['!isShared → true'], reason: SHARED },
    { line: 'const whole = states.length & ~7;', changes: ['~7 → 7'], reason: SLOWER },
    {
      line: 'for (let row = 0; row < whole; row += 8) {',
      changes: ['row < whole → row <= whole'],
      reason: 'the rows of the last byte are written bit by bit as well',
    },
    {
      line: 'for (let bit = 0; bit < 8; bit++) bits |= (states[row + bit]! >> 1) << bit;',
      changes: ['bit < 8 → bit <= 8'],
      reason: 'a byte has no ninth bit',
    },
    {
      line: 'for (let row = whole; row < states.length; row++) if (states[row] === VALUE) setBit(valid, row);',
      changes: ['row < states.length → row <= states.length'],
      reason: BEYOND,
    },
  ],
  'src/frame/build/wide.ts': [
    {
      line: "const runs = planRuns(series, batches.flatMap(rangesOf), 'saved');",
      changes: ['\'saved\' → ""'],
      reason: PLACED,
    },
    {
      line: "columns.push(...planColumns(series, planRuns(series, packedRanges(runs), 'saved')));",
      changes: ['\'saved\' → ""'],
      reason: PLACED,
    },
    {
      line: 'if (i < to && unit_id[i] === unit_id[first]) continue;',
      changes: ['i < to && unit_id[i] === unit_id[first] → false'],
      reason: SLOWER,
    },
    {
      line: 'column.spans = [];',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'the spans are not read again: this lets go of their points',
    },
  ],
};
