import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FoundSeries } from '../../src/client/discovery/resolution.js';
import type { Fetch } from '../../src/client/http/request.js';
import type { Client } from '../../src/create-client.js';
import { runCommand, temporaryFolder } from '../cli/capture.js';
import { json } from '../client/answering.js';
import { createCountyStore, fillWithCounties, IOWA_COUNTY } from './county-store.js';
import { useDemoService } from './demo-service.js';
import { jsonOnlyService } from './json-only-service.js';

const CORN = { metric: 'Area harvested', item: 'Corn' };
const SEASON = { base_temperature: 10, start_date: '2015-05-01', end_date: '2015-05-10' };
const COUNTY = { id: IOWA_COUNTY, name: 'Iowa County, Wisconsin', exact: false };
const MATCHED = { requested: 'Iowa', ...COUNTY };
const REPLACED = { ...MATCHED, instead_of: 'Iowa' };

const service = useDemoService(fillWithCounties);
let client: Client;
beforeAll(async () => {
  client = service.client();
});

describe('in a store of counties, the state Iowa', () => {
  it('is not Iowa County for findDataSeries without a word', async () => {
    const found: object[] = [];
    for await (const series of client.findDataSeries({ ...CORN, region: 'Iowa' })) found.push(series);
    expect(found).toMatchObject([{ region_id: IOWA_COUNTY, matched: { region: MATCHED } }]);
  });

  it('is not Iowa County for addDataSeries, which says why', async () => {
    const saving = service.client();
    const reasons: string[] = [];
    const onNothing = (reason: string) => void reasons.push(reason);
    expect(await saving.addDataSeries({ ...CORN, region: 'Iowa', onNothing })).toBeNull();
    expect(saving.getDataSeriesList()).toEqual([]);
    expect(reasons).toEqual([
      expect.stringMatching(
        /^region: "Iowa" is Iowa, which has no such series; to use "Iowa County, Wisconsin" \(id \d+\), request it by name/,
      ),
    ]);
  });

  it('is not Iowa County in a frame without a word, as text, with names and in CSV', async () => {
    const saving = service.client();
    for await (const series of client.findDataSeries({ ...CORN, region: 'Iowa' }))
      saving.addSingleDataSeries(series);
    for (const compress_format of [true, false]) {
      const frame = await saving.getDf({ compress_format });
      expect(frame.provenance?.report[0]?.matched).toEqual({ region: REPLACED });
      expect(frame.toText()).toContain('matched: Iowa County, Wisconsin for "Iowa"');
      expect(frame.toCsv()).toContain('Iowa County, Wisconsin');
    }
    const path = join(temporaryFolder(), 'replaced.csv');
    await saving.writeDf(path);
    expect(readFileSync(path, 'utf8')).toContain('Iowa County, Wisconsin');
    expect((await saving.getDf({ include_names: false })).toCsv()).not.toContain('Iowa County');
  });

  it('has no degree days, but a suggestion; explained, its county is named', async () => {
    await expect(client.growingDegreeDays({ region_name: 'Iowa', ...SEASON })).rejects.toThrow(
      'no region called "Iowa" has daily temperatures; did you mean "Iowa County, Wisconsin"?',
    );
    const found = await client.growingDegreeDays({ region_name: 'Iowa', ...SEASON, explain: true });
    expect(found).toMatchObject({ region_name: 'Iowa County, Wisconsin', matched: MATCHED, total: 50 });
  });

  it('weighs nothing, whatever its counties have', async () => {
    const regions = ['Iowa', 'Grant County, Wisconsin'];
    const weights = await client.computeWeights('Corn', 'Area harvested', regions);
    expect(weights).toEqual([0, 1]);
    expect(JSON.stringify(weights)).toBe('[0,1]');
    expect(weights.without_data.map(({ name }) => name)).toEqual(['Iowa']);
    const explained = await client.explainWeights('Corn', 'Area harvested', { regions });
    expect(explained.without_data.map(({ name }) => name)).toEqual(['Iowa']);
    expect(explained.series[0]).toBeNull();
    await expect(client.computeWeights('Corn', 'Area harvested', ['Iowa'])).rejects.toThrow(
      'no series of "Area harvested" for "Corn" in Iowa',
    );
  });

  it('is not Iowa County in a weighted series', async () => {
    const frame = await client.computeCropWeightedSeries({
      weighting_crop_name: 'Corn',
      weighting_metric_name: 'Area harvested',
      item_name: 'Corn',
      metric_name: 'Yield',
      regions: ['Iowa', 'Grant County, Wisconsin'],
    });
    const report = frame.provenance!.report;
    expect(report.map(({ series }) => series.region_id)).not.toContain(IOWA_COUNTY);
    expect(report.map(({ matched }) => matched)).toEqual([undefined, undefined]);
    expect(report.map(({ outcome }) => outcome)).toEqual(['empty', 'data']);
  });
});

