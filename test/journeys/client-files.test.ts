import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { fromParquet } from '../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../src/frame/formats/read-arrow.js';
import { fromCsv } from '../../src/frame/formats/read-csv.js';
import { frame } from '../../src/frame/frame.js';
import { frameChecksum } from '../../src/frame/table/checksum.js';
import { readColumn } from '../../src/frame/table/columns.js';
import { PartialDataError } from '../../src/model/report.js';
import { temporaryFolder } from '../temporary-files.js';
import { cornSeries, fillWithCorn, withSaved } from './corn-states.js';
import { counting, useDemoService } from './demo-service.js';

const SERIES = cornSeries(300);
const corn = useDemoService(fillWithCorn(300, 30));
const folder = temporaryFolder();
beforeEach(async () => {
  for (const name of await readdir(folder)) await rm(join(folder, name));
});

const saving = (client: Client) => withSaved(client, SERIES);

const READERS: [string, (bytes: Uint8Array) => Table | Promise<Table>][] = [
  ['corn.parquet', fromParquet],
  ['corn.pq', fromParquet],
  ['corn.arrow', fromArrow],
  ['corn.feather', fromArrow],
  ['corn.arrows', fromArrow],
  ['corn.csv', (bytes) => fromCsv(new TextDecoder().decode(bytes))],
  ['corn.json', (bytes) => fromRows(JSON.parse(new TextDecoder().decode(bytes)))],
];

/** The region of a series that the service refuses. */
const BROKEN = String(SERIES[250]!.region_id);

async function refuseBroken(request: Request): Promise<Response> {
  const asked = `${new URL(request.url).search}${await request.clone().text()}`;
  if (request.url.includes('/v2/data') && asked.includes(BROKEN)) return new Response('{}', { status: 400 });
  return corn.service(request);
}

describe('writeDf', () => {
  it.each(READERS)('writes the frame of getDf to %s', async (name, read) => {
    const client = withSaved(saving(corn.client()), SERIES.slice(0, 1));
    const path = join(folder, name);
    const options = { include_names: true, show_available_date: true };
    const expected = await client.getDf(options);
    const written = await client.writeDf(path, options);
    const bytes = await readFile(path);
    expect(written).toMatchObject({ path, rows: expected.numRows, bytes: bytes.byteLength });
    expect(written.report).toEqual(expected.provenance!.report);
    const table = await read(new Uint8Array(bytes));
    expect(frameChecksum(table)).toBe(frameChecksum(expected));
    const available = readColumn(table, 'available_date', 'timestamp');
    expect([available.valid, available.values.includes(0n)]).toEqual([null, false]);
    expect(await readdir(folder)).toEqual([name]);
    if (/csv|json/.test(name)) return;
    expect(frame(table).provenance).toMatchObject({
      api_host: client.api_host,
      sources: [{ name: expect.any(String) }],
    });
    expect(frame(table).provenance!.report).toEqual(/parquet|pq/.test(name) ? written.report : []);
  });

  it('leaves no file when a series fails, when it is aborted, and for an unknown ending', async () => {
    const failing = saving(corn.client({ fetch: refuseBroken }));
    const error = await failing.writeDf(join(folder, 'a.parquet')).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PartialDataError);
    for (const { series } of (error as PartialDataError).failed)
      expect(String(series.region_id)).toBe(BROKEN);
    const stop = new AbortController();
    const aborted = saving(corn.client()).writeDf(join(folder, 'b.arrow'), {
      signal: stop.signal,
      onProgress: ({ done }) => done > 40 && stop.abort(new Error('enough')),
    });
    await expect(aborted).rejects.toThrow('enough');
    await expect(saving(corn.client()).writeDf(join(folder, 'c.xlsx'))).rejects.toThrow(/\.parquet/);
    const wide = { compress_format: true } as object;
    await expect(saving(corn.client()).writeDf(join(folder, 'd.parquet'), wide)).rejects.toThrow(
      /getDf\(\)\)\.write\(path\)/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('holds a few sets of series at a time, not all', async () => {
    const { fetch, asked } = counting(corn.service);
    const stop = new AbortController();
    const writing = saving(corn.client({ fetch })).writeDf(join(folder, 'd.arrow'), {
      signal: stop.signal,
      onProgress: ({ done }) => done === 1 && stop.abort(new Error('enough')),
    });
    await expect(writing).rejects.toThrow('enough');
    expect(asked.get('POST /v2/data')).toBeLessThanOrEqual(2);
  });

  it('goes on without failed series with allow_partial', async () => {
    const client = saving(corn.client({ fetch: refuseBroken }));
    const written = await client.writeDf(join(folder, 'e.parquet'), { allow_partial: true });
    expect(written.report).toHaveLength(SERIES.length);
    const failed = written.report.filter(({ outcome }) => outcome === 'failed');
    expect(failed).toHaveLength(SERIES.filter(({ region_id }) => String(region_id) === BROKEN).length);
    for (const { reason } of failed) expect(reason).toContain('400');
  });
});
