import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longFrame } from '../../../../src/frame/build/long.js';
import { withFooterText } from '../../../../src/frame/formats/parquet/footer.js';
import { fromParquet } from '../../../../src/frame/formats/parquet/read-parquet.js';
import { CHECKSUM_KEY } from '../../../../src/frame/table/provenance.js';
import { PROVENANCE, runsOf, seriesOf } from '../../points.js';
import { contents } from '../round-trip.js';
import { askedOfDuckDB } from './duckdb-files.js';

const tableOf = () =>
  longFrame(
    { series: [seriesOf()], runs: runsOf([{ series: 0, start: 0, end: 0, value: 1.5 }]) },
    { provenance: PROVENANCE },
  );

describe('withFooterText', () => {
  it('replaces the text and changes nothing else', async () => {
    const written = await tableOf().toParquet();
    const anyText = fc.oneof(fc.string(), fc.string({ minLength: 126, maxLength: 20_000, unit: 'binary' }));
    const question = `SELECT decode(value) FROM parquet_kv_metadata(FILE) WHERE decode(key) = '${CHECKSUM_KEY}'`;
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const changed = withFooterText(written, CHECKSUM_KEY, text);
        const [rows] = await askedOfDuckDB(changed, [question]);
        expect(rows).toEqual([[Buffer.from(text).toString()]]);
        expect(contents(await fromParquet(changed))).toEqual(contents(tableOf()));
      }),
      { numRuns: 15 },
    );
  });

  it('finds the key in the last bytes of a file too, from the footer on, at any offset of their buffer', async () => {
    const written = await tableOf().toParquet();
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
    const written = await tableOf().toParquet();
    expect(withFooterText(written, 'another.key', 'x')).toBe(written);
    const tail = written.subarray(written.byteLength - 20);
    expect(withFooterText(tail, CHECKSUM_KEY, 'x')).toBe(tail);
  });
});
