import {
  BEYOND,
  CONTINUOUS,
  type Equivalents,
  OUTSIDE,
  PLACED,
  SHARED,
  SLOWER,
  SORTED,
  UNNAMED,
} from './equivalent.js';

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
  'src/frame/build/long.ts': [
    {
      line: "const order = options.index_by_series ? 'index' : 'saved';",
      changes: ['\'index\' → ""'],
      reason: 'every order but the saved one is that of the ids',
    },
    {
      line: 'const unitIds = options.names === undefined ? [] : unitsOf(ordered);',
      changes: ['options.names === undefined → false', '[] → ["Stryker was here"]'],
      reason: UNNAMED,
    },
    {
      line: 'if (value !== 0) filled.fill(value, from, to);',
      changes: ['value !== 0 → true'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < unitIds.length; i++) {',
      changes: ['i < unitIds.length → i <= unitIds.length'],
      reason: BEYOND,
    },
    { line: 'if (unitIds[i] !== unit) {', changes: ['unitIds[i] !== unit → true'], reason: SLOWER },
    {
      line: 'place = unit === NO_UNIT_ID ? 0 : codes.get(unit)!;',
      changes: ['unit === NO_UNIT_ID → false'],
      reason: 'the code of a row without a unit is not read',
    },
    { line: 'if (unit_id[i] === unit) continue;', changes: ['unit_id[i] === unit → false'], reason: SLOWER },
  ],
  'src/frame/build/long-stream.ts': [
    {
      line: 'const layout = planLong(options.series, { ...options, unitIds: options.names?.units.keys() ?? [] });',
      changes: ['[] → ["Stryker was here"]'],
      reason: UNNAMED,
    },
    {
      line: 'if (isEmpty) yield longBatch(layout, orderRuns({ series: [], runs: [] }));',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'without rows no series is looked up',
    },
  ],
  'src/frame/build/plan-runs.ts': [
    {
      line: 'if (!isAscending(points, from, to)) unordered.add(position);',
      changes: ['!isAscending(points, from, to) → true'],
      reason: SORTED,
    },
    {
      line: 'function isAscending(points: PackedRows, from: number, to: number): boolean {',
      changes: ['{ for (let i = from; i < to; ) { i = ascendingStarts(points.… → {}'],
      reason: SORTED,
    },
    {
      line: 'if (i < to && compareRows(points, i - 1, points, i) >= 0) return false;',
      changes: [
        'i < to && compareRows(points, i - 1, points, i) >= 0 → true',
        'i < to && compareRows(points, i - 1, points, i) >= 0 → i < to || compareRows(points, i - 1, points, i) >= 0',
        'i < to → true',
        'i < to → i <= to',
        'compareRows(points, i - 1, points, i) >= 0 → true',
      ],
      reason: SORTED,
    },
    { line: 'return true;', changes: ['true → false'], reason: SORTED },
    {
      line: 'if (dates instanceof BigInt64Array) return ascendingWords(dates, from, to);',
      changes: ['dates instanceof BigInt64Array → false'],
      reason: SLOWER,
    },
    { line: 'let i = from + 1;', changes: ['from + 1 → from - 1'], reason: SORTED },
    {
      line: 'if (dates instanceof Int32Array) while (i < to && dates[i]! > dates[i - 1]!) i++;',
      changes: [
        'dates instanceof Int32Array → true',
        'dates instanceof Int32Array → false',
        'i < to && dates[i]! > dates[i - 1]! → false',
        'i < to → true',
        'i < to → i <= to',
        'i < to → i >= to',
        'i - 1 → i + 1',
      ],
      reason: SLOWER,
    },
    {
      line: 'else if (dates.stepMs > 0) return to;',
      changes: ['dates.stepMs > 0 → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = from + 1; i < to; i++) {',
      changes: ['i < to → i <= to'],
      reason: 'whether the row after the last follows it is not asked',
    },
    { line: 'if (now <= previous) return i;', changes: ['now <= previous → true'], reason: SLOWER },
    {
      line: 'return comparePointKeys(a, i, b, j) || availableAt(a, i) - availableAt(b, j);',
      changes: [
        'comparePointKeys(a, i, b, j) || availableAt(a, i) - availabl… → true',
        'comparePointKeys(a, i, b, j) || availableAt(a, i) - availabl… → false',
      ],
      reason: SORTED,
    },
    {
      line: 'if (isDistinct) for (; at < next; at++) deduped.push(runs[at]!);',
      changes: ['isDistinct → false'],
      reason: SORTED,
    },
    {
      line: 'function isBefore(a: PointRun, b: PointRun): boolean {',
      changes: ['{ return compareRows(a.points, a.to - 1, b.points, b.from) <… → {}'],
      reason: SORTED,
    },
    {
      line: 'return compareRows(a.points, a.to - 1, b.points, b.from) < 0;',
      changes: ['compareRows(a.points, a.to - 1, b.points, b.from) < 0 → false'],
      reason: SORTED,
    },
    {
      line: 'if (last?.points === points && last.to === row) {',
      changes: ['last?.points === points && last.to === row → false'],
      reason: 'a run a row instead of a run: the rows are the same',
    },
  ],
  'src/frame/formats/arrow.ts': [
    {
      line: "return ipcBytes(withChecksum(table), 'file');",
      changes: ['\'file\' → ""'],
      reason: "only 'stream' is asked after, and all else is a file",
    },
    {
      line: 'if (plain !== bytes) checkIpc(plain);',
      changes: ['plain !== bytes → true'],
      reason: SLOWER,
    },
  ],
  'src/frame/formats/csv.ts': [
    {
      line: "return valid === null ? write : (row) => (isValid(valid, row) ? write(row) : '');",
      changes: ['valid === null → false'],
      reason: SLOWER,
    },
    {
      line: "let text = '';",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'it is written anew before it is returned first',
    },
    {
      line: 'if (value !== last) {',
      changes: ['value !== last → true'],
      reason: SLOWER,
    },
    {
      line: "return (row) => quote(column.values[row] ?? '');",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'rows without a value are not asked for their text',
    },
  ],
  'src/frame/formats/danfo-node.ts': [
    {
      line: "checkOptions(options, { danfo: fieldsOf({ DataFrame: needed(checkFunction) }) }, 'toDanfo');",
      changes: ['{ DataFrame: needed(checkFunction) } → {}'],
      reason: 'danfoFrame checks it again, and says the same',
    },
    {
      line: 'export async function loadDanfo(directories: readonly string[] = []): Promise<DanfoModule> {',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'a folder that is not there has no package',
    },
  ],
  'src/frame/formats/frame-formats.ts': [
    {
      line: "const ending = /\\.\\w+$/.exec(path)?.[0].toLowerCase() ?? '';",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'no ending is called so either',
    },
  ],
  'src/frame/formats/frame-pieces.ts': [
    {
      line: "return writeArrow(stream, { format: 'file' });",
      changes: ["{ format: 'file' } → {}"],
      reason: 'a file is what is written by default',
    },
  ],
  'src/frame/formats/ipc-pieces.ts': [
    {
      line: 'if (pieces.length === 1) return pieces[0]!;',
      changes: ['pieces.length === 1 → false'],
      reason: SLOWER,
    },
  ],
  'src/frame/formats/optional-package.ts': [
    {
      line: 'export function loadOptional(name: string, directories: readonly string[] = []): unknown {',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'a folder that is not there has no package',
    },
  ],
  'src/frame/formats/parse-csv.ts': [
    {
      line: 'let columns: (string | null)[][] = [];',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'the first row replaces them, and a text without one is refused',
    },
    {
      line: 'while (end < text.length) {',
      changes: ['end < text.length → end <= text.length'],
      reason: 'the slice of a field ends with its text',
    },
  ],
  'src/frame/formats/rows.ts': [
    {
      line: "const type = inferColumnType(name, numbers ? [] : ['a text'], field?.type);",
      changes: ['\'a text\' → ""'],
      reason: 'an empty text is no number either',
    },
  ],
  'src/frame/formats/write-arrow.ts': [
    {
      line: "const pieces = new IpcPieces(stream.schema, options.format ?? 'file');",
      changes: ['\'file\' → ""'],
      reason: "only 'stream' is asked after, and all else is a file",
    },
  ],
  'src/frame/formats/write-file.ts': [
    {
      line: "? writeTo(path, pieces, { signal, flags: 'w' })",
      changes: ['\'w\' → ""'],
      reason: "only 'wx' is asked after",
    },
    {
      line: 'await rm(unfinished, { force: true }).catch(() => {});',
      changes: ['{ force: true } → {}', 'true → false'],
      reason: 'the error of a file that is not there is let go anyway',
    },
  ],
  'src/frame/formats/parquet/parquet-footer.ts': [
    {
      line: 'const footerAt = lengthAt < 0 ? -1 : lengthAt - view.getUint32(lengthAt, true);',
      changes: ['lengthAt < 0 → lengthAt <= 0', '-1 → +1'],
      reason: 'no key fits into eight bytes',
    },
    {
      line: 'for (let at = from; at <= bytes.byteLength - wanted.byteLength; at++) {',
      changes: [
        'at <= bytes.byteLength - wanted.byteLength → at < bytes.byteLength - wanted.byteLength',
        'bytes.byteLength - wanted.byteLength → bytes.byteLength + wanted.byteLength',
      ],
      reason: 'a key is followed by its value, and what is read past the end equals none',
    },
    {
      line: 'length.push((rest % 128) + (rest >= 128 ? 128 : 0));',
      changes: ['(rest % 128) + (rest >= 128 ? 128 : 0) → rest % 128 - (rest >= 128 ? 128 : 0)'],
      reason: 'both are the same byte',
    },
  ],
  'src/frame/formats/parquet/parquet.ts': [
    {
      line: 'return tableFromIPC(parquet.readParquet(bytes, { batchSize: ROW_GROUP_ROWS }).intoIPCStream());',
      changes: ['{ batchSize: ROW_GROUP_ROWS } → {}'],
      reason: SLOWER,
    },
  ],
};
