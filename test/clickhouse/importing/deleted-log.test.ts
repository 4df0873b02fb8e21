import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import { dropStore, newStoreAddress, queryNode } from '../fresh-store.js';
import { importFirst } from './two-imports.js';

it.each([
  ['the latest row was deleted', "DELETE FROM import_log WHERE state = 'begun'"],
  ['the latest end was deleted', "DELETE FROM import_log WHERE state = 'committed'"],
  ['all rows were deleted, with their tokens', 'TRUNCATE TABLE import_log'],
])('an import names the log and the remedy when %s', async (_, sql) => {
  const address = await newStoreAddress();
  const store = await openStore(address);
  try {
    await importFirst(store);
    await queryNode(address, 0, sql);
    // As if the import had begun a minute ago.
    await queryNode(address, 0, 'ALTER TABLE import_log UPDATE at_ms = at_ms - 60000 WHERE true');
    await queryNode(address, 0, 'ALTER TABLE import_beat UPDATE at_ms = at_ms - 60000 WHERE true');
    await expect(store.begin()).rejects.toThrow(
      /rows of the table import_log on .* were deleted.*restore the table/,
    );
  } finally {
    await store.close();
    await dropStore(address);
  }
});
