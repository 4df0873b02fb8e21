import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { ImporterSettings } from '../../../src/model/importing/job.js';
import { idOf } from '../../entity-id.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, named, type PlainPoint, pointsOf } from '../collect.js';
import { clientOf } from '../serving.js';
import { newStore } from '../stores.js';

const fixture = (name: string): string => join('test/fixtures/usdm', name);
const usdm = documentImporter('usdm');
const SHARES = fixture('county-ByAreaPercent.csv');

const { file } = temporaryFiles();

const points = (all: Collected, item: string, region: string) => pointsOf(all, { item, region });

const values = (all: Collected, item: string, region: string): (number | null)[] =>
  points(all, item, region).map(({ value }) => value);

const read = (path: string, settings: ImporterSettings = {}): Promise<Collected> =>
  collect(usdm, { files: [path], settings });

describe('usdm', () => {
  let shares: Collected;
  beforeAll(async () => {
    shares = await read(SHARES);
  });

  it('reads weeks, with the Thursday of the release as the reporting date', () => {
    const severe = points(shares, 'Severe drought or worse (D2-D4)', 'Polk County, Iowa');
    expect(
      severe.map(({ start, end, value, reported, available }) => [start, end, value, reported, available]),
    ).toEqual([
      ['2012-07-24', '2012-07-30', 88.13, '2012-07-26', '2012-07-26'],
      ['2012-07-17', '2012-07-23', 12.5, '2012-07-19', '2012-07-19'],
    ]);
    const [{ unit_id, metric_id, frequency_id }] = severe as [PlainPoint];
    expect([shares.entities.units.get(unit_id)!.abbreviation, frequency_id]).toEqual(['%', 3]);
    expect(shares.entities.metrics.get(metric_id)!.name).toBe('Drought area share');
  });

  it('reads counties and their equivalents, below their state', () => {
    const region = named(shares.entities.regions, 'Capitol Planning Region, Connecticut');
    expect([region.id, region.level, region.belongsTo]).toEqual([109_110, 5, [10_009]]);
    expect(values(shares, 'Abnormally dry or worse (D0-D4)', region.name)).toEqual([74.98]);
    expect(named(shares.entities.regions, 'Adjuntas Municipio, Puerto Rico').id).toBe(172_001);
  });

  it('counts empty cells and columns that it does not know as not read', async () => {
    expect(shares.notRead).toEqual(new Map([['empty cells', 1]]));
    expect((await read(fixture('state-ByPopulation.csv'))).notRead).toEqual(new Map([['Remark', 2]]));
    const [header, row] = readFileSync(fixture('county-ByArea.csv'), 'utf8').split('\n');
    const wider = file('wider-ByArea.csv', `${header},\n${row},9\n`);
    expect((await read(wider)).notRead).toEqual(new Map([['column 14', 1]]));
  });

  it('rejects rows whose county is of another state, and invalid figures, dates and formats', () => {
    expect(shares.rejected.map(({ line, reason, values: count }) => [line, count, reason])).toEqual([
      [6, 6, 'the FIPS code "19153" is not one of the state "IL"'],
      [
        7,
        6,
        'the D2 "-99" is less than 0; correct it or, if it means "no value", set "missing": ["-99"] in the document',
      ],
      [8, 6, 'the date "20120732" is not in the calendar'],
      [9, 6, '"none, 3" is not among the names of "category" and "StatisticFormatID"'],
    ]);
  });

  it('reads categorical figures under items of their own, with thousands separators', async () => {
    const areas = await read(fixture('county-ByArea.csv'));
    expect(values(areas, 'Moderate drought (D1)', 'Polk County, Iowa')).toEqual([517.79]);
    expect(values(areas, 'Moderate drought or worse (D1-D4)', 'Polk County, Iowa')).toEqual([]);
    expect(values(areas, 'No drought', 'North Slope Borough, Alaska')).toEqual([87_456.78]);
    const unit = areas.entities.units.get(areas.points[0]!.unit_id)!;
    // A square mile is 640 acres: 259 hectares.
    expect([unit.name, unit.baseConvFactor.factor?.toFixed(4)]).toEqual(['square mile', '258.9988']);
  });

  it('reads states and people, and dates of three forms', async () => {
    const people = await read(fixture('state-ByPopulation.csv'));
    expect(values(people, 'Severe drought or worse (D2-D4)', 'Iowa')).toEqual([1_250_000]);
    const [capital] = points(people, 'Abnormally dry or worse (D0-D4)', 'District of Columbia');
    expect(capital).toMatchObject({
      start: '2012-07-17',
      end: '2012-07-23',
      value: 601_723,
      reported: '2012-07-19',
    });
  });

  it('refuses a file whose statistic nobody says, or that contradicts it', async () => {
    const unnamed = file('dm_export.csv', readFileSync(SHARES, 'utf8'));
    await expect(read(unnamed)).rejects.toThrow(
      'its name does not say the quantity of its figures; give the setting "statistic": area, area-percent, population or population-percent',
    );
    await expect(read(unnamed, { statistic: 'area' })).rejects.toThrow('add up to 100, as percentages do');
    expect((await read(unnamed, { statistic: 'population-percent' })).points).toHaveLength(
      shares.points.length,
    );
    await expect(read(SHARES, { statistic: 'population-percent' })).rejects.toThrow(
      'its name says "area-percent"',
    );
    const areas = file('dm_export_2.csv', readFileSync(fixture('county-ByArea.csv'), 'utf8'));
    await expect(read(areas, { statistic: 'area-percent' })).rejects.toThrow(
      'do not add up to 100, but for example to 591.76',
    );
  });

  it('reads the nation and areas of other kinds, by their names and codes', async () => {
    const areas = async (columns: string, area: string) => {
      const text = readFileSync(SHARES, 'utf8')
        .replace('FIPS,County,State', columns)
        .replace('19153,Polk County,IA', area);
      const all = await read(file('areas-ByAreaPercent.csv', text.split('\n').slice(0, 2).join('\n')));
      const [{ region_id }] = all.points as [PlainPoint];
      return all.entities.regions.get(region_id)!.name;
    };
    expect(await areas('AreaOfInterest', 'CONUS')).toBe('Contiguous United States');
    expect(await areas('AreaOfInterest', 'IA')).toBe('Iowa');
    expect(await areas('HUCId,HUC', '07080105,South Skunk')).toBe('South Skunk (HUC 07080105)');
    expect(await areas('ClimateDivisionCode', '1301')).toBe('1301 (Climate Division Code 1301)');
    await expect(areas('Hub,State,Office', 'a,IA,b')).rejects.toThrow('is not a table of the data set usdm');
  });

  it('is found and read through the client as it was known at a time', async () => {
    const store = await newStore();
    const settings = { maxRejectedShare: 1 };
    const report = await importDataset(store, usdm, { files: [SHARES], ...settings });
    expect(report).toMatchObject({ rows: 48, points: 23, rejectedRows: 24, notReadRows: 1, added: 23 });
    expect(await importDataset(store, usdm, { files: [SHARES], ...settings })).toMatchObject({
      added: 0,
      unchanged: 23,
    });
    const client = clientOf(store);
    const selection = {
      metric_id: await idOf(client, 'metrics', 'drought area share'),
      item_id: await idOf(client, 'items', 'Severe drought or worse (D2-D4)'),
      region_id: await idOf(client, 'regions', 'Polk County, Iowa'),
      source_id: await idOf(client, 'sources', 'USDM'),
      frequency_id: 3,
    };
    const valuesAt = async (at_time?: string): Promise<unknown[]> =>
      (await client.getDataPoints({ ...selection, ...(at_time === undefined ? {} : { at_time }) })).map(
        ({ value }) => value,
      );
    expect(await valuesAt()).toEqual([12.5, 88.13]);
    expect(await valuesAt('2012-07-26T13:29:00Z')).toEqual([12.5]);
    expect(await valuesAt('2012-07-26T13:30:00Z')).toEqual([12.5, 88.13]);
  });
});
