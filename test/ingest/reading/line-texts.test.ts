import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { LineTexts } from '../../../src/ingest/conflict-report.js';
import { estimateTextBytes } from '../../../src/ingest/reading/input-files.js';
import { zipped } from '../zipped.js';

const folder = mkdtempSync(join(tmpdir(), 'cropframe-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

it('lines are read a second time, of a file or of one in an archive', async () => {
  const plain = file('plain.csv', 'a\r\nb\n\nd\n');
  const archive = file('all.zip', zipped({ 'one.csv': 'x\ny\n', 'two.csv': '1\n2\n3' }));
  const lines = new LineTexts('crops', [
    { name: 'plain.csv', path: plain },
    { name: 'all.zip/two.csv', path: archive },
    { name: 'records.json' },
    { name: 'plain.csv', path: plain },
  ]);
  expect([await lines.at(0, 1), await lines.at(0, 2), await lines.at(0, 2), await lines.at(0, 4)]).toEqual([
    'a',
    'b',
    'b',
    'd',
  ]);
  expect([await lines.at(0, 9), await lines.at(0, 10)]).toEqual(['', '']);
  expect([await lines.at(1, 2), await lines.at(1, 3), await lines.at(1, 4)]).toEqual(['2', '3', '']);
  expect([await lines.at(2, 1), await lines.at(3, 3), await lines.at(7, 1)]).toEqual(['', '', '']);
  await lines.close();
  await lines.close();
});

it('a text is read once for all of its lines, whichever text is the first', async () => {
  const path = file('once.csv', 'a\nb\nc\n');
  const lines = new LineTexts('crops', [
    { name: 'none.csv', path: file('none.csv', '') },
    { name: 'once.csv', path },
  ]);
  expect(await lines.at(1, 1)).toBe('a');
  file('once.csv', 'x\ny\nz\n');
  expect([await lines.at(1, 2), await lines.at(1, 3)]).toEqual(['b', 'c']);
  await lines.close();
});

it('the length of texts is estimated, also of compressed ones', async () => {
  const text = 'x'.repeat(1_000);
  const gzip = gzipSync(text);
  const zip = zipped({ 'one.csv': text });
  const estimate = (...paths: string[]) => estimateTextBytes(paths);
  expect(await estimate(file('t.csv', text))).toBe(1_000);
  expect(await estimate(file('t.gz', gzip))).toBeCloseTo(10 * gzip.length);
  expect(await estimate(file('t.zip', zip))).toBeCloseTo(10 * zip.length);
  expect(await estimate(join(folder, 't.csv'), folder, join(folder, 'nowhere'), join(folder, 't.csv'))).toBe(
    2_000,
  );
  expect(await estimate()).toBe(0);
});
