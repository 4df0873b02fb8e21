import '../../../src/frame/formats/load-in-node.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { temporaryFolder } from '../../temporary-files.js';
import { exactRows } from '../exact-rows.js';

const folder = temporaryFolder();

const tableOf = () =>
  fromRows([
    { end_date: '2012-01-01T00:00:00.000Z', value: 1.5, region_name: 'Iowa, "central"' },
    { end_date: '2012-01-02T00:00:00.000Z', value: null, region_name: null },
  ]);

describe('writeFrame', () => {
  it.each([
    ['frame.parquet', (bytes: Buffer) => fromParquet(bytes)],
    ['frame.PQ', (bytes: Buffer) => fromParquet(bytes)],
    ['frame.arrow', (bytes: Buffer) => fromArrow(bytes)],
    ['frame.feather', (bytes: Buffer) => fromArrow(bytes)],
    ['frame.arrows', (bytes: Buffer) => fromArrow(bytes)],
    ['frame.csv', (bytes: Buffer) => fromCsv(bytes.toString('utf8'))],
    ['frame.json', (bytes: Buffer) => fromRows(JSON.parse(bytes.toString('utf8')))],
  ])('writes %s as its ending says', async (name, read) => {
    const path = join(folder, name);
    await tableOf().write(path);
    expect(exactRows(await read(readFileSync(path)))).toEqual(exactRows(tableOf()));
  });

  it.each([
    ['frame.feather', 'ARROW1'],
    ['frame.arrows', '\xff\xff\xff\xff'],
    ['frame.parquet', 'PAR1'],
    ['frame.xlsx', 'PK'],
  ])('%s begins as its format does', async (name, start) => {
    const path = join(folder, name);
    await tableOf().write(path);
    expect(readFileSync(path).toString('latin1').startsWith(start)).toBe(true);
  });

  it('refuses unknown extensions, and lists the known ones', async () => {
    await expect(tableOf().write(join(folder, 'frame.xls'))).rejects.toThrow(
      /frame\.xls" has no known file extension; the known extensions are \.parquet, \.pq, \.arrow, .*\.json, \.xlsx$/,
    );
    await expect(tableOf().write(join(folder, 'frame'))).rejects.toThrow(/no known file extension/);
  });

  it('writes CSV as the options say', async () => {
    const path = join(folder, 'options.csv');
    const table = fromRows([{ end_date: new Date('2012-01-01'), region_name: '=1' }]);
    await table.write(path, { safe: true, date_only: true, signal: new AbortController().signal });
    expect(readFileSync(path, 'utf8')).toBe("end_date,region_name\r\n2012-01-01,'=1\r\n");
  });

  it('refuses what is no frame, path or option, by its name', async () => {
    const path = join(folder, 'refused.csv');
    await expect(tableOf().write(undefined as never)).rejects.toThrow('path: is missing');
    const refused = (options: object) => tableOf().write(path, options as never);
    await expect(refused({ safe: 1 })).rejects.toThrow('safe: 1');
    await expect(refused({ signal: 5 })).rejects.toThrow('signal: it is not an AbortSignal');
    await expect(refused({ format: 'csv' })).rejects.toThrow('format: writeFrame has no such option');
    await expect(refused({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(readdirSync(folder)).not.toContain('refused.csv');
  });
});
