import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Field, Float64, Schema } from 'apache-arrow';
import * as agronomy from '../src/agronomy.js';
import * as charts from '../src/charts.js';
import * as embedded from '../src/embedded.js';
import * as frame from '../src/frame.js';
import * as main from '../src/index.js';
import { demo } from '../src/ingest/demo/demo.js';
import * as ingest from '../src/ingest.js';
import * as service from '../src/service.js';
import * as store from '../src/store.js';

/** The modules of all entry points by their names. */
export const ENTRY_POINTS: Readonly<Record<string, object>> = {
  '.': main,
  './frame': frame,
  './agronomy': agronomy,
  './charts': charts,
  './embedded': embedded,
  './service': service,
  './store': store,
  './ingest': ingest,
};

const DAY_MS = 86_400_000n;
const KEY = {
  ...{ metric_id: 1, item_id: 2, region_id: 3 },
  ...{ partner_region_id: 0, source_id: 5, frequency_id: 1 },
};
const days = (count: number) => BigInt64Array.from({ length: count }, (_, i) => BigInt(i) * DAY_MS);
const POINTS = {
  series: [{ ...KEY, unit_id: 7 }],
  batches: [
    {
      length: 3,
      series: new Uint32Array(3),
      start_date: days(3),
      end_date: days(3),
      value: Float64Array.of(1, 2, Number.NaN),
      value_valid: null,
      unit_id: new Int32Array(3).fill(7),
      reporting_date: days(3),
      reporting_valid: null,
    },
  ],
};
const name = (id: number) => new Map([[id, `name of ${id}`]]);
const NAMES = {
  ...{ metrics: name(1), items: name(2), regions: name(3), frequencies: name(1) },
  ...{ sources: name(5), units: name(7), unit_abbreviations: name(7) },
};
const PROVENANCE = {
  ...{ asked: {}, retrieved_at: '2020-01-01T00:00:00.000Z', api_host: 'http://service.invalid' },
  ...{ sources: [], units: [], report: [] },
};
const TABLE = frame.longFrame(POINTS);
const SCHEMA = new Schema([new Field('a', new Float64(), true)]);
const TMIN = Float64Array.of(5, 8, 11, 4, 6);
const TMAX = Float64Array.of(15, 18, 31, 14, 16);
const RULE = { base: 10, cap: 30, method: 'single-sine', cutoff: 'vertical', temperature_unit: 'celsius' };
const SEASON = { start: '2012-05-01', values: Float64Array.of(1, 2, 3, 4, 5) };
const CLIMATOLOGY = agronomy.climatologyOf([SEASON, { ...SEASON, start: '2013-05-01' }]);
const DEGREE_DAYS = agronomy.degreeDays({ tmin: TMIN, tmax: TMAX, base: 10, start: '2012-05-01' });
const REGIONS = [{ id: 3, name: 'Iowa' }];
const COLUMNS = {
  region: new Uint32Array(3),
  start_date: days(3),
  end_date: days(3),
  value: Float64Array.of(1, 2, 3),
  value_valid: null,
};
const WEIGHTS = { weights: [1], without_data: [] };
const SIZE = { width: 400, height: 300 };
const TEXTS = { title: 'A', subtitle: 'b', source: 'c' };

const asyncNothing = { async *[Symbol.asyncIterator]() {} };

/** A public function: valid arguments, and where it takes options, each with all its keys. */
interface PublicFunction {
  readonly valid: readonly unknown[];
  /** Positions of arguments that refuse unknown keys. */
  readonly options?: readonly number[] | undefined;
}

