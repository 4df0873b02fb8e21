import { cropWeightedAverage, type WeightedAverage } from '../../src/agronomy/weights/weighted-average.js';
import { weightSeries, weightSeriesInto } from '../../src/agronomy/weights/weighted-series.js';
import type { RegionColumns, RegionWeights } from '../../src/agronomy/weights/weights.js';
import { maker, type Rival, rival, type Workload, type WorkloadMaker, workload } from '../workload.js';
import { loadDuckDB } from './duckdb-rival.js';
import { assertClose } from './equal.js';
import { regionColumns, someWeights } from './inputs.js';
import { type Pandas, type PandasAnswer, startPandas } from './pandas-rival.js';
import { weightPlainly } from './plain-loops.js';

const SIZE = { regions: 1_000, days: 3_650 };
const NAME = 'crop-weighted series, 1,000 regions × 3,650 days';

type Weigh = (columns: RegionColumns, weights: RegionWeights) => Float64Array;
type AgainstMore = (columns: RegionColumns, weights: RegionWeights) => Rival<Float64Array>[];

const againstPlainLoop: AgainstMore = (columns, { weights }) => [
  rival({ rival: 'plain loop', run: () => weightPlainly(columns, weights), assertEqual: assertClose }),
];

function weightedSeries(name: string, weigh: Weigh, againstMore: AgainstMore = againstPlainLoop): Workload {
  const columns = regionColumns(SIZE);
  const weights = someWeights(SIZE);
  const pandas = startPandas('weighted-series', {
    ...SIZE,
    value: columns.value,
    weights: Float64Array.from(weights.weights),
  });
  return workload<Float64Array>({
    workload: name,
    rows: columns.value.length,
    bytes: ({ byteLength }) => byteLength,
    ours: () => weigh(columns, weights),
    rivals: [...againstMore(columns, weights), ...againstPandas(pandas, (ours: Float64Array) => ours)],
    close: () => pandas?.close(),
  });
}

/** None where there is no pandas. */
function againstPandas<Answer>(
  pandas: Pandas | null,
  valuesOf: (ours: Answer) => Float64Array,
): Rival<Answer>[] {
  if (pandas === null) return [];
  return [
    rival({
      rival: 'pandas',
      run: () => pandas.run(),
      ownMs: ({ ms }: PandasAnswer) => ms,
      assertEqual: (ours: Answer, { values }: PandasAnswer) => assertClose(valuesOf(ours), values),
      wanted: 1,
    }),
  ];
}

export const workloads: WorkloadMaker[] = [
  maker(NAME, (name) => weightedSeries(name, weightSeries)),
  maker(`${NAME}, into memory at hand`, (name) => {
    const out = new Float64Array(SIZE.regions * SIZE.days);
    return weightedSeries(name, (columns, weights) => weightSeriesInto(out, columns, weights));
  }),
  // The values shrink from run to run, but stay far from the smallest numbers; equality is that of the first run.
  maker(`${NAME}, in place as computeCropWeightedSeries weighs`, (name) =>
    weightedSeries(
      name,
      (columns, weights) => weightSeriesInto(columns.value, columns, weights),
      () => [],
    ),
  ),
  maker('crop-weighted average across regions, 1,000 regions × 3,650 days', async (name) => {
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
      workload: name,
      rows: columns.value.length,
      bytes: ({ value, weight_present }) => value.byteLength + weight_present.byteLength,
      ours: () => cropWeightedAverage(columns, weights),
      rivals: [
        rival({
          rival: 'DuckDB',
          run: async () => (await duckdb.query(sql))[0]!,
          assertEqual: ({ value }: WeightedAverage, theirs) => assertClose(value, theirs),
        }),
        ...againstPandas(pandas, ({ value }: WeightedAverage) => value),
      ],
      close: () => {
        duckdb.close();
        pandas?.close();
      },
    });
  }),
];

function weightOfRows(region: Uint32Array, weight: Float64Array): Float64Array {
  return Float64Array.from(region, (position) => weight[position]!);
}
