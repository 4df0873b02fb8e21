import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/model/errors.js';
import type { NewRows, RowAnswer, RowDimension, Store, StoreTransaction } from '../../../src/store/store.js';
import { DAY, key, type OpenEmptyStore, putSampleEntities, readRows, T0 } from './sample-data.js';

/** The rows of a delimited text. */
export function describeRows(open: OpenEmptyStore): void {
  describe('rows of a text', () => {
    let store: Store;
    let folder: string;
    let transaction: StoreTransaction;
    beforeEach(async () => {
      store = await open();
      folder = await mkdtemp(join(tmpdir(), 'cropframe-rows-'));
      transaction = await store.begin();
      await putSampleEntities(transaction);
    });
    afterEach(async () => {
      await transaction.rollback();
      await store.close();
      await rm(folder, { recursive: true });
    });

    /** Puts lines of a region, a day and a value, unless the fields say otherwise. */
    async function put(lines: readonly string[], fields: Partial<NewRows> = {}) {
      const path = join(folder, 'rows.csv');
      await writeFile(path, lines.map((line) => `${line}\n`).join(''));
      const { region_id: _region, ...constants } = key();
      return transaction.putRows({
        path,
        delimiter: ',',
        quotes: true,
        skip: 0,
        columns: 3,
        file: 0,
        dimensions: [REGIONS, DAYS, NO_NUMBERS],
        numbers: [PLAIN],
        constants: { ...constants, unit_id: 1, reportingMs: null, availableMs: T0 + 100 * DAY },
        ...fields,
      });
    }

    async function imported() {
      await transaction.commit();
      const rows = await readRows(store);
      return rows.map(({ day, value, unit }) => [day, value, unit]);
    }

    it('are no longer read once a rollback has answered', async () => {
      let hasEnded = false;
      const rolledBack = new Promise<void>((resolve) => {
        const regions: RowDimension = {
          ...REGIONS,
          resolve: ([text]) => {
            if (!hasEnded) resolve();
            return { region_id: Number(text) };
          },
        };
        const rows = Array.from({ length: 50_000 }, (_, i) => `21,${i % 9000},${i}`);
        put(rows, { dimensions: [regions, DAYS, NO_NUMBERS] })
          .catch((error) => expect(error.message).toMatch(/was rolled back/))
          .finally(() => {
            hasEnded = true;
          });
      }).then(() => transaction.rollback());
      await rolledBack;
      await Promise.resolve();
      expect(hasEnded).toBe(true);
      await expect(put(['21,1,1'])).rejects.toThrow(/was rolled back/);
    });

    it('become points by the distinct strings of their dimensions, each resolved once', async () => {
      const told: string[] = [];
      const regions: RowDimension = {
        ...REGIONS,
        resolve: ([text]) => {
          told.push(text!);
          return { region_id: Number(text) };
        },
      };
      const read = await put(['22,1,0.1', '21,2,-1e3', '22,0,7'], {
        dimensions: [regions, DAYS, NO_NUMBERS],
      });
      expect(told).toEqual(['22', '21']);
      expect(read).toMatchObject({ rows: 3, broken: 0, rejected: [] });
      expect(read.series).toEqual([key({ region_id: 21 }), key({ region_id: 22 })]);
      expect(read.units).toEqual([{ unit_id: 1, points: 3, startMs: T0, endMs: T0 + 2 * DAY }]);
      expect(await imported()).toEqual([
        [2, -1000, 1],
        [0, 7, 1],
        [1, 0.1, 1],
      ]);
    });

    it('add nothing where the text is damaged, and can be put again', async () => {
      const read = await put(['21,0,1', '21,1,"2" 3', '21,2,4']);
      expect(read).toMatchObject({ rows: 0, series: [] });
      await put(['21,0,1']);
      expect(await imported()).toEqual([[0, 1, 1]]);
    });

    it('leave nothing behind when rolled back, and are refused after that', async () => {
      await put(['21,0,1']);
      await transaction.rollback();
      expect(await readRows(store)).toEqual([]);
      await expect(put(['21,0,1'])).rejects.toThrow(StoreError);
    });

    it('are sampled in the order of the text', async () => {
      const read = await put(['22,1,5', '21,2,6', '21,0,7']);
      expect((await read.sample(2)).map(({ value }) => value)).toEqual([5, 6]);
    });

    it('have dimensions of several strings, empty ones and those with control characters too', async () => {
      const told = new Set<string>();
      const pairs: RowDimension = {
        name: 'pair',
        of: { texts: ['c0', 'c1'] },
        resolve(texts) {
          // Strings may be resolved twice.
          told.add(JSON.stringify(texts));
          return { region_id: 21, ...dayAnswer([...told].indexOf(JSON.stringify(texts))) };
        },
      };
      const texts = ['a', '', 'é\u001f', '\u001f\u001e', '\u001d\u001c\u0002', 'a\u001fb'];
      const lines = texts.flatMap((one) => [`${one},b,1`, `b,${one},2`, `,${one}c,3`]);
      for (const until of [6, 9, lines.length]) {
        told.clear();
        const some = lines.slice(0, until);
        await put(some, { dimensions: [pairs, NO_NUMBERS] });
        expect([...told]).toEqual([
          ...new Set(some.map((line) => JSON.stringify(line.split(',').slice(0, 2)))),
        ]);
      }
    });

    it('have numbers in several columns, some of which have strings of their own', async () => {
      const own: RowDimension = {
        name: 'unit',
        of: [{ texts: ['c3'] }, null],
        resolve: ([text], value) =>
          text === 'no' ? { notRead: `column ${value}` } : { metadata: `"${text}"` },
      };
      const cells: RowDimension = {
        name: 'cell',
        of: [2, 4].map((column, value) => ({ texts: [`c${column}`], where: `v${value} IS NULL` })),
        resolve: ([text], value) =>
          text === '' ? { notRead: 'empty' } : { rejected: `${text} in ${value}` },
      };
      const read = await put(['21,0,1,a,2', '21,1,3,no,4', '21,2,x,b,', '21,3,,b,y', '21,4,5,b,'], {
        columns: 5,
        numbers: [PLAIN, PLAIN.replaceAll('c2', 'c4')],
        dimensions: [REGIONS, DAYS, cells, own],
      });
      expect(read.rejected).toEqual([
        { row: 2, reason: 'x in 0' },
        { row: 3, reason: 'y in 1' },
      ]);
      expect([...read.notRead]).toEqual([
        ['column 0', 1],
        ['empty', 1],
      ]);
      const points = await read.sample(9);
      expect(points.map(({ value, metadata }) => [value, metadata])).toEqual([
        [1, '"a"'],
        [2, null],
        [4, null],
        [5, '"b"'],
      ]);
    });

    it('are rejected where a string has what divides the strings of a dimension', async () => {
      const pairs: RowDimension = {
        name: 'pair',
        of: { texts: ['c0', 'c1'] },
        resolve: () => ({ region_id: 21, ...dayAnswer(0) }),
      };
      const read = await put(['a,b,1', 'a\u001f\u001db,c,2'], { dimensions: [pairs, NO_NUMBERS] });
      expect(read.rejected).toEqual([{ row: 1, reason: expect.stringContaining('U+001F') }]);
    });

    it('may have delimiters, quotes and line ends in quotes', async () => {
      const texts: string[] = [];
      const regions: RowDimension = {
        ...REGIONS,
        resolve([text]) {
          texts.push(text!);
          return { region_id: 21 };
        },
      };
      await put(['"a, ""b""",0,1', '"c\nd",1,2'], {
        dimensions: [regions, DAYS, NO_NUMBERS],
        hasLongRows: true,
      });
      expect(texts).toEqual(['a, "b"', 'c\nd']);
    });

    it('are damaged where a column that no dimension has is not UTF-8', async () => {
      await put([]);
      await writeFile(join(folder, 'latin'), Buffer.from(`21,0,1,\xe9\n${'21,1,2,é\n'.repeat(3)}`, 'latin1'));
      const read = await put([], { path: join(folder, 'latin'), columns: 4 });
      expect(read.rows).toBe(0);
    });
  });
}

const PLAIN = `CASE WHEN regexp_full_match(c2, '-?[0-9]+([.][0-9]+)?(e[0-9]+)?') THEN c2::DOUBLE END`;

const dayAnswer = (day: number): RowAnswer => ({ startMs: T0 + day * DAY, endMs: T0 + day * DAY });

const REGIONS: RowDimension = {
  name: 'region',
  of: { texts: ['c0'] },
  resolve: ([text]) => ({ region_id: Number(text) }),
};
const DAYS: RowDimension = {
  name: 'day',
  of: { texts: ['c1'] },
  resolve: ([text]) => dayAnswer(Number(text)),
};
const NO_NUMBERS: RowDimension = {
  name: 'cell',
  of: { texts: ['c2'], where: 'v0 IS NULL' },
  resolve: ([text]) => ({ rejected: `no number "${text}"` }),
};
