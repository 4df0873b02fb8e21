import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect, named } from '../collect.js';

const power = documentImporter('power');
const BY_MONTH = 'test/fixtures/power/power-by-month.csv';

const { file } = temporaryFiles();

describe('power', () => {
  it('gives days of UTC a place of their own, and refuses hourly and monthly figures', async () => {
    const text = readFileSync(BY_MONTH, 'utf8');
    const utc = await collect(power, {
      files: [
        file('utc.csv', text.replace('Location:', 'Dates (month/day/year): 02/29/2020 in UTC\nLocation:')),
      ],
    });
    expect(named(utc.entities.regions, '33.86° S, 151.21° E, days of UTC').belongsTo).toEqual([36]);
    const hourly = file('hourly.csv', text.replace('DY', 'DY,HR'));
    await expect(collect(power, { files: [hourly] })).rejects.toThrow(
      'hourly.csv is not a table of the data set power: ',
    );
    const monthly = file('monthly.csv', text.replace('MO,DY', 'JAN,FEB'));
    await expect(collect(power, { files: [monthly] })).rejects.toThrow(
      'monthly.csv is not a table of the data set power: ',
    );
  });

  it('reads the headers of older files, with one space after a parameter', async () => {
    const older = readFileSync(BY_MONTH, 'utf8').replace(/^([A-Z0-9_]+) {2,}/gm, '$1 ');
    const all = await collect(power, { files: [file('older.csv', older)] });
    expect(all.points).toEqual((await collect(power, { files: [BY_MONTH] })).points);
  });

  it('refuses a file none of whose columns are parameters of its header', async () => {
    const text = readFileSync(BY_MONTH, 'utf8').replace(/^YEAR.*$/m, (line) => line.replaceAll('T2M', 'T3M'));
    const other = file('power.csv', text);
    await expect(collect(power, { files: [other] })).rejects.toThrow(
      'power.csv has no column whose name matches ^(?<parameter>[A-Z][A-Z0-9_]+)$ and that the lines before the header describe',
    );
  });
});
