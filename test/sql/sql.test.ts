import {
  Binary,
  type Data,
  Dictionary,
  Float32,
  Float64,
  Int8,
  Int64,
  makeData,
  Table,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longFrame } from '../../src/frame/build/long.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { frame } from '../../src/frame/frame.js';
import { ArgumentError } from '../../src/model/errors.js';
import { sql } from '../../src/sql.js';
import { exactRows } from '../frame/exact-rows.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../frame/points.js';

const yields = longFrame(
  {
    series: [seriesOf(), seriesOf({ region_id: 6 })],
    runs: runsOf([
      { series: 0, start: '2000-01-01', end: '2000-12-31', value: 2 },
      { series: 0, start: '2001-01-01', end: '2001-12-31', value: null },
      { series: 1, start: '2000-01-01', end: '2000-12-31', value: 5 },
    ]),
  },
  { names: NAMES, provenance: PROVENANCE },
);

describe('sql', () => {
  it('answers over a frame by its names, with its sources', async () => {
    const answer = await sql({ yields })`
      SELECT region_name, year(end_date) AS year, sum(value) AS total
      FROM yields WHERE value > ${1} AND region_name IN (SELECT unnest(${['Iowa', 'Illinois']}))
      GROUP BY ALL ORDER BY ALL`;
    const rows = exactRows(answer);
    expect(rows[0]).toEqual({ region_name: 'Iowa', year: 2000n, total: 2 });
    expect(answer.summary()).toMatchObject({ sources: PROVENANCE.sources });
    expect(answer.summary().derived.at(-1)).toContain('SELECT region_name');
  });

  it('joins any tables, and binds values instead of writing them', async () => {
    const prices = fromRows([
      { place: 'Iowa', price: 4.5 },
      { place: "O'Brien", price: null },
    ]);
    const found = await sql({ prices, yields })`
      SELECT place, price, count(value) AS points FROM prices LEFT JOIN yields ON place = region_name
      WHERE place <> ${"'; DROP TABLE prices; --"} GROUP BY ALL ORDER BY place`;
    expect(exactRows(found)).toEqual([
      { place: 'Iowa', price: 4.5, points: 1n },
      { place: "O'Brien", price: null, points: 0n },
    ]);
  });

  it('keeps dates, and sorts texts as texts', async () => {
    const answer = await sql({
      yields,
    })`SELECT end_date, max(region_name) AS last FROM yields GROUP BY ALL ORDER BY ALL`;
    expect(exactRows(answer)[1]).toEqual({ end_date: '2001-12-31T00:00:00.000Z', last: 'Iowa' });
  });

  it('returns every type of the engine', async () => {
    const answer = await sql({})`
      SELECT true AS b, 1::TINYINT AS i8, 2::BIGINT AS i64, 1.5::FLOAT AS f32, DATE '2020-01-02' AS d,
        TIME '01:02:03' AS t, TIMESTAMP '2020-01-02 03:04:05.000001' AS us, 12.34::DECIMAL(10, 2) AS de,
        'x'::ENUM('x', 'y') AS e, [1, NULL] AS l, {'a': 1, 'b': 'z'} AS s, 'ab'::BLOB AS bl, NULL AS n,
        sum(3) AS h`;
    expect(exactRows(answer)).toEqual([
      {
        b: true,
        i8: 1,
        i64: 2n,
        f32: 1.5,
        d: '2020-01-02T00:00:00.000Z',
        t: '01:02:03.000000',
        us: '2020-01-02T03:04:05.000001Z',
        de: '12.34',
        e: 'x',
        l: [1, null],
        s: { a: 1, b: 'z' },
        bl: Uint8Array.of(97, 98),
        n: null,
        h: 3,
      },
    ]);
  });

  it('takes tables of any type, and gives back what it took', async () => {
    const value = fc.option(
      fc.record({
        number: fc.option(fc.double()),
        big: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
        flag: fc.option(fc.boolean()),
        text: fc.option(fc.string()),
        list: fc.option(fc.array(fc.double())),
      }),
      { nil: undefined },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 40 }), async (values) => {
        const rows = values.map((row, position) => ({ position, ...row }));
        const table = fromRows(rows);
        const back = await sql({ table })`SELECT * FROM "table" ORDER BY position`;
        expect(exactRows(back)).toEqual(exactRows(table));
      }),
      {
        numRuns: 20,
        examples: [[[{ number: -0, big: null, flag: null, text: null, list: [-0, Number.NaN, -Infinity] }]]],
      },
    );
  });

  it('takes dictionaries of any type, with null among their values, and numbers that JSON lacks', async () => {
    const columns = [
      vectorFromArray([1.5, null, Number.NaN, Number.POSITIVE_INFINITY, -0], new Float64()),
      vectorFromArray([1.5, null, Number.NaN, Number.NEGATIVE_INFINITY, 0], new Float32()),
      vectorFromArray([2n ** 60n, null, -1n, 0n, 1n], new Int64()),
      vectorFromArray(['a', null, 'null', '', 'b'], new Utf8()),
      vectorFromArray([Uint8Array.of(1), null, Uint8Array.of(), Uint8Array.of(255, 0), null], new Binary()),
    ];
    for (const [at, dictionary] of columns.entries()) {
      const type = new Dictionary(dictionary.type, new Int8());
      const data = Int8Array.of(4, 3, 2, 1, 0, 99);
      const nullBitmap = Uint8Array.of(0b11111);
      const coded = makeData({
        type,
        length: 6,
        nullCount: 1,
        nullBitmap,
        data,
        dictionary,
      } as never) as Data;
      const t = frame(new Table({ a: new Vector([coded]) }));
      expect([at, exactRows(await sql({ t })`SELECT * FROM t`)]).toEqual([at, exactRows(t)]);
    }
  });

  it('leaves nothing of the memory of the engine in null rows', async () => {
    const t = fromRows(
      Array.from({ length: 50 }, (_, i) => ({ x: i % 2 ? null : i + 0.5, n: i % 3 ? 9n : null })),
    );
    const { batches } = await sql({ t })`SELECT x, n, x::INT AS i FROM t WHERE x IS NULL OR n IS NULL`;
    const { children } = batches[0]!.data;
    const inNulls = children.map((data) =>
      [...data.values].filter((_, row) => !data.getValid(row)).map(String),
    );
    expect(inNulls.map((values) => [...new Set(values)])).toEqual([['NaN'], ['0'], ['0']]);
  });

  it('takes lists with nulls, and empty ones, and has the time zone UTC', async () => {
    const ask = sql({ yields });
    const found = (list: readonly (number | null)[]) =>
      ask`SELECT count(*)::INT AS n FROM yields WHERE value IN (SELECT unnest(${list}))`;
    expect(exactRows(await found([2, null]))).toEqual([{ n: 1 }]);
    expect(exactRows(await found([]))).toEqual([{ n: 0 }]);
    const zoned =
      await ask`SELECT current_setting('TimeZone') AS zone, year(TIMESTAMPTZ '2020-01-01 00:00:00Z')::INT AS year`;
    expect(exactRows(zoned)).toEqual([{ zone: 'UTC', year: 2020 }]);
  });

  it('loads more rows than a chunk of the engine has', async () => {
    const table = new Table({
      n: vectorFromArray(
        Array.from({ length: 5000 }, (_, i) => (i % 7 ? BigInt(i) : null)),
        new Int64(),
      ),
    });
    const [row] = exactRows(
      await sql({ table })`SELECT count(*) AS rows, count(n) AS n, sum(n) AS total FROM "table"`,
    );
    const kept = Array.from({ length: 5000 }, (_, i) => i).filter((i) => i % 7);
    expect(row).toEqual({ rows: 5000n, n: BigInt(kept.length), total: kept.reduce((a, b) => a + b) });
  });

  it.each([
    ['SELECT nothing FROM yields', /nothing/],
    [' ', /query/],
  ])('refuses %s', async (text, reason) => {
    const ask = sql({ yields });
    const refused = ask(Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray);
    await expect(refused).rejects.toBeInstanceOf(ArgumentError);
    await expect(refused).rejects.toThrow(reason);
  });

  it('answers several questions at once, and others after them, of tables that are loaded once', async () => {
    const asked = sql({ yields });
    const other = sql({ yields });
    const counts = await Promise.all([
      asked`SELECT count(*) AS n FROM yields`,
      asked`SELECT count(value) AS n FROM yields`,
      other`SELECT count(DISTINCT region_name) AS n FROM yields`,
    ]);
    expect(counts.map((table) => exactRows(table)[0]!.n)).toEqual([3n, 2n, 2n]);
    expect((await asked`FROM yields`).numRows).toBe(3);
    await expect(asked`FROM nothing`).rejects.toThrow(/nothing/);
    expect((await other`FROM yields`).numRows).toBe(3);
  });

  it('keeps days, infinite times, and both columns of one name', async () => {
    const answer = await sql(
      {},
    )`SELECT DATE '2020-01-02' AS day, 'infinity'::TIMESTAMP AS ends, 1 AS id, 2 AS id`;
    const again = await sql({
      answer,
    })`SELECT day + 1 AS next, isinf(ends) AS open, id + "id:1" AS sum FROM answer`;
    expect(exactRows(answer)[0]).toMatchObject({ ends: '+294247-01-10T04:00:54.775807Z', id: 1, 'id:1': 2 });
    expect(exactRows(again)).toEqual([{ next: '2020-01-03T00:00:00.000Z', open: true, sum: 3 }]);
  });

  it.each([
    ['no columns', fromRows([]), /^farms: the table has no columns/],
    ['a column without a name', fromRows([{ a: 1, '': 2 }]), /^farms: column 2 has no name; .* rename/],
    [
      'names that SQL takes for one',
      fromRows([{ Farm: 1, farm: 2 }]),
      /^farms: columns 1 and 2 are both "farm"/,
    ],
  ])('names a table with %s', async (_, farms, message) => {
    await expect(sql({ farms })`FROM farms`).rejects.toThrow(message);
  });

  it('says of a query in the place of the tables that they come before it', () => {
    const tagged = sql as unknown as (text: TemplateStringsArray) => unknown;
    expect(() => tagged`SELECT 1`).toThrow(
      /^tables: this is the query; tables come before it, as in sql\(\{\}\)/,
    );
  });

  it('takes more texts than an ENUM has, with nulls and beside other columns, and returns them', async () => {
    const rows = Array.from({ length: 140_000 }, (_, row) => ({
      text: row % 11 === 0 ? null : `Feldstück № ${row}`,
      kind: row % 5 === 0 ? null : `kind ${row % 3}`,
      ok: row % 4 === 0 ? null : row % 2 === 0,
    }));
    const table = fromRows(rows);
    const answer = exactRows(await sql({ table })`FROM "table"`);
    expect(answer.length).toBe(rows.length);
    expect(answer.findIndex((row, at) => JSON.stringify(row) !== JSON.stringify(rows[at]))).toBe(-1);
  });

  it('ends when it is aborted, and within its memory', async () => {
    const abort = new AbortController();
    const endless = sql(
      {},
      { signal: abort.signal },
    )`SELECT sum(a.range * b.range) FROM range(100000000) a, range(1000000) b`;
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(endless).rejects.toThrow('enough');
    const large = sql({}, { memory_mb: 16 })`SELECT list(range) FROM range(100000000)`;
    await expect(large).rejects.toThrow(/memory/i);
  });
});

it.each([
  ['a number', [1n, 2n], 3, 'Float64'],
  ['of 64 bits', [2n ** 53n, 1n], 2n ** 53n + 1n, 'Int64'],
  ['text', [2n ** 63n - 1n, 2n ** 63n - 1n], '18446744073709551614', 'Utf8'],
])('a sum of integers has all its digits: %s', async (_, values, sum, type) => {
  const numbers = fromRows(values.map((n) => ({ n })));
  const answer = await sql({ numbers })`SELECT sum(n) AS sum FROM numbers UNION ALL SELECT NULL`;
  expect(exactRows(answer)).toEqual([{ sum }, { sum: null }]);
  expect(String(answer.schema.fields[0]!.type)).toBe(type);
});
