import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import { dropStore, newStoreAddress, queryNode } from '../fresh-store.js';
import { importFirst } from './two-imports.js';

it.each(['begun', 'committed'])(
  'an import names the table and the remedy when its latest row (%s) was deleted from the log',
  async (state) => {
    const address = await newStoreAddress();
    const store = await openStore(address);
    try {
      await importFirst(store);
      await queryNode(address, 0, `DELETE FROM import_log WHERE state = '${state}'`);
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
  },
);
