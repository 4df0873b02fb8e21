import { BEYOND, type Equivalents, NEVER_EMPTY, NOT_ZERO, OVERWRITTEN, SLOWER, TIED } from './equivalent.js';

const EARLIER_ROOM = 'room for more keys is made earlier, or in more steps';
const OTHER_HASH = 'all keys get another hash, by which the same are found';

export const COLUMNS: Equivalents = {
  'src/columns/bitmap.ts': [
    {
      line: 'while (i < to && (i & 7) !== 0) setBit(bitmap, i++);',
      changes: ['(i & 7) !== 0 → true'],
      reason: SLOWER,
    },
    {
      line: 'const wholeEnd = i + ((to - i) & ~7);',
      changes: ['i + ((to - i) & ~7) → i - (to - i & ~7)'],
      reason: SLOWER,
    },
    {
      line: 'if (wholeEnd > i) bitmap.fill(0xff, i >> 3, wholeEnd >> 3);',
      changes: ['wholeEnd > i → true', 'wholeEnd > i → wholeEnd >= i'],
      reason: SLOWER,
    },
    {
      line: 'for (i = Math.max(i, wholeEnd); i < to; i++) setBit(bitmap, i);',
      changes: ['Math.max(i, wholeEnd) → Math.min(i, wholeEnd)'],
      reason: SLOWER,
    },
    {
      line: 'if (shift === 0) target.set(bitmap.subarray(from, from + bytes), to);',
      changes: ['shift === 0 → false'],
      reason: SLOWER,
    },
    {
      line: 'const done = lead + bytes * 8;',
      changes: ['bytes * 8 → bytes / 8'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = whole * 8; i < length; i++) if (!isValid(bitmap, i)) return false;',
      changes: ['whole * 8 → whole / 8'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = length; i < trimmed.length * 8; i++) clearBit(trimmed, i);',
      changes: ['i < trimmed.length * 8 → i <= trimmed.length * 8'],
      reason: BEYOND,
    },
    {
      line: 'for (let from = 0; from < values.length; from += 8) {',
      changes: ['from < values.length → from <= values.length'],
      reason: BEYOND,
    },
    {
      line: 'if (bitmap[from >> 3] === 0xff) continue;',
      changes: ['bitmap[from >> 3] === 0xff → false'],
      reason: SLOWER,
    },
    {
      line: 'const to = Math.min(from + 8, values.length);',
      changes: ['Math.min(from + 8, values.length) → Math.max(from + 8, values.length)'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = from; i < to; i++) if (!isValid(bitmap, i)) values[i] = Number.NaN;',
      changes: ['i < to → i <= to'],
      reason: BEYOND,
    },
    {
      line: 'for (let from = 0; from < values.length; from += 8) {',
      changes: ['from < values.length → from <= values.length'],
      reason: BEYOND,
    },
    {
      line: 'if (bitmap[from >> 3] === 0xff) continue;',
      changes: ['bitmap[from >> 3] === 0xff → false'],
      reason: SLOWER,
    },
  ],
  'src/columns/packed-points.ts': [
    {
      line: 'const end = at + to - from;',
      changes: ['at + to - from → at + to + from'],
      reason: OVERWRITTEN,
    },
    {
      line: 'unpackDates(sliceDates(start_date, from, to), to - from, columns.start_date, at);',
      changes: ['to - from → to + from'],
      reason: OVERWRITTEN,
    },
    {
      line: 'if (end_date === null) columns.end_date.set(columns.start_date.subarray(at, at + to - from), at);',
      changes: ['at + to - from → at + to + from'],
      reason: OVERWRITTEN,
    },
    {
      line: 'else unpackDates(sliceDates(end_date, from, to), to - from, columns.end_date, at);',
      changes: ['to - from → to + from'],
      reason: OVERWRITTEN,
    },
    {
      line: 'columns.reporting_date.fill(BigInt(reporting_date), at, at + to - from);',
      changes: ['at + to - from → at + to + from'],
      reason: OVERWRITTEN,
    },
    {
      line: 'if (valid !== null && countValid(valid, to - from) === 0) return null;',
      changes: ['valid !== null → true'],
      reason: NEVER_EMPTY,
    },
    {
      line: 'if (valid !== null && countValid(valid, to - from) === 0) return null;',
      changes: ['to - from → to + from'],
      reason: BEYOND,
    },
    {
      line: 'if (bitmap === null) return null;',
      changes: ['bitmap === null → false'],
      reason: SLOWER,
    },
    {
      line: 'if (one === other) return true;',
      changes: ['true → false', 'one === other → false'],
      reason: SLOWER,
    },
  ],
  'src/columns/point-builder.ts': [
    {
      line: 'this.#nullValues++;',
      changes: ['this.#nullValues++ → this.#nullValues--'],
      reason: NOT_ZERO,
    },
    {
      line: 'this.#nullReportings++;',
      changes: ['this.#nullReportings++ → this.#nullReportings--'],
      reason: NOT_ZERO,
    },
  ],
  'src/columns/point-rows.ts': [
    {
      line: 'if (to.BYTES_PER_ELEMENT === 4) for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;',
      changes: ['i < rows.length → i <= rows.length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < rows.length; i++) {',
      changes: ['i < rows.length → i <= rows.length'],
      reason: BEYOND,
    },
    {
      line: 'if (first === undefined) return emptyPoints();',
      changes: ['first === undefined → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < series.length; i++) series[i] = columns.series[i]! + offset;',
      changes: ['i < series.length → i <= series.length'],
      reason: BEYOND,
    },
  ],
  'src/columns/series-index.ts': [
    {
      line: '#ids = new Int32Array(INITIAL_SLOTS * KEY_FIELDS);',
      changes: ['INITIAL_SLOTS * KEY_FIELDS → INITIAL_SLOTS / KEY_FIELDS'],
      reason: EARLIER_ROOM,
    },
    {
      line: '#slots = new Int32Array(INITIAL_SLOTS * 2);',
      changes: ['INITIAL_SLOTS * 2 → INITIAL_SLOTS / 2'],
      reason: EARLIER_ROOM,
    },
    {
      line: 'if (size === this.#keys.length) return;',
      changes: ['size === this.#keys.length → false'],
      reason: SLOWER,
    },
    {
      line: 'if (this.#ids.length < (number + 1) * KEY_FIELDS) {',
      changes: [
        'this.#ids.length < (number + 1) * KEY_FIELDS → this.#ids.length <= (number + 1) * KEY_FIELDS',
      ],
      reason: EARLIER_ROOM,
    },
    {
      line: 'if (this.#keys.length * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);',
      changes: ['this.#keys.length * 2 > this.#slots.length → this.#keys.length * 2 >= this.#slots.length'],
      reason: EARLIER_ROOM,
    },
    {
      line: 'mixed = Math.imul(mixed ^ (key.source_id * 32 + key.frequency_id), 0x165667b1);',
      changes: [
        'key.source_id * 32 + key.frequency_id → key.source_id * 32 - key.frequency_id',
        'key.source_id * 32 → key.source_id / 32',
      ],
      reason: OTHER_HASH,
    },
    {
      line: 'function hashKey(key: SeriesKey): number {',
      changes: ['{ let mixed = Math.imul(key.region_id, 0x9e3779b1); mixed = … → {}'],
      reason: OTHER_HASH,
    },
  ],
  'src/columns/row-order.ts': [
    {
      line: 'const runs = starts',
      changes: [
        'starts .map((from, i) => ascendingRange(from, starts[i + 1] … → starts.map((from, i) => ascendingRange(from, starts[i + 1] ?…',
      ],
      reason: SLOWER,
    },
    {
      line: '.sort((a, b) => compare(a[0]!, b[0]!));',
      changes: ['(a, b) => compare(a[0]!, b[0]!) → () => undefined'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 1; i < columns.length; i++) if (compare(i - 1, i) >= 0) return false;',
      changes: ['i < columns.length → i <= columns.length'],
      reason: BEYOND,
    },
    {
      line: 'const starts = length === 0 ? [] : [0];',
      changes: ['[] → ["Stryker was here"]', 'length === 0 → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 1; i < length; i++) if (compare(i - 1, i) >= 0) starts.push(i);',
      changes: ['i < length → i <= length'],
      reason: BEYOND,
    },
    {
      line: 'for (let i = 0; i < rows.length; i++) rows[i] = from + i;',
      changes: ['i < rows.length → i <= rows.length'],
      reason: BEYOND,
    },
    {
      line: 'if (compare(a.at(-1)!, b[0]!) <= 0) {',
      changes: [
        'compare(a.at(-1)!, b[0]!) <= 0 → false',
        'compare(a.at(-1)!, b[0]!) <= 0 → compare(a.at(-1)!, b[0]!) < 0',
        '{ merged.set(a); merged.set(b, a.length); return merged; } → {}',
      ],
      reason: SLOWER,
    },
    {
      line: 'for (let row = 0; row < merged.length; row++) {',
      changes: ['row < merged.length → row <= merged.length'],
      reason: BEYOND,
    },
    {
      line: 'const takesA = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);',
      changes: ['i < a.length → true', 'i < a.length → i <= a.length'],
      reason: BEYOND,
    },
    {
      line: 'const takesA = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);',
      changes: ['compare(a[i]!, b[j]!) <= 0 → compare(a[i]!, b[j]!) < 0'],
      reason: TIED,
    },
  ],
};
