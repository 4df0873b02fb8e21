import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { ImporterSettings } from '../../../src/model/importing/job.js';
import { idOf } from '../../entity-id.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, inWords } from '../collect.js';
import { clientOf } from '../serving.js';
import { newStore } from '../stores.js';

const fixture = (name: string): string => join('test/fixtures/usdm', name);
const usdm = documentImporter('usdm');
const SHARES = fixture('county-ByAreaPercent.csv');

const { file } = temporaryFiles();

const read = (path: string, settings: ImporterSettings = {}): Promise<Collected> =>
  collect(usdm, { files: [path], settings });

describe('usdm', () => {
  let shares: Collected;
  beforeAll(async () => {
    shares = await read(SHARES);
  });

  it('counts columns without a name as not read', async () => {
    const [header, row] = readFileSync(fixture('county-ByArea.csv'), 'utf8').split('\n');
    const wider = file('wider-ByArea.csv', `${header},\n${row},9\n`);
    expect((await read(wider)).notRead).toEqual(new Map([['column 14', 1]]));
  });

  it('refuses a file whose statistic nobody says, or that contradicts it', async () => {
    const unnamed = file('dm_export.csv', readFileSync(SHARES, 'utf8'));
    await expect(read(unnamed)).rejects.toThrow(
      'its name does not say which quantity it contains; specify the setting "statistic": area, area-percent, population or population-percent',
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
      return inWords(all)[0]!.region;
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