describe('a misspelt name', () => {
  const misspelt = 'Iowa Countyy, Wisconsin';
  const weighting = { item_name: 'Corn', metric_name: 'Yield', weighting_metric_name: 'Area harvested' };

  it('is refused with a suggestion where the result is a bare number', async () => {
    await expect(client.growingDegreeDays({ region_name: misspelt, ...SEASON })).rejects.toThrow(
      'did you mean "Iowa County, Wisconsin"?',
    );
    await expect(client.computeWeights('Corn', 'Area harvested', [misspelt])).rejects.toThrow(
      `no region is called "${misspelt}"; did you mean "Iowa County, Wisconsin"?`,
    );
    const county = ['Iowa County, Wisconsin'];
    await expect(client.computeWeights('Cornn', 'Area harvested', county)).rejects.toThrow(
      'no item is called "Cornn"; did you mean "Corn"?',
    );
    await expect(client.computeWeights('Corn', 'Area harvestd', county)).rejects.toThrow(
      'no metric is called "Area harvestd"; did you mean "Area harvested"?',
    );
  });

  it('is said beside the weights, and in the report of a weighted frame', async () => {
    const explained = await client.explainWeights('Cornn', 'Area harvestd', { regions: [misspelt] });
    expect(explained.weights).toEqual([1]);
    const asked = (names: object) =>
      Object.fromEntries(
        Object.entries(names).map(([name, matched]) => [name, (matched as { requested: string }).requested]),
      );
    expect(asked(explained.series[0]!.matched!)).toEqual({
      item: 'Cornn',
      metric: 'Area harvestd',
      region: misspelt,
    });
    const regions = [{ name: misspelt, proxy_region: 'Grant Countyy, Wisconsin' }];
    for (const frame of [
      await client.computeCropWeightedSeries({ ...weighting, weighting_crop_name: 'Cornn', regions }),
      await client.computeCropWeightedAverage({ ...weighting, weighting_crop_name: 'Cornn', regions }),
    ]) {
      expect(asked(frame.provenance!.report[0]!.matched!)).toEqual({
        region: misspelt,
        proxy_region: 'Grant Countyy, Wisconsin',
        weighting_crop_name: 'Cornn',
      });
    }
  });
});

describe('a service whose hits are ids alone, and that ranks nothing', () => {
  /** As the base of the wire: no names and no exactness of hits, and 204 for rankings. */
  const bare: Fetch = async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/v2/available/')) return new Response(null, { status: 204 });
    const response = await service.service(request);
    if (!pathname.startsWith('/v2/search/')) return response;
    const hits = (await response.json()) as { id: number }[];
    return json(hits.map(({ id }) => ({ id })));
  };
  const other = () => service.client({ fetch: jsonOnlyService(bare) });
  const foundFor = async (region: string) => {
    const found: FoundSeries[] = [];
    for await (const series of other().findDataSeries({ ...CORN, region })) found.push(series);
    return found;
  };

  it('has exact hits where the name is the text, up to case, accents and punctuation', async () => {
    for (const region of ['Iowa County, Wisconsin', 'iowa county wisconsin', 'Íowa  County-Wisconsin']) {
      const found = await foundFor(region);
      expect(found.map(({ region_id, matched }) => [region_id, matched])).toEqual([[IOWA_COUNTY, undefined]]);
      const total = await other().growingDegreeDays({ region_name: region, ...SEASON });
      expect(total).toBe(50);
    }
    expect(await other().computeWeights('corn', 'area harvested', ['Iowa County, Wisconsin'])).toEqual([1]);
  });

  it('names the entity used for every other name, and refuses it where the result is a bare number', async () => {
    expect(await foundFor('Iowa')).toMatchObject([{ region_id: IOWA_COUNTY, matched: { region: MATCHED } }]);
    await expect(other().growingDegreeDays({ region_name: 'Iowa', ...SEASON })).rejects.toThrow(
      'did you mean "Iowa County, Wisconsin"?',
    );
    // A synonym is not the name of the entity, and such a service does not say that it is one.
    const county = ['Iowa County, Wisconsin'];
    await expect(other().computeWeights('maize', 'Area harvested', county)).rejects.toThrow(
      'no item is called "maize"; did you mean "Corn"?',
    );
  });
});

