import {
  cropWeightedAverage,
  type WeightedAverage,
  weightSeries,
  weightSeriesInto,
} from '../../src/agronomy/weighted-series.js';
import type { RegionColumns, RegionWeights } from '../../src/agronomy/weights.js';
import { rival, type Workload, type WorkloadMaker, workload } from '../workload.js';
import { loadDuckDB } from './duckdb-rival.js';
import { assertClose } from './equal.js';
import { regionColumns, someWeights } from './inputs.js';
import { type PandasAnswer, startPandas } from './pandas-rival.js';
import { weightPlainly } from './plain-loops.js';

const SIZE = { regions: 1_000, days: 3_650 };
const NAME = 'crop-weighted series, 1,000 regions × 3,650 days';

function weightedSeries(
  workloadName: string,
  weigh: (columns: RegionColumns, weights: RegionWeights) => Float64Array,
): Workload {
  const columns = regionColumns(SIZE);
  const weights = someWeights(SIZE);
  const pandas = startPandas('weighted-series', {
    ...SIZE,
    value: columns.value,
    weights: Float64Array.from(weights.weights),
  });
  return workload<Float64Array>({
    workload: workloadName,
    rows: columns.value.length,
    bytes: ({ byteLength }) => byteLength,
    ours: () => weigh(columns, weights),
    rivals: [
      rival({
        rival: 'plain loop',
        run: () => weightPlainly(columns, weights.weights),
        assertEqual: assertClose,
      }),
      ...(pandas === null
        ? []
        : [
            rival({
              rival: 'pandas',
              run: () => pandas.run(),
              ownMs: ({ ms }: PandasAnswer) => ms,
              assertEqual: (ours: Float64Array, { values }: PandasAnswer) => assertClose(ours, values),
              wanted: 1,
            }),
          ]),
    ],
    close: () => pandas?.close(),
  });
}

export const workloads: WorkloadMaker[] = [
  () => weightedSeries(NAME, weightSeries),
  () => {
    const out = new Float64Array(SIZE.regions * SIZE.days);
    return weightedSeries(`${NAME}, into memory at hand`, (columns, weights) =>
      weightSeriesInto(out, columns, weights),
    );
  },
  () => {
    const columns = regionColumns(SIZE);
    const weights = someWeights(SIZE);
    const pandas = startPandas('weighted-series', {
      ...SIZE,
      value: columns.value,
      weights: Float64Array.from(weights.weights),
    });
    const againstPandas = rival({
      rival: 'pandas',
      run: () => pandas!.run(),
      ownMs: ({ ms }: PandasAnswer) => ms,
      assertEqual: (ours: Float64Array, { values }: PandasAnswer) => assertClose(ours, values),
      wanted: 1,
    });
    return workload<Float64Array>({
      // The values shrink from run to run, but stay far from the smallest numbers; equality is that of the first run.
      workload: `${NAME}, in place as computeCropWeightedSeries weighs`,
      rows: columns.value.length,
      bytes: ({ byteLength }) => byteLength,
      ours: () => weightSeriesInto(columns.value, columns, weights),
      rivals: pandas === null ? [] : [againstPandas],
      close: () => pandas?.close(),
    });
  },
  async () => {
    const columns = regionColumns(SIZE);
    const weights = someWeights(SIZE);
    const weight = Float64Array.from(weights.weights);
    const pandas = startPandas('weighted-average', { ...SIZE, value: columns.value, weights: weight });
    const day = columns.region.map((_, row) => row % SIZE.days);
    const duckdb = await loadDuckDB({
      day,
      value: columns.value,
      weight: weightOfRows(columns.region, weight),
    });
    const sql = 'SELECT sum(weight * value) FROM t GROUP BY day ORDER BY day';
    return workload<WeightedAverage>({
      workload: 'crop-weighted average across regions, 1,000 regions × 3,650 days',
      rows: columns.value.length,
      bytes: ({ value, weight_present }) => value.byteLength + weight_present.byteLength,
      ours: () => cropWeightedAverage(columns, weights),
      rivals: [
        rival({
          rival: 'DuckDB',
          run: async () => (await duckdb.query(sql))[0]!,
          assertEqual: ({ value }: WeightedAverage, theirs) => assertClose(value, theirs),
        }),
        ...(pandas === null
          ? []
          : [
              rival({
                rival: 'pandas',
                run: () => pandas.run(),
                ownMs: ({ ms }: PandasAnswer) => ms,
                assertEqual: ({ value }: WeightedAverage, { values }: PandasAnswer) =>
                  assertClose(value, values),
                wanted: 1,
              }),
            ]),
      ],
      close: () => {
        duckdb.close();
        pandas?.close();
      },
    });
  },
];

function weightOfRows(region: Uint32Array, weight: Float64Array): Float64Array {
  return Float64Array.from(region, (position) => weight[position]!);
}
