import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/store/duckdb/engine/database.js';
import { openDatabase } from '../../../../src/store/duckdb/engine/open-database.js';

/** A query that takes hours unless it is ended. */
const ENDLESS = 'SELECT count(*) FROM range(10000000000) a, range(10000000000) b';

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:', { readOnly: false });
});
afterAll(() => database?.close());

describe('a query whose reader leaves', () => {
  it.each(['rows', 'chunks'] as const)('ends in the engine at once, read as %s', async (way) => {
    const leaving = new AbortController();
    const read = async () => {
      if (way === 'rows') await database.rows(ENDLESS, { signal: leaving.signal });
      else for await (const _ of database.chunks(ENDLESS, { signal: leaving.signal }));
    };
    const reading = read();
    setTimeout(() => leaving.abort(new Error('left')), 50);
    await expect(reading).rejects.toThrow('left');
    expect(await database.rows('SELECT 42 AS answer')).toEqual([{ answer: 42 }]);
  });

  it('is not begun when the reader left before', async () => {
    const left = AbortSignal.abort(new Error('left before'));
    await expect(database.rows(ENDLESS, { signal: left })).rejects.toThrow('left before');
  });

  it('does not wait for a connection any more', async () => {
    const leaving = new AbortController();
    const busy = Array.from({ length: 8 }, () => database.rows(ENDLESS, { signal: leaving.signal }));
    const impatient = new AbortController();
    const waiting = database.rows('SELECT 1', { signal: impatient.signal });
    impatient.abort(new Error('impatient'));
    await expect(waiting).rejects.toThrow('impatient');
    leaving.abort(new Error('left'));
    const ended = await Promise.allSettled(busy);
    expect(ended.map((one) => one.status)).toEqual(Array(8).fill('rejected'));
    expect(await database.rows('SELECT 7 AS answer')).toEqual([{ answer: 7 }]);
  });
});

describe('databases whose rows exceed their memory', () => {
  const ROWS = 2_000_000;
  const NUMBERS = 'hash(i) AS a, hash(i + 1) AS b, hash(i + 2) AS c';

  it('keep them apart', async () => {
    const opened = await Promise.all([
      openDatabase(':memory:', { readOnly: false }),
      openDatabase(':memory:', { readOnly: false }),
    ]);
    const sumOf = (rows: string) =>
      `SELECT sum(a::HUGEINT)::VARCHAR AS a, sum(b::HUGEINT)::VARCHAR AS b, sum(c::HUGEINT)::VARCHAR AS c FROM ${rows}`;
    const rowsFrom = (first: number) => `(SELECT ${NUMBERS} FROM range(${first}, ${first + ROWS}) AS r(i))`;
    // Each thread needs some memory that cannot be put aside.
    for (const one of opened)
      for (const setting of ['threads = 2', "memory_limit = '40MB'"]) await one.rows(`SET ${setting}`);
    await Promise.all(
      opened.map((one, i) =>
        one.rows(`CREATE TABLE store.main.numbers AS SELECT * FROM ${rowsFrom(i * ROWS)}`),
      ),
    );
    for (const [i, one] of opened.entries())
      expect(await one.rows(sumOf('numbers'))).toEqual(await database.rows(sumOf(rowsFrom(i * ROWS))));
    for (const one of opened) await one.close();
  });
});