describe('a service that calls its temperatures otherwise', () => {
  it('gives no bare number of what may be something else', async () => {
    const [tmax] = await client.search('items', 'Temperature max');
    const fetch: Fetch = async (request) => {
      const url = new URL(request.url);
      const isMinimum =
        url.pathname === '/v2/search/items' && url.searchParams.get('q') === 'Temperature min';
      if (url.pathname === '/v2/resolve') return new Response(null, { status: 404 });
      if (isMinimum) return json([{ ...tmax, name: 'Temperature max', exact: false }]);
      return service.service(request);
    };
    const other = service.client({ fetch });
    const options = { region_name: 'Iowa County, Wisconsin', ...SEASON };
    await expect(other.growingDegreeDays(options)).rejects.toThrow(
      'the service has nothing called "Temperature min", and "Temperature max" may be something else',
    );
    const { tmin_series } = await other.growingDegreeDays({ ...options, explain: true });
    expect(tmin_series.matched?.item).toMatchObject({
      requested: 'Temperature min',
      name: 'Temperature max',
    });
  });
});

describe('the command', () => {
  const store = join(temporaryFolder(), 'counties.duckdb');
  beforeAll(() => createCountyStore(store));
  const run = (...argv: string[]) => runCommand([...argv, '--store', store]);
  const corn = ['--metric', 'Area harvested', '--item', 'Corn'];
  const season = ['--base', '10', '--start', SEASON.start_date, '--end', SEASON.end_date];
  const misspelt = 'Iowa Countyy, Wisconsin';
  const took = `warning: "Iowa County, Wisconsin" was used for the region "${misspelt}"\n`;
  const replaced =
    'warning: "Iowa County, Wisconsin" was used for the region "Iowa": Iowa has no such series\n';
  const refused = /"Iowa" is Iowa, which has no such series; to use "Iowa County, Wisconsin"/;
  const within =
    /^error: "Wisconsin" has no such series, but some regions within it do, such as "\w+ County, Wisconsin"; specify one of them, or .* "cropframe from-parts"\n$/;

  it.each<[argv: readonly string[], region: string, code: number, stderr: string | RegExp]>([
    [['points', ...corn], 'Iowa County, Wisconsin', 0, ''],
    [['df', ...corn], 'Iowa County, Wisconsin', 0, ''],
    [['points', ...corn], misspelt, 0, took],
    [['df', ...corn], misspelt, 0, took],
    [['sample', ...corn, '--file', '-'], misspelt, 0, took],
    [['find', ...corn], 'Iowa', 0, replaced],
    [['gdd', ...season], 'Iowa', 0, replaced],
    [['gdd', ...season, '--json'], 'Iowa', 0, replaced],
    [['points', ...corn], 'Iowa', 3, refused],
    [['df', ...corn], 'Iowa', 3, refused],
    [['sample', ...corn, '--file', '-'], 'Iowa', 3, /no data series is available for the selection/],
    [['points', ...corn], 'Wisconsin', 3, within],
  ])(
    '%s says what it took for the region %s, even without a terminal',
    async (argv, region, code, stderr) => {
      const ending = await run(...argv, '--region', region);
      expect(ending).toMatchObject({
        code,
        stderr: typeof stderr === 'string' ? stderr : expect.stringMatching(stderr),
      });
      expect(ending.stdout !== '').toBe(code === 0);
      // The names that were taken for misspelt ones are in the rows too.
      if (stderr === took && argv[0] !== 'sample') expect(ending.stdout).toContain('Iowa County, Wisconsin');
    },
  );

  it('find lists the regions within one that has no such series, and says in its JSON what it took', async () => {
    const { stdout, stderr } = await run('find', ...corn, '--region', 'Wisconsin', '--json');
    const regions = JSON.parse(stdout).map(({ region_name }: { region_name: string }) => region_name);
    expect(regions.sort()).toEqual(['Grant County, Wisconsin', 'Iowa County, Wisconsin']);
    expect(stderr).toBe(
      'warning: "Wisconsin" has no such series; series for regions within it are listed instead\n',
    );
    const guessed = await run('find', '--metric', 'Area harvestd', '--item', 'Corn', '--region', 'Wisconsin');
    expect(guessed.stdout).toContain('Grant County, Wisconsin');
    expect(guessed.stderr).toBe(
      `warning: "Area harvested" was used for the metric "Area harvestd"\n${stderr}`,
    );
    const [series] = JSON.parse((await run('find', ...corn, '--region', 'Iowa', '--json')).stdout);
    expect(series.matched).toEqual({ region: REPLACED });
  });
});
