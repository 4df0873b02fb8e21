import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { type Aggregation, agg } from '../../../src/frame/groups/agg.js';
import { type Window, windows } from '../../../src/frame/groups/windows.js';
import { toRows } from '../../../src/frame/table/row-reader.js';
import { groupBy, rollup, withComputed } from '../../../src/frame/verbs/group-by.js';
import { sql } from '../../../src/sql.js';
import { countRuns } from '../../endurance.js';

const EXAMPLE = { g: 'a', k: 1.5, x: 0.5, y: 1.5, n: 2n ** 60n, t: 'é', d: new Date(0), flag: true, i: 0 };
const { schema } = fromRows([EXAMPLE]);

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 });
const number = fc.integer({ min: -40, max: 40 }).map((quarters) => quarters / 4);

/** Tables in which groups, values and dates repeat, with nulls in all columns but the date and the number of the row. */
const tables: fc.Arbitrary<Table> = fc
  .array(
    fc.record({
      g: orNull(fc.constantFrom('a', 'b', '')),
      k: orNull(fc.constantFrom(0, 1, 2.5)),
      x: orNull(number),
      y: orNull(number),
      n: orNull(fc.bigInt({ min: -(2n ** 58n), max: 2n ** 58n })),
      t: orNull(fc.constantFrom('', 'Z', 'a', 'é', '10')),
      d: fc.integer({ min: 0, max: 90 }).map((days) => new Date(Date.UTC(2020, 0, 15 + days))),
      flag: orNull(fc.boolean()),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((rows) =>
    fromRows(
      rows.map((row, i) => ({ ...row, i })),
      { schema },
    ),
  );

/** Each aggregate with its SQL, to which a window may be added. PLACE is the order of the rows. */
const AGGREGATES: Readonly<Record<string, readonly [Aggregation, string]>> = {
  rows: [agg.count(), 'count(*)'],
  known: [agg.count('t'), 'count(t)'],
  distinct: [agg.countDistinct('t'), 'count(DISTINCT t)'],
  distinctNumbers: [agg.countDistinct('x'), 'count(DISTINCT x)'],
  sum: [agg.sum('x'), 'sum(x)'],
  sumOfIntegers: [agg.sum('n'), 'sum(n)'],
  sumOfFlags: [agg.sum('flag'), 'sum(flag::INT)'],
  mean: [agg.mean('x'), 'avg(x)'],
  median: [agg.median('x'), 'median(x)'],
  quantile: [agg.quantile('x', 0.9), 'quantile_cont(x, 0.9)'],
  min: [agg.min('x'), 'min(x)'],
  minOfIntegers: [agg.min('n'), 'min(n)'],
  minOfStrings: [agg.min('t'), 'min(t)'],
  max: [agg.max('x'), 'max(x)'],
  maxOfDates: [agg.max('d'), 'max(d)'],
  first: [agg.first('x'), 'arg_min(x, PLACE)'],
  firstString: [agg.first('t'), 'arg_min(t, PLACE)'],
  last: [agg.last('n'), 'arg_max(n, PLACE)'],
  std: [agg.std('x'), 'stddev_samp(x)'],
  var: [agg.var('x'), 'var_samp(x)'],
  weightedMean: [
    agg.weightedMean('x', 'y'),
    // SQL has no weighted mean; where the weights sum to 0 it is null.
    'sum(x * y) WINDOW / nullif(sum(CASE WHEN x IS NOT NULL THEN y END) WINDOW, 0)',
  ],
  corr: [agg.corr('x', 'y'), 'corr(x, y)'],
};

/** Rows as strings, numbers with the digits that another order of summing keeps. A correlation of NaN is null. */
function shown(table: Table): string[] {
  const text = (cell: unknown) => {
    if (typeof cell !== 'number') return String(cell);
    return Number.isNaN(cell) ? 'null' : String(Math.round(cell * 1e9) / 1e9 + 0);
  };
  return toRows(table).map((row) => Object.values(row).map(text).join(' '));
}

async function ask(table: Table, query: string): Promise<string[]> {
  const question = Object.assign([query], { raw: [query] });
  return shown(await sql({ t: table })(question as unknown as TemplateStringsArray));
}

const ofAll = <Value>(toValue: (aggregate: Aggregation) => Value) =>
  Object.fromEntries(Object.entries(AGGREGATES).map(([name, [aggregate]]) => [name, toValue(aggregate)]));

const selected = (window: string, place = 'i') =>
  Object.entries(AGGREGATES)
    .map(([name, [, text]]) => {
      const windowed = text.includes('WINDOW') ? text.replaceAll('WINDOW', window) : `${text} ${window}`;
      return `${windowed}${name === 'sumOfIntegers' ? '::BIGINT' : ''} AS "${name}"`;
    })
    .join(', ')
    .replaceAll('PLACE', place);

it('aggregates the groups of random tables as SQL does', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (table) => {
      const query = (keys: string) => `SELECT ${keys} ${selected('')} FROM t GROUP BY ALL ORDER BY min(i)`;
      const groups = rollup(
        groupBy(table, ['g', 'k']),
        ofAll((aggregate) => aggregate),
      );
      expect(shown(groups)).toEqual(await ask(table, query('g, k,')));
      expect(
        shown(
          rollup(
            table,
            ofAll((aggregate) => aggregate),
          ),
        ),
      ).toEqual(await ask(table, query('')));
    }),
    { numRuns: countRuns({ quick: 3, all: 2000 }) },
  );
}, 60_000);

