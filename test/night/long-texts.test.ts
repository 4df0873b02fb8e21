import { expect, it } from 'vitest';
import { fromParquet } from '../../src/frame/formats/parquet/read-parquet.js';
import { writtenByDuckDB } from '../frame/formats/parquet/duckdb-files.js';

// Nobody would suspect the long text by the mean length of all.
it('refuses few bytes of Parquet with long texts before they fill memory', async () => {
  const bytes = await writtenByDuckDB(
    `SELECT CASE WHEN i < 100000 THEN 's' || i ELSE repeat('x', 1000000) END AS a FROM range(101200) AS t(i)`,
    'DICTIONARY_SIZE_LIMIT 2000000, STRING_DICTIONARY_PAGE_SIZE_LIMIT 100000000',
  );
  expect(bytes.byteLength).toBeLessThan(1_000_000);
  await expect(fromParquet(bytes)).rejects.toThrow(
    `bytes: these ${bytes.byteLength} bytes of Parquet are corrupt, or need more than 1073741824 bytes of memory`,
  );
  expect((await fromParquet(await writtenByDuckDB('SELECT 1 AS a'))).numRows).toBe(1);
});
