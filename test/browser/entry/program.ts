import type * as Agronomy from '../../../src/agronomy.js';
import type * as Browser from '../../../src/browser.js';
import type * as Charts from '../../../src/charts.js';

/** The entry points that a program in a page imports. */
export interface Entries {
  readonly root: Pick<typeof Browser, RootName>;
  readonly agronomy: typeof Agronomy;
  readonly charts: typeof Charts;
}

type RootName = 'createClient' | 'fromArrow' | 'fromCsv' | 'fromParquet';

/** What a program of an analyst yields, as JSON. It is run in pages and in Node, with equal results. */
export async function runProgram(
  { root, agronomy }: Entries,
  options: { api_host: string; access_token: string },
): Promise<Record<string, unknown>> {
  const client = root.createClient(options);
  const seattle = { metric: 'Temperature', region: 'Seattle' };
  const tmin_series = await client.addDataSeries({ ...seattle, item: 'Temperature min' });
  const tmax_series = await client.addDataSeries({ ...seattle, item: 'Temperature max' });
  if (tmin_series === null || tmax_series === null)
    throw new Error('the demo data have temperatures of Seattle');
  const long = await client.getDf({ include_names: true });
  const wide = await client.getDf({ compress_format: true });
  const arrow = long.toArrow();
  const parquet = await long.toParquet();
  const monthly = long.resample({ to: 'monthly', how: 'mean' });
  const season = { start_date: '2014-05-01', end_date: '2014-09-30' };
  const degreeDays = await client.computeGdd({
    tmin_series,
    tmax_series,
    base_temperature: 10,
    ...season,
  } as never);
  const chart = await wide.plot().toSvg();
  const { retrieved_at: _, ...described } = root.fromArrow(arrow).summary();
  return {
    rows: long.numRows,
    csv: long.toCsv(),
    wide: wide.toCsv(),
    monthly: monthly.toCsv(),
    described,
    fromArrow: root.fromArrow(arrow).toCsv(),
    fromParquet: (await root.fromParquet(parquet)).toCsv(),
    parquetMagic: new TextDecoder().decode(parquet.slice(0, 4)),
    degreeDays,
    pure: agronomy.degreeDays({
      tmin: Float64Array.of(8, 12, 4),
      tmax: Float64Array.of(20, 28, 9),
      base_temperature: 10,
    }).total,
    chart: {
      lines: chart.match(/role="graphics-symbol"|<path/g)?.length ?? 0,
      isSvg: chart.startsWith('<svg'),
    },
  };
}
