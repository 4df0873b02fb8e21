import { createHash } from 'node:crypto';
import type { KeptData } from '../store.js';
import type { Shard } from './engine/shard.js';

/** Bytes of a row; a whole index in one row would be a large block. */
const PART_BYTES = 3 << 20;

/**
 * Derived data in a table of the first server, where every process finds it. Incomplete data, or data that cannot be
 * read or written, count as absent.
 */
export function openTableKept(server: Shard): KeptData {
  return {
    async read(name) {
      const rows = await server
        .rows(
          `SELECT base64, parts, digest FROM kept WHERE name = {name:String}
          AND digest = (SELECT argMax(digest, changed_us) FROM kept WHERE name = {name:String})
          ORDER BY part LIMIT 1 BY part`,
          { name },
        )
        .catch(() => []);
      if (rows.length === 0 || rows.length !== rows[0]!.parts) return null;
      const bytes = Buffer.concat(rows.map(({ base64 }) => Buffer.from(base64 as string, 'base64')));
      return digestOf(bytes) === rows[0]!.digest ? bytes : null;
    },
    async write(name, bytes) {
      const digest = digestOf(bytes);
      const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
      try {
        for (let part = 0; part < parts; part++) {
          const base64 = Buffer.from(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)).toString(
            'base64',
          );
          await server.insertRows('kept', [{ name, part, parts, digest, base64 }]);
        }
        await server.run('DELETE FROM kept WHERE name = {name:String} AND digest != {digest:String}', {
          name,
          digest,
        });
      } catch {
        // It is derived again.
      }
    },
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