it('aggregates windows of random tables as SQL does', async () => {
  const frames = {
    'ORDER BY i ROWS UNBOUNDED PRECEDING': (aggregate: Aggregation) => windows.cumulative(aggregate),
    'ORDER BY i ROWS 2 PRECEDING': (aggregate: Aggregation) =>
      windows.rolling(aggregate, { window: { rows: 3 } }),
    'ORDER BY d, i ROWS 2 PRECEDING': (aggregate: Aggregation) =>
      windows.rolling(aggregate, { window: { rows: 3 }, by: ['d', 'i'] }),
    'ORDER BY d RANGE INTERVAL 9 DAY PRECEDING': (aggregate: Aggregation) =>
      windows.rolling(aggregate, { window: { days: 10 }, by: 'd' }),
  };
  await fc.assert(
    fc.asyncProperty(
      tables,
      fc.constantFrom(...Object.entries(frames)),
      fc.boolean(),
      async (table, [frame, window], isGrouped) => {
        const partition = isGrouped ? 'PARTITION BY g' : '';
        const place = frame.includes('BY d') ? '{first: d, second: i}' : 'i';
        const query = `SELECT ${selected(`OVER (${partition} ${frame})`, place)} FROM t ORDER BY i`;
        const computed = withComputed(isGrouped ? groupBy(table, ['g']) : table, ofAll(window));
        const columns = computed.selectAt(Object.keys(AGGREGATES).map((_, at) => at + table.numCols));
        expect(shown(columns)).toEqual(await ask(table, query));
      },
    ),
    { numRuns: countRuns({ quick: 5, all: 2000 }) },
  );
}, 60_000);

const WINDOWS: Readonly<Record<string, readonly [Window | Aggregation, string]>> = {
  rank: [windows.rank('x'), 'rank() OVER (P ORDER BY x NULLS LAST)'],
  dense: [
    windows.rank('x', { ties: 'dense', descending: true }),
    'dense_rank() OVER (P ORDER BY x DESC NULLS LAST)',
  ],
  first: [windows.rank('x', { ties: 'first' }), 'row_number() OVER (P ORDER BY x NULLS LAST, i)'],
  average: [
    windows.rank('x', { ties: 'average' }),
    'rank() OVER (P ORDER BY x NULLS LAST) + (count(*) OVER (P_X) - 1) / 2',
  ],
  lag: [windows.lag('t'), 'lag(t) OVER (P ORDER BY i)'],
  lead: [windows.lead('n', { offset: 2 }), 'lead(n, 2) OVER (P ORDER BY i)'],
  lagBy: [
    windows.lag('x', { by: [{ column: 'k', descending: true }, 'i'] }),
    'lag(x) OVER (P ORDER BY k DESC NULLS LAST, i)',
  ],
  mean: [agg.mean('x'), 'avg(x) OVER (P)'],
};

it('ranks and shifts the rows of random tables as SQL does', async () => {
  await fc.assert(
    fc.asyncProperty(tables, fc.boolean(), async (table, isGrouped) => {
      const texts = Object.entries(WINDOWS).map(([name, [, text]]) => {
        const window = text
          .replaceAll('P_X', isGrouped ? 'PARTITION BY g, x' : 'PARTITION BY x')
          .replaceAll(/\bP\b/g, isGrouped ? 'PARTITION BY g' : '');
        const value = /rank|row_number/.test(text) ? `CASE WHEN x IS NOT NULL THEN ${window} END` : window;
        return `${value} AS "${name}"`;
      });
      const given = Object.fromEntries(
        Object.entries(WINDOWS).map(([name, [window]]) => [`${name}_`, window]),
      );
      const computed = withComputed(isGrouped ? groupBy(table, ['g']) : table, given);
      const columns = computed.selectAt(Object.keys(WINDOWS).map((_, at) => at + table.numCols));
      expect(shown(columns)).toEqual(await ask(table, `SELECT ${texts.join(', ')} FROM t ORDER BY i`));
    }),
    { numRuns: countRuns({ quick: 3, all: 2000 }) },
  );
}, 60_000);
