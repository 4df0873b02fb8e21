import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { openInput, totalBytes } from '../../../src/ingest/reading/input-files.js';
import { temporaryFiles } from '../../temporary-files.js';
import { zipped } from '../zipped.js';

const { folder, file } = temporaryFiles();

async function texts(path: string, wantsEntry?: (name: string) => boolean): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, chunks } of openInput(path, { dataset: 'any', wantsEntry })) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    found[name] = Buffer.concat(parts).toString();
  }
  return found;
}

/** Hardly shorter in an archive; the same each time. */
function randomText(): string {
  return createHash('shake256', { outputLength: 2_000_000 }).digest('base64');
}

/** A busy machine opens and closes files late. */
const WAITING = { timeout: 15_000 };

/** The files that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
}

describe('openInput', () => {
  it('detects plain, gzip and zip files by their first bytes', async () => {
    expect(await texts(file('a.gz', 'plain'))).toEqual({ 'a.gz': 'plain' });
    expect(await texts(file('b.txt', gzipSync('zipped')))).toEqual({ 'b.txt': 'zipped' });
    const archive = zipped({ 'one.csv': '1', 'two.csv': '2'.repeat(5000), 'flags.csv': 'f' });
    const path = file('c.dat', archive);
    expect(await texts(path, (name) => name !== 'flags.csv')).toEqual({
      'c.dat/one.csv': '1',
      'c.dat/two.csv': '2'.repeat(5000),
    });
  });

  it('names the file and the reason', async () => {
    await expect(texts(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'ingest', file: 'nowhere' });
    await expect(texts(file('nothing', ''))).rejects.toMatchObject({
      message: 'nothing is empty',
      file: 'nothing',
    });
    await expect(texts(folder)).rejects.toThrow('cannot be read: it is a folder; specify the files in it');
    const gzip = gzipSync('x'.repeat(1000));
    await expect(texts(file('cut.gz', gzip.subarray(0, 20)))).rejects.toThrow(
      'cut.gz cannot be read: it is truncated; download it again',
    );
    const archive = zipped({ 'one.csv': 'abc' });
    await expect(texts(file('cut.zip', archive.subarray(0, 40)))).rejects.toThrow('cut.zip cannot be read');
    await expect(texts(file('other.zip', archive), () => false)).rejects.toMatchObject({
      message: 'other.zip contains no files from this data set',
      file: 'other.zip',
    });
    await expect(totalBytes([join(folder, 'nowhere')], 'any')).rejects.toThrow(
      'nowhere cannot be read: there is no such file',
    );
  });

  it('refuses a device, which can be read only once', async () => {
    const attempt = texts('/dev/null');
    await expect(attempt).rejects.toThrow(
      'null cannot be read: it is not a regular file; copy it to a regular file',
    );
    await expect(attempt).rejects.toMatchObject({ code: 'ingest', file: 'null' });
  });

  it('leaves out the folders of a zip archive, not its empty files', async () => {
    const asked: string[] = [];
    const path = file('folders.zip', zipped({ 'sub/': '', 'sub/a.csv': 'x', 'b.csv': '' }));
    const found = await texts(path, (name) => asked.push(name) > 0);
    expect(found).toEqual({ 'folders.zip/sub/a.csv': 'x', 'folders.zip/b.csv': '' });
    expect(asked).toEqual(['sub/a.csv', 'b.csv']);
  });

  it.each([
    ['plain', (text: string) => Buffer.from(text)],
    ['gzip', (text: string) => gzipSync(text)],
    ['zip', (text: string) => zipped({ 'one.csv': text })],
  ])('ends with the reason of the signal in a %s file', async (kind, pack) => {
    const path = file(`aborted.${kind}`, pack('x'.repeat(3_000_000)));
    const stop = new AbortController();
    const reason = new Error('enough');
    const reading = async () => {
      for await (const { chunks } of openInput(path, {
        dataset: 'any',
        signal: stop.signal,
      }))
        for await (const _ of chunks) stop.abort(reason);
    };
    await expect(reading()).rejects.toBe(reason);
  });

  it.runIf(existsSync('/proc/self/fd')).each([
    ['plain', (text: string) => Buffer.from(text)],
    ['gzip', (text: string) => gzipSync(text)],
    ['zip', (text: string) => zipped({ 'one.csv': text, 'two.csv': text })],
  ])('leaves no %s file open, wherever its reader stops', { timeout: 60_000 }, async (kind, pack) => {
    const path = file(`left.${kind}`, pack(randomText()));
    for (const reads of [false, true]) {
      for await (const { chunks } of openInput(path, { dataset: 'any' })) {
        if (reads)
          for await (const _ of chunks) {
            expect(openFiles()).toContain(path);
            break;
          }
        break;
      }
      await vi.waitFor(() => expect(openFiles()).not.toContain(path), WAITING);
    }
  });

  it('detects changed bytes in a zip archive', async () => {
    const archive = zipped({ 'one.csv': 'abc' }, { stored: true });
    const changed = Buffer.from(archive);
    changed.write('x', archive.indexOf('abc'));
    await expect(texts(file('changed.zip', changed))).rejects.toThrow('checksum of one.csv does not match');
  });
});
