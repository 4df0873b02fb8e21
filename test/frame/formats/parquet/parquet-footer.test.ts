import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longFrame } from '../../../../src/frame/build/long.js';
import { fromParquet, toParquet, withFooterText } from '../../../../src/frame/formats/parquet/parquet.js';
import { CHECKSUM_KEY } from '../../../../src/frame/table/provenance.js';
import { PROVENANCE, runsOf, seriesOf } from '../../points.js';
import { contents } from '../round-trip.js';

const tableOf = () =>
  longFrame(
    { series: [seriesOf()], runs: runsOf([{ series: 0, start: 0, end: 0, value: 1.5 }]) },
    { provenance: PROVENANCE },
  );

describe('withFooterText', () => {
  it('replaces the text and changes nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cropframe-footer-'));
    let runs = 0;
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const written = await toParquet(tableOf());
    const anyText = fc.oneof(fc.string(), fc.string({ minLength: 126, maxLength: 20_000, unit: 'binary' }));
    try {
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const changed = withFooterText(written, CHECKSUM_KEY, text);
          // A new file each time: DuckDB caches a file by its length and time.
          const path = join(folder, `${runs++}.parquet`);
          await writeFile(path, changed);
          const reader = await connection.runAndReadAll(
            `SELECT decode(value) FROM parquet_kv_metadata('${path}') WHERE decode(key) = '${CHECKSUM_KEY}'`,
          );
          expect(reader.getRows()).toEqual([[Buffer.from(text).toString()]]);
          expect(contents(await fromParquet(changed))).toEqual(contents(tableOf()));
        }),
        { numRuns: 40 },
      );
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    }
  });

  it('finds the key in the last bytes of a file too, from the footer on, at any offset of their buffer', async () => {
    const written = await toParquet(tableOf());
    const footer =
      new DataView(written.buffer, written.byteOffset).getUint32(written.byteLength - 8, true) + 8;
    for (const before of [0, 3]) {
      const end = written.subarray(written.byteLength - footer - before);
      const changed = withFooterText(end, CHECKSUM_KEY, 'another');
      const whole = Uint8Array.from([
        ...written.subarray(0, written.byteLength - end.byteLength),
        ...changed,
      ]);
      expect((await fromParquet(whole)).schema.metadata.get(CHECKSUM_KEY)).toBe('another');
    }
    const cut = written.subarray(written.byteLength - footer + 1);
    expect(withFooterText(cut, CHECKSUM_KEY, 'another')).toBe(cut);
  });

  it('changes nothing without the key or the whole footer', async () => {
    const written = await toParquet(tableOf());
    expect(withFooterText(written, 'another.key', 'x')).toBe(written);
    const tail = written.subarray(written.byteLength - 20);
    expect(withFooterText(tail, CHECKSUM_KEY, 'x')).toBe(tail);
  });
});
