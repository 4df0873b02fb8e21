import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeWhole } from '../../../src/frame/formats/write-file.js';
import { noSmallDisk, withSmallDisk } from '../../small-disk.js';

const folder = mkdtempSync(join(tmpdir(), 'write-whole-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
