import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeWhole } from '../../../src/frame/formats/write-file.js';
import { noSmallDisk, withSmallDisk } from '../../small-disk.js';
import { temporaryFolder } from '../../temporary-files.js';

const folder = temporaryFolder();

describe('a file that is written whole', () => {
  it('has a name until it is complete that nobody can know before', async () => {
    const path = join(folder, 'frame.csv');
    // The name that older versions took: a link there led the writing elsewhere.
    const [known, other] = [`${path}.${process.pid}.part`, join(folder, 'other')];
    writeFileSync(other, 'untouched');
    symlinkSync(other, known);
    const names: string[] = [];
    async function* pieces() {
      yield 'a';
      names.push(...readdirSync(folder).filter((name) => name.endsWith('.part') && !known.endsWith(name)));
      yield 'b';
    }
    expect(await writeWhole(path, pieces())).toBe(2);
    expect(names).toEqual([expect.stringMatching(/^frame\.csv\.[0-9a-f-]{36}\.part$/)]);
    expect([readFileSync(path, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['ab', 'untouched']);
  });

  it('replaces the file that is there, and says how many bytes it has', async () => {
    const path = join(folder, 'there.csv');
    writeFileSync(path, 'a longer text than the new one');
    expect(await writeWhole(path, ['é', Uint8Array.of(65)])).toBe(3);
    expect(readFileSync(path, 'utf8')).toBe('éA');
  });

  it.each([
    ['before it begins', 0],
    ['between its pieces', 1],
    ['after its last piece', 2],
  ])('is left as it was when aborted %s', async (_, after) => {
    const path = join(folder, 'kept.csv');
    writeFileSync(path, 'kept');
    const controller = new AbortController();
    function* pieces() {
      for (let at = 0; at < 2; at++) {
        if (at === after) controller.abort(new Error('enough'));
        yield 'a';
      }
      controller.abort(new Error('enough'));
    }
    await expect(writeWhole(path, pieces(), { signal: controller.signal })).rejects.toThrow('enough');
    expect(readFileSync(path, 'utf8')).toBe('kept');
    expect(readdirSync(folder).filter((name) => /kept.*part/.test(name))).toEqual([]);
  });

  it('is left as it was when its pieces fail, and their error stays', async () => {
    const path = join(folder, 'failed.csv');
    // biome-ignore lint/correctness/useYield: what fails at once yields nothing
    function* pieces(): Generator<string> {
      throw new RangeError('the service is gone');
    }
    await expect(writeWhole(path, pieces())).rejects.toThrow(RangeError);
    expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([]);
  });

  it('names the path as the caller does', async () => {
    const path = join(folder, 'nowhere', 'frame.csv');
    await expect(writeWhole(path, ['a'])).rejects.toMatchObject({ argument: 'path' });
    await expect(writeWhole(path, ['a'], { argument: '--out' })).rejects.toThrow(
      `--out: ${path} cannot be written: its folder does not exist`,
    );
    await expect(writeWhole(folder, ['a'])).rejects.toThrow('it is a folder');
  });

  it.skipIf(noSmallDisk !== null)(`leaves nothing on a full disk (skipped: ${noSmallDisk})`, () =>
    withSmallDisk(256, async (disk) => {
      const pieces = Array.from({ length: 9 }, () => new Uint8Array(64 * 1024));
      await expect(writeWhole(join(disk, 'frame.csv'), pieces)).rejects.toThrow(
        /the disk is full; free some space/,
      );
      expect(readdirSync(disk)).toEqual([]);
    }),
  );
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  let pipes = 0;
  function makePipe(): string {
    const path = join(folder, `pipe-${pipes++}.csv`);
    execFileSync('mkfifo', [path]);
    return path;
  }

  it('is written to as it is: a device', async () => {
    // By a link: should it be replaced after all, the machine keeps its device.
    const path = join(folder, 'device.csv');
    symlinkSync('/dev/null', path);
    expect(await writeWhole(path, ['four', 'more'])).toBe(8);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it('is written to as it is: a pipe, once it has a reader, to its end', async () => {
    const path = makePipe();
    const writing = writeWhole(path, ['first ', 'second']);
    await sleep(80);
    const [read, bytes] = await Promise.all([readFile(path, 'utf8'), writing]);
    expect([read, bytes]).toEqual(['first second', 12]);
    expect(statSync(path).isFIFO()).toBe(true);
  });

  it('is waited for until the writing is aborted', async () => {
    const path = makePipe();
    const controller = new AbortController();
    const writing = writeWhole(path, ['a'], { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(writing).rejects.toThrow('enough');
  });

  it('may go away while it is waited for', async () => {
    const path = makePipe();
    const writing = writeWhole(path, ['a']);
    setTimeout(() => rmSync(path), 20);
    await expect(writing).rejects.toThrow(`path: ${path} cannot be written`);
  });
});
