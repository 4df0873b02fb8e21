import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cluster } from '../../../src/store/clickhouse/engine/cluster.js';
import type { Shard } from '../../../src/store/clickhouse/engine/shard.js';
import { openCluster } from '../../../src/store/clickhouse/schema.js';
import { newStoreAddress } from '../fresh-store.js';

/** Runs for minutes unless it is ended. */
const LONG = 'SELECT sum(sipHash64(number)) FROM numbers(100000000000)';

let cluster: Cluster;
let shard: Shard;
beforeAll(async () => {
  cluster = await openCluster(await newStoreAddress());
  shard = cluster.shards[1]!;
});
afterAll(() => cluster?.close());

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** How many queries with this text run on the server. */
async function running(text: string): Promise<number> {
  const [row] = await shard.rows(
    `SELECT count() AS queries FROM system.processes
    WHERE startsWith(query, {text:String}) AND database = currentDatabase()`,
    { parameters: { text } },
  );
  return Number(row!.queries);
}

describe('rows of a server', () => {
  it('keep numbers and text apart, and are null where there is no number', async () => {
    const [row] = await shard.rows(
      `SELECT toFloat64(nan) AS missing, -inf AS least, 1.5 AS number, toInt64(-9223372036854775808) AS none,
        'nan' AS text, CAST(NULL, 'Nullable(Float64)') AS nothing, true AS truth, [inf, 1] AS list`,
    );
    expect(row).toEqual({
      missing: null,
      least: null,
      number: 1.5,
      none: -(2 ** 63),
      text: 'nan',
      nothing: null,
      truth: true,
      list: [null, 1],
    });
  });

  it('take parameters as they are', async () => {
    const text = 'it\'s a \\ \t\n"test"; DROP TABLE point -- {x:String} ☃';
    const parameters = { text, list: [text, ''], ids: [1, -2], none: null, big: 2n ** 62n };
    const [row] = await shard.rows(
      `SELECT {text:String} AS text, {list:Array(String)} AS list, {ids:Array(Int32)} AS ids,
        {none:Nullable(String)} AS none, toString({big:Int64}) AS big`,
      { parameters },
    );
    expect(row).toEqual({ ...parameters, big: String(2n ** 62n) });
  });

  it('are an error that names the server when the answer breaks off, never too few', async () => {
    const late = `SELECT number, throwIf(number = 250000, 'trouble') AS nothing FROM numbers(300000)
      SETTINGS max_block_size = 1000`;
    await expect(shard.rows(late)).rejects.toThrow(
      new RegExp(`the shard ${shard.name} ended its response early`),
    );
  });
});

describe('an Arrow stream of a server', () => {
  it('is an error that names the server when it breaks off, never a short answer', async () => {
    const late = `SELECT number, throwIf(number = 5000000, 'trouble') AS nothing FROM numbers(10000000)`;
    await expect(bytesOf(shard.arrow(late))).rejects.toThrow(
      new RegExp(`the shard ${shard.name} ended its response early`),
    );
  });

  it('waits for a slow reader', async () => {
    let rows = 0;
    for await (const chunk of shard.arrow('SELECT number FROM numbers(3000000)')) {
      if (rows === 0) await new Promise((resolve) => setTimeout(resolve, 1500));
      rows += chunk.length;
    }
    expect(rows).toBeGreaterThan(24_000_000);
  });
});

describe('an insert', () => {
  it('is stored, also where it equals an earlier one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cropframe-shard-'));
    const file = join(folder, 'points.parquet');
    await shard.download(file, 'SELECT toInt32(number) AS series, nan AS value FROM numbers(2)');
    for (let i = 0; i < 2; i++) await shard.insertFile('INSERT INTO point (series, value)', file);
    await rm(folder, { recursive: true });
    expect(await shard.rows('SELECT count() AS n FROM point')).toEqual([{ n: 4 }]);
  });
});

describe('a query whose reader leaves', () => {
  const noneRuns = (text: string) =>
    vi.waitFor(async () => expect(await running(text)).toBe(0), { timeout: 20_000, interval: 50 });
  const oneRuns = (text: string) =>
    vi.waitFor(async () => expect(await running(text)).toBe(1), { timeout: 20_000, interval: 20 });

  it('ends on the server when it is aborted, with the reason', async () => {
    const leaving = new AbortController();
    const result = shard.rows(LONG, { signal: leaving.signal });
    const outcome = expect(result).rejects.toThrow('the reader left');
    await oneRuns(LONG);
    leaving.abort(new Error('the reader left'));
    await outcome;
    await noneRuns(LONG);
  });

  it('ends on the server when its reader stops', async () => {
    const endless = 'SELECT number FROM system.numbers';
    for await (const _ of shard.arrow(endless)) break;
    await noneRuns(endless);
  });

  it('does not begin when it was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(shard.rows('SELECT 1', { signal })).rejects.toThrow('too late');
    await expect(shard.run('SELECT 1', { signal })).rejects.toThrow('too late');
  });
});
