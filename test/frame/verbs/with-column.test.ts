import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRows } from '../../../src/frame/formats/rows.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { resample } from '../../../src/frame/verbs/resample.js';
import { withColumn } from '../../../src/frame/verbs/with-column.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, longOf, wideOf } from '../verbs.js';

const WIDE = wideOf(
  [{ region_id: 3 }, annual(2000, [4, null, 9])],
  [{ region_id: 6 }, annual(2000, [2, 5, 0])],
  [{ metric_id: 2, unit_id: 10 }, annual(2000, [100, 200, 300])],
);
const columns = { iowa: { metric_id: 1, region_id: 3 }, ivory: { region_id: 6 }, area: { metric_id: 2 } };
const added = (expression: Parameters<typeof withColumn>[2]) => [
  ...withColumn(WIDE, 'new', expression, { columns }).getChild('new')!,
];

test.each([
  ['(iowa + ivory) / 2', [3, null, 4.5]],
  ['iowa * area', [400, null, 2700]],
  ['iowa / ivory', [2, null, null]],
  ['-iowa', [-4, null, -9]],
  ['sqrt(iowa) + 1', [3, null, 4]],
  ['max(iowa, ivory, 6)', [6, null, 9]],
  ['pow(ivory, 2)', [4, 25, 0]],
  ['ivory > 1 ? iowa : -1', [4, null, -1]],
  ['ivory >= 2 && iowa < 5', [1, null, 0]],
  ['!(ivory == 0)', [1, 1, 0]],
  ['7 % 4', [3, 3, 3]],
])('%s', (expression, values) => {
  expect(added(expression)).toEqual(values);
});

test('a function gets the row, with null where there is no value', () => {
  expect(added(({ iowa, ivory }) => (iowa === null ? ivory! : iowa! - ivory!))).toEqual([2, 5, 9]);
});

test('columns whose names are identifiers need no other', () => {
  const long = withColumn(longOf([{}, annual(2000, [1, null])]), 'twice', 'value * 2', { unit: '0.5 t/ha' });
  expect(toRows(long).map(({ twice, value }) => [value, twice])).toEqual([
    [1, 2],
    [null, null],
  ]);
  expect(long.schema.fields.at(-1)!.metadata.get('unit_name')).toBe('0.5 t/ha');
  expect(derivationSteps(long)).toEqual([
    'withColumn({"name":"twice","expression":"value * 2","unit":"0.5 t/ha"})',
  ]);
});

test.each([
  ['iowa + area', 'expression: + combines iowa in t/ha with area in ha; request both in one unit'],
  ['max(iowa, area)', 'max combines iowa in t/ha with area in ha'],
  ['ivory > 1 ? iowa : area', '? : combines iowa in t/ha with area in ha'],
  ['iowaa + 1', 'there is no column iowaa; did you mean iowa?'],
  ['iowa +', 'cannot be read'],
  ['iowa.x', 'MemberExpression is not supported'],
  ['"text"', '"text" is not a number'],
  ['sum(iowa)', 'there is no function sum; there are abs, ceil'],
  ['pow(iowa)', 'pow takes 2 arguments, not 1'],
  ['constructor', 'there is no column constructor'],
  ['constructor(1)', 'there is no function constructor'],
])('refuses %s', (expression, message) => {
  const call = () => added(expression);
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test.each([
  [
    'a name that is taken',
    () => withColumn(longOf([{}, annual(2000, [1])]), 'value', '1'),
    /name: the frame has a column "value"/,
  ],
  [
    'a selection of several',
    () => withColumn(WIDE, 'a', 'x', { columns: { x: { metric_id: 1 } } }),
    /columns: x fits 2 series/,
  ],
  [
    'a selection of none',
    () => withColumn(WIDE, 'a', 'x', { columns: { x: { metric_id: 9 } } }),
    /columns: x fits no series/,
  ],
  [
    'a column of texts',
    () => withColumn(longOf([{}, annual(2000, [1])]), 'a', 'x', { columns: { x: 'region_name' } }),
    /no column of numbers "region_name" for x; it has .*"value"/,
  ],
  [
    'an alias that is no identifier',
    () => withColumn(WIDE, 'a', 'x', { columns: { 'x y': 'value' } }),
    /"x y" is not an identifier/,
  ],
  [
    'a text for a number',
    () => withColumn(WIDE, 'a', () => '1' as unknown as number),
    /row 1 gave "1"; return a number or null/,
  ],
  [
    'to lose the column',
    () => resample(withColumn(WIDE, 'a', '1'), { to: 'annual', how: 'sum' }),
    /resample would lose "a"/,
  ],
])('refuses %s', (_, call, message) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test('an expression gives what JavaScript gives', () => {
  const number = fc.integer({ min: -50, max: 50 });
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('ivory', '3', '0.5'),
      fc
        .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/', '<', '>='), tie('expression'))
        .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
      tie('expression').map((a) => `(-${a})`),
    ),
  }));
  fc.assert(
    fc.property(expression, fc.array(number, { minLength: 1, maxLength: 5 }), (text, values) => {
      const table = wideOf([{ region_id: 6 }, annual(2000, values)]);
      const wanted = values.map((ivory) => {
        const value = Number(new Function('ivory', `return ${text}`)(ivory));
        return Number.isFinite(value) ? value : null;
      });
      const computed = withColumn(table, 'new', text, {
        columns: { ivory: { region_id: 6 } },
      });
      const got = [...computed.getChild('new')!] as (number | null)[];
      // A comparison with 0 / 0 is null here, and false in JavaScript.
      got.forEach((value, i) => {
        if (value !== null) expect(value).toBe(wanted[i]);
      });
    }),
  );
});