/** Every public function. Those that make something that must be closed are called in tests of their own. */
export function publicFunctions(
  opened: import('../src/store/store.js').Store,
): Readonly<Record<string, PublicFunction>> {
  return {
    createClient: {
      valid: [
        {
          ...{ api_host: 'localhost', access_token: 't', fetch: () => {}, concurrency: 2, timeoutMs: 5 },
          retry: { retries: 1, firstWaitMs: 1, maxWaitMs: 1, maxRetryAfterMs: 1 },
          cache: { directory: join(tmpdir(), 'never'), maxBytes: 5 },
          offline: true,
        },
      ],
      options: [0],
    },
    getAccessToken: {
      valid: [
        {
          ...{ api_host: 'localhost', email: 'a@b.c', password: 'x' },
          fetch: async () => Response.json({ data: { accessToken: 't' } }),
          signal: new AbortController().signal,
        },
      ],
      options: [0],
    },
    describeFrame: { valid: [TABLE] },
    progressBar: { valid: [() => {}, () => ''] },
    fromArrow: { valid: [main.toArrowFile(TABLE)] },
    toArrowFile: { valid: [TABLE] },
    toArrowStream: { valid: [TABLE] },
    fromCsv: { valid: ['a\r\n1\r\n', { schema: SCHEMA }], options: [1] },
    toCsv: { valid: [TABLE, { safe: true, date_only: true }], options: [1] },
    toDanfo: {
      valid: [
        TABLE,
        {
          danfo: {
            DataFrame: class {
              shape = [0, 0];
            },
          },
        },
      ],
      options: [1],
    },
    fromParquet: { valid: [new Uint8Array(8), { columns: ['value'] }], options: [1] },
    toParquet: { valid: [TABLE, { compression: 'none', rowGroupRows: 5 }], options: [1] },
    fromRows: { valid: [[{ a: 1 }], { schema: SCHEMA }], options: [1] },
    fromColumns: {
      valid: [{ a: { type: 'float64', values: TMIN, valid: null } }, { metadata: new Map() }],
      options: [1],
    },
    toColumns: { valid: [TABLE] },
    toRows: { valid: [TABLE] },
    writeFrame: { valid: [TABLE, join(tmpdir(), 'never', 'written.csv'), new AbortController().signal] },
    readColumn: { valid: [TABLE, 'value', 'float64'] },

    longFrame: {
      valid: [
        POINTS,
        {
          ...{ names: NAMES, index_by_series: true, show_available_date: true, show_metadata: true },
          provenance: PROVENANCE,
        },
      ],
      options: [1],
    },
    streamLong: {
      valid: [
        asyncNothing,
        {
          ...{ names: NAMES, show_available_date: true, show_metadata: true, provenance: PROVENANCE },
          ...{ series: [KEY], report: () => [] },
        },
      ],
      options: [1],
    },
    wideFrame: { valid: [POINTS, { names: NAMES, provenance: PROVENANCE }], options: [1] },
    displayFrame: { valid: [TABLE, { width: 80, rows: 2, series: 1 }], options: [1] },
    frameHtml: { valid: [TABLE, { rows: 2, series: 1 }], options: [1] },
    renderPage: { valid: ['Title', [{ heading: 'A', text: 'b', html: '<p>' }]] },
    progressLine: { valid: [{ label: 'a', done: 1, total: 2, unit: 'rows', rows: 3 }] },
    writeArrow: { valid: [{ schema: SCHEMA, batches: asyncNothing }, { format: 'file' }], options: [1] },
    writeParquet: {
      valid: [
        { schema: SCHEMA, batches: asyncNothing, lastProvenance: () => PROVENANCE },
        { compression: 'none', rowGroupRows: 5 },
      ],
      options: [1],
    },
    readProvenance: { valid: [TABLE] },
    withProvenance: { valid: [TABLE, PROVENANCE] },
    align: { valid: [TABLE, TABLE, { join: 'outer' }], options: [2] },
    anomaly: {
      valid: [TABLE, { start_date: '1970-01-01', end_date: '1970-01-02', as: 'percent' }],
      options: [1],
    },
    concat: { valid: [[TABLE]] },
    creditOf: { valid: [TABLE] },
    filter: {
      valid: [
        TABLE,
        {
          ...{ start_date: '1970-01-01', end_date: '1970-01-02', min_value: 0, max_value: 9 },
          ...{ where: () => true, keep_null: true },
        },
      ],
      options: [1],
    },
    join: {
      valid: [
        TABLE,
        TABLE,
        {
          ...{ on: 'end_date', how: 'inner', repeat_coarser: true, suffix: ' (2)' },
          ...{ left_date: 'end_date', right_date: 'end_date' },
        },
      ],
      options: [2],
    },
    withShortNames: { valid: [frame.wideFrame(POINTS, { names: NAMES })] },
    withColumn: { valid: [TABLE, 'twice', 'value * 2', { columns: {}, unit: 't' }], options: [3] },
    resample: {
      valid: [TABLE, { to: 'monthly', how: 'sum', min_temporal_coverage: 0.1, first_month: 2 }],
      options: [1],
    },
    rollingMean: {
      valid: [TABLE, { window: { days: 2, months: 0, years: 0 }, min_values: 1 }],
      options: [1],
    },
    selectSeries: { valid: [TABLE, { ...KEY }], options: [1] },
    yearOverYear: { valid: [TABLE, { as: 'ratio', years: 2 }], options: [1] },

    accumulate: { valid: [TMIN] },
    accumulateFromBiofix: { valid: [TMIN, '2012-05-01', '2012-05-02'] },
    climatologyOf: { valid: [[SEASON], { percentiles: [10, 90] }], options: [1] },
    compareToClimatology: { valid: [CLIMATOLOGY, SEASON] },
    cornHeatUnits: { valid: [{ tmin: TMIN, tmax: TMAX }], options: [0] },
    dateOfThreshold: { valid: [DEGREE_DAYS, 5, { biofix: '2012-05-02' }], options: [2] },
    degreeDays: {
      valid: [
        {
          ...RULE,
          ...{ tmin: TMIN, tmax: TMAX, missing: { interpolate: 2 }, start: '2012-05-01' },
          ...{ next_tmin: 4, min_temporal_coverage: 0.5 },
        },
      ],
      options: [0],
    },
    degreeDaysOf: {
      valid: [
        TABLE,
        {
          ...RULE,
          ...{ tmin: { item_id: 1 }, tmax: { item_id: 2 }, season: { from: '05-01', to: '09-30' } },
          ...{ missing: 'zero', min_temporal_coverage: 0.5, weights: [{ id: 3, weight: 1 }] },
        },
      ],
      options: [1],
    },
    seasonStatistics: {
      valid: [
        TABLE,
        {
          statistics: { rain: { of: { item_id: 2 }, compute: () => 1 } },
          ...{ season: { from: '05-01', to: '09-30' }, min_temporal_coverage: 0.5 },
        },
      ],
      options: [1],
    },
    countDaysBeyond: { valid: [TMAX, { above: 1, at_least: 1, below: 30, at_most: 30 }], options: [1] },
    findSpells: {
      valid: [SEASON, { above: 1, at_least: 1, below: 30, at_most: 30, min_days: 1 }],
      options: [1],
    },
    frostDates: { valid: [SEASON, { threshold: 0, midsummer: '07-15' }], options: [1] },
    growingSeasons: { valid: [SEASON, { threshold: 5, days: 6, year_start: '01-01' }], options: [1] },
    hargreavesEvapotranspiration: {
      valid: [{ tmin: TMIN, tmax: TMAX, start: '2012-05-01', latitude: 42 }],
      options: [0],
    },
    standardisedPrecipitationIndex: { valid: [TMIN, { months: 1, min_years: 3 }], options: [1] },
    degreeDaysMatrix: {
      valid: [
        {
          ...RULE,
          ...{ tmin: TMIN, tmax: TMAX, regions: 1, days: 5, layout: 'day-major', missing: 'zero' },
          ...{ next_tmin: Float64Array.of(4), daily: true },
        },
      ],
      options: [0],
    },
    cutSeasons: { valid: [SEASON, { from: '05-01', to: '05-03' }], options: [1] },
    degreeDaysFrame: {
      valid: [
        [
          {
            ...{ region_name: 'Iowa', interval: null, total: 5, coverage: 1, ...RULE },
            tmin_series: { source_name: 'NOAA' },
          },
        ],
      ],
    },
    weightsFrame: {
      valid: [
        { regions: REGIONS, weights: [1], series: [{ ...KEY, source_name: 'USDA' }], without_data: [] },
      ],
    },
    sumAcrossRegions: { valid: [TABLE] },
    cropWeightedAverage: {
      valid: [COLUMNS, WEIGHTS, { weighting_func: (a: number, b: number) => a * b, renormalise: true }],
      options: [2],
    },
    weightSeries: { valid: [COLUMNS, WEIGHTS, (a: number, b: number) => a * b] },
    weightsByYear: { valid: [COLUMNS, REGIONS] },
    weightsFromMeans: {
      valid: [COLUMNS, REGIONS, { start_date: '1970-01-01', end_date: '1970-01-02' }],
      options: [2],
    },

    plotAccumulatedDegreeDays: {
      valid: [
        [{ ...DEGREE_DAYS, label: '2012', region_name: 'Iowa', tmin_series: { source_name: 'NOAA' } }],
        { ...TEXTS, ...SIZE, highlight: '2012', climatology: CLIMATOLOGY },
      ],
      options: [1],
    },
    plotMap: {
      valid: [
        TABLE,
        [
          {
            region_id: 3,
            shape: {
              geometries: [
                {
                  coordinates: [
                    [
                      [
                        [0, 0],
                        [0, 1],
                        [1, 1],
                        [0, 0],
                      ],
                    ],
                  ],
                },
              ],
            },
          },
        ],
        { ...TEXTS, ...SIZE, date: '1970-01-01' },
      ],
      options: [2],
    },
    plotRevisions: { valid: [TABLE, { ...TEXTS, ...SIZE }], options: [1] },
    plotWeights: {
      valid: [main.fromRows([{ region_id: 1, region_name: 'a', weight: 1 }]), { ...TEXTS, ...SIZE }],
      options: [1],
    },
    plotYears: { valid: [TABLE, { ...TEXTS, ...SIZE, measure: 'd', unit: 'e' }], options: [1] },
    plotFrame: { valid: [TABLE, { ...TEXTS, ...SIZE, measure: 'd', unit: 'e' }], options: [1] },
    plotSeries: {
      valid: [
        [{ label: 'a', end_date: days(3), value: Float64Array.of(1, 2, 3) }],
        { ...TEXTS, ...SIZE, measure: 'd', unit: 'e', highlight: 'a' },
      ],
      options: [1],
    },

    openEmbedded: {
      valid: [
        {
          ...{
            demo: false,
            concurrency: 2,
            timeoutMs: 5,
            retry: { retries: 1 },
          },
          ...{ signal: new AbortController().signal, onProgress: () => {} },
        },
      ],
      options: [0],
    },
    createService: {
      valid: [opened, { authorize: () => 'x', log: () => {}, requestsPerMinute: 5 }],
      options: [1],
    },
    serve: {
      valid: [
        () => new Response(),
        { port: 0, hostname: '203.0.113.1', tlsCert: 'no-cert.pem', tlsKey: 'no-key.pem' },
      ],
      options: [1],
    },
    openAccess: { valid: [':memory:'] },
    openStore: { valid: ['://no-store', { readOnly: true }], options: [1] },
    hostImports: { valid: [{ maxBytes: 5, folder: join(tmpdir(), 'cropframe-hosted') }], options: [0] },
    importDataset: {
      valid: [
        opened,
        { ...demo, read: async function* () {} },
        {
          ...{ files: ['a'], importedMs: 5, maxRejectedShare: 0.5, maxRejected: 3, maxConflicts: 5 },
          settings: { keepFlagged: true, units: 'metric', mapping: {} },
          ...{ onRejected: () => {}, onConflicts: () => {}, onProgress: () => {} },
          signal: new AbortController().signal,
        },
      ],
      options: [2],
    },
  };
}
