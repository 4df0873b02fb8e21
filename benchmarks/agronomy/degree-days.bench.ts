import { op, table } from 'arquero';
import { type DegreeDaysMatrix, degreeDaysMatrix } from '../../src/agronomy/degree-days/matrix.js';
import type { DegreeDayMethod } from '../../src/agronomy/degree-days/plan.js';
import { maker, type Rival, rival, type WorkloadMaker, workload } from '../workload.js';
import { type DuckDBRival, loadDuckDB } from './duckdb-rival.js';
import { assertClose, assertTotalsEqual } from './equal.js';
import { type Temperatures, temperatures } from './inputs.js';
import { type Pandas, type PandasAnswer, startPandas } from './pandas-rival.js';
import { averagePlainly, BASE, CAP, extremesPlainly, sinePlainly, type Totals } from './plain-loops.js';

const SIZE = { regions: 3_000, days: 3_650 };
const NAME = 'growing degree days, 3,000 regions × 3,650 days';

function ours(input: Temperatures, method: DegreeDayMethod): DegreeDaysMatrix {
  return degreeDaysMatrix({ ...input, base: BASE, cap: CAP, method });
}

function plainly(input: Temperatures, loop: (input: Temperatures) => Totals): Rival<DegreeDaysMatrix> {
  return rival({
    rival: 'plain fused loop',
    run: () => loop(input),
    assertEqual: assertTotalsEqual,
    wanted: 0.77,
  });
}

/** `min` and `max` pass over nulls, so that the days without a mean are left out by name. */
function byDuckDB(duckdb: DuckDBRival): Rival<DegreeDaysMatrix> {
  const sql = `SELECT sum(greatest(least(mean, ${CAP}) - ${BASE}, 0)) FILTER (mean IS NOT NULL), count(mean)
    FROM (SELECT region, (tmin + tmax) / 2 AS mean FROM t) GROUP BY region ORDER BY region`;
  return rival({
    rival: 'DuckDB',
    run: async (): Promise<Totals> => {
      const [totals, counted] = await duckdb.query(sql);
      return { totals: totals!, counted: counted! };
    },
    assertEqual: assertTotalsEqual,
    wanted: 5,
  });
}

function byArquero(input: Temperatures, region: Uint32Array): Rival<DegreeDaysMatrix> {
  const frame = table({ region, tmin: input.tmin, tmax: input.tmax }).groupby('region');
  const rollup = {
    total: `op.sum(op.greatest(op.least((d.tmin + d.tmax) / 2, ${CAP}), ${BASE}) - ${BASE})`,
    counted: (d: { tmin: number; tmax: number }) => op.valid(d.tmin + d.tmax),
  };
  return rival({
    rival: 'Arquero',
    run: (): Totals => {
      const sums = frame.rollup({ ...rollup, total: `d => ${rollup.total}` });
      return { totals: sums.array('total') as number[], counted: sums.array('counted') as number[] };
    },
    assertEqual: assertTotalsEqual,
    wanted: 5,
  });
}

function byPandas(pandas: Pandas): Rival<DegreeDaysMatrix> {
  return rival({
    rival: 'pandas',
    run: () => pandas.run(),
    ownMs: ({ ms }: PandasAnswer) => ms,
    assertEqual: (answer: DegreeDaysMatrix, { values }: PandasAnswer) => assertClose(answer.totals, values),
    wanted: 5,
  });
}

export const workloads: WorkloadMaker[] = [
  maker(NAME, async (name) => {
    const input = temperatures(SIZE);
    const region = Uint32Array.from({ length: input.tmin.length }, (_, i) => Math.floor(i / SIZE.days));
    const duckdb = await loadDuckDB({ region, tmin: input.tmin, tmax: input.tmax });
    const pandas = startPandas('degree-days', { ...input, base: BASE, cap: CAP });
    return workload<DegreeDaysMatrix>({
      workload: name,
      rows: input.tmin.length,
      bytes: ({ totals, days_counted, coverage }) =>
        totals.byteLength + days_counted.byteLength + coverage.byteLength,
      ours: () => ours(input, 'average'),
      rivals: [
        plainly(input, averagePlainly),
        byDuckDB(duckdb),
        byArquero(input, region),
        ...(pandas === null ? [] : [byPandas(pandas)]),
      ],
      close: () => {
        duckdb.close();
        pandas?.close();
      },
    });
  }),
  ...(
    [
      ['mcmaster-wilhelm-2', extremesPlainly],
      ['single-sine', sinePlainly],
    ] as const
  ).map(([method, loop]) =>
    maker(`${NAME}, ${method}`, (name) => {
      const input = temperatures(SIZE);
      return workload<DegreeDaysMatrix>({
        workload: name,
        rows: input.tmin.length,
        bytes: ({ totals, days_counted, coverage }) =>
          totals.byteLength + days_counted.byteLength + coverage.byteLength,
        ours: () => ours(input, method),
        rivals: [plainly(input, loop)],
      });
    }),
  ),
];
