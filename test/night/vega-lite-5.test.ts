import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { degreeDays } from '../../src/agronomy/degree-days/degree-days.js';
import { plotAccumulatedDegreeDays } from '../../src/charts/accumulated-degree-days.js';
import type { Chart } from '../../src/charts/chart.js';
import { plotMap } from '../../src/charts/map.js';
import { plotRevisions } from '../../src/charts/revisions.js';
import { plotWeights } from '../../src/charts/weights.js';
import { plotYears } from '../../src/charts/years.js';
import { longFrame } from '../../src/frame/build/long.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { plotColumns } from '../charts/drawn.js';
import { NAMES, runsOf, seriesOf } from '../frame/points.js';

/** The libraries of a page that loads the two scripts that `npm ci --prefix test/vega5` installs. */
function loadVega5() {
  const page = createContext({ structuredClone });
  for (const name of ['vega', 'vega-lite']) {
    const script = new URL(`../vega5/node_modules/${name}/build/${name}.js`, import.meta.url);
    runInContext(readFileSync(script, 'utf8'), page);
  }
  return page as {
    vegaLite: { compile(spec: object, options: object): { spec: object } };
    vega: {
      parse(spec: object): object;
      View: new (parsed: object, options: object) => { toSVG(): Promise<string> };
    };
  };
}

const season = (year: number) => {
  const days = 153;
  const [tmin, tmax] = [new Float64Array(days).fill(10), new Float64Array(days).fill(20 + (year % 5))];
  return degreeDays({ tmin, tmax, base_temperature: 10, start_date: `${year}-05-01` });
};
const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    label: `County ${i}`,
    end_date: BigInt64Array.from([2012, 2013], (year) => BigInt(Date.UTC(year, 11, 31))),
    value: Float64Array.of(1, i),
  }));
const TEXTS = { title: 'Yield', measure: 'Yield', unit: 't/ha', source: 'USDA' };
const POINTS = longFrame(
  {
    series: [seriesOf()],
    runs: runsOf([{ series: 0, start: '2012-01-01', end: '2012-12-31', value: 3, reporting: '2012-05-01' }]),
  },
  { names: NAMES },
);
const RING = [
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 0],
];
const SHAPES = new Map([3, 6].map((id) => [id, { geometries: [{ coordinates: [[RING]] }] }]));
/** A map of one value has no legend. */
const REGIONS = longFrame(
  {
    series: [seriesOf(), seriesOf({ region_id: 6 })],
    runs: runsOf([0, 1].map((series) => ({ series, start: '2012-01-01', end: '2012-12-31', value: series }))),
  },
  { names: NAMES },
);

/** Every kind of chart, and a text that it shows. */
const CHARTS: [what: string, chart: Chart, text: string][] = [
  ['lines', plotColumns(lines(3), TEXTS), 'County 2'],
  ['panels', plotColumns(lines(12), TEXTS), 'County 11'],
  ['seasons', plotAccumulatedDegreeDays([season(2012), season(2013)]), '2013 · '],
  ['years', plotYears(POINTS), '2012'],
  ['revisions', plotRevisions(POINTS), '2012'],
  ['a map', plotMap(REGIONS, SHAPES), 'Yield (t/ha)'],
  ['weights', plotWeights(fromRows([{ region_id: 1, region_name: 'Iowa', weight: 1 }])), 'Iowa'],
];

describe('the Vega-Lite 5 of notebooks', () => {
  it.each(CHARTS)('draws %s', async (_what, chart, text) => {
    const { vega, vegaLite } = loadVega5();
    const warnings: string[] = [];
    const warn = (...texts: unknown[]) => void warnings.push(texts.join(' '));
    const logger = { level: () => logger, error: warn, warn, info: () => logger, debug: () => logger };
    const { spec } = vegaLite.compile(structuredClone(chart.spec), { logger });
    const svg = await new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG();
    expect(svg).toContain(text);
    expect(warnings).toEqual([]);
  });
});
