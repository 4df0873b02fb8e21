import { Decimal, makeData, Table, Vector } from 'apache-arrow';
import { expect, test } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { frame } from '../../../src/frame/frame.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../exact-rows.js';
import { annual, longOf, wideOf } from '../verbs.js';

const WIDE = wideOf(
  [{ region_id: 3 }, annual(2000, [4, null, 9])],
  [{ region_id: 6 }, annual(2000, [2, 5, 0])],
  [{ metric_id: 2, unit_id: 10 }, annual(2000, [100, 200, 300])],
);
const columns = { iowa: { metric_id: 1, region_id: 3 }, ivory: { region_id: 6 }, area: { metric_id: 2 } };
interface Row {
  iowa: number;
  ivory: number;
  area: number;
}
const added = (compute: (row: Row) => number, unit?: string) => [
  ...WIDE.withColumn('new', compute, { columns, unit }).getChild('new')!,
];

test('is null where the function reads a null, or gives no finite number', () => {
  expect(added(({ iowa, ivory }) => (iowa + ivory) / 2)).toEqual([3, null, 4.5]);
  expect(added(({ iowa, ivory }) => iowa / ivory)).toEqual([2, null, null]);
  expect(added((row) => (row.ivory > 1 ? row.iowa : -1))).toEqual([4, null, -1]);
});

test('a function that takes nulls gets them', () => {
  const compute = ({ iowa, ivory }: { iowa: number | null; ivory: number }) =>
    iowa === null ? ivory : iowa - ivory;
  const table = WIDE.withColumn('new', compute, { columns, pass_nulls: true });
  expect([...table.getChild('new')!]).toEqual([2, 5, 9]);
});

test('columns of different units need the unit of the result', () => {
  const product = ({ iowa, area }: Row) => iowa * area;
  expect(added(product, '1000 t')).toEqual([400, null, 2700]);
  expect(() => added(product)).toThrow(
    'unit: the function reads iowa in t/ha and area in ha; specify the unit of the result, or request the series in the same unit',
  );
});

test('adds to any table what JavaScript holds', () => {
  const table = fromRows([
    { farm: 'North', sown: new Date('2020-04-01'), count: 2n },
    { farm: null, sown: new Date('2020-05-01'), count: 3n },
  ]);
  const letter = table.withColumn('letter', ({ farm }) => farm[0]);
  const month = letter.withColumn('month', ({ sown }) => sown.toISOString().slice(0, 7));
  const odd = month.withColumn('odd', ({ count }) => count % 2n === 1n);
  const list = odd.withColumn('list', ({ count }) => [count, count + 1n]);
  expect(exactRows(list).map(({ letter, month, odd, list }) => [letter, month, odd, list])).toEqual([
    ['N', '2020-04', false, [2n, 3n]],
    [null, '2020-05', true, [3n, 4n]],
  ]);
});

test('a frame keeps its series, and its steps say what was computed', () => {
  const long = longOf([{}, annual(2000, [1, null])]).withColumn('twice', ({ value }) => value * 2, {
    unit: '0.5 t/ha',
  });
  expect(exactRows(long).map(({ twice, value }) => [value, twice])).toEqual([
    [1, 2],
    [null, null],
  ]);
  expect(long.schema.fields.at(-1)!.metadata.get('unit_name')).toBe('0.5 t/ha');
  expect(derivationSteps(long)[0]).toMatch(/^withColumn\({"name":"twice","compute":"\({ value }\) => value/);
});

test.each([
  [
    () => longOf([{}, annual(2000, [1])]).withColumn('value', () => 1),
    /name: the frame already has a column "value"/,
  ],
  [
    () => WIDE.withColumn('a', (row: Row) => row.iowa, { columns: { iowaa: columns.iowa } }),
    /there is no column "iowa"; did you mean iowaa\?/,
  ],
  [() => WIDE.withColumn('a', () => 1, { columns: { x: { metric_id: 1 } } }), /columns: x matches 2 series/],
  [() => WIDE.withColumn('a', () => 1, { columns: { x: { metric_id: 9 } } }), /columns: x matches no series/],
  [
    () => WIDE.withColumn('a', () => undefined),
    /the function returned undefined for row 1; return a value or null/,
  ],
  [() => WIDE.withColumn('a', 'iowa + 1' as never), /compute: .* is not a function/],
  [() => WIDE.withColumn('a', () => new Date('soon')), /compute: column "a" contains an invalid Date/],
  [
    () => fromRows([{ x: 1 }, { x: 2 }]).withColumn('a', ({ x }) => (x === 1 ? new Date(0) : x)),
    /^compute: .*different type/,
  ],
  [
    () => fromRows([{ x: 1n }]).withColumn('a', ({ x }) => (x as never) * 2),
    /compute: row 1: Cannot mix BigInt .* convert them with Number/,
  ],
  [() => WIDE.withColumn('a', () => 1).resample({ to: 'annual', how: 'sum' }), /resample would lose "a"/],
])('refuses %s', (call, message) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test('decimals are numbers to compute with, and to filter by', () => {
  const data = Uint32Array.of(150, 0, 0, 0, 950, 0, 0, 0, 1050, 0, 0, 0);
  const price = new Vector([makeData({ type: new Decimal(2, 10, 128), length: 3, nullCount: 0, data })]);
  const table = new Table({ price });
  const added = exactRows(frame(table).withColumn('more', ({ price }) => Number(price) + 1));
  expect(added).toEqual([
    { price: '1.50', more: 2.5 },
    { price: '9.50', more: 10.5 },
    { price: '10.50', more: 11.5 },
  ]);
  const dear = frame(table).filter(({ price }) => Number(price) > 9.6);
  expect(exactRows(dear)).toEqual([{ price: '10.50' }]);
});
