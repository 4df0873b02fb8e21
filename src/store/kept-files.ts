import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { KeptData } from './store.js';

const MAGIC = new TextEncoder().encode('cropkept');
/** The magic bytes, the checksum of what follows, and four bytes that align it. */
const HEAD_BYTES = MAGIC.length + 8;

/** Derived data in files beside a store's file. A file that is damaged, or cannot be read or written, counts as absent. */
export function openKept(location: string): KeptData {
  const pathOf = (name: string) => `${location}.${name}`;
  return {
    async read(name) {
      const file = await readFile(pathOf(name)).catch(() => null);
      return file === null ? null : verified(file);
    },
    async write(name, bytes) {
      const draft = `${pathOf(name)}.${randomUUID()}.new`;
      try {
        const { mode } = await stat(location);
        await writeFile(draft, [head(bytes), bytes], { flag: 'wx', mode: mode & 0o666 });
        await rename(draft, pathOf(name));
      } catch {
        await rm(draft, { force: true }).catch(() => {});
      }
    },
  };
}

/** Keeps nothing, for stores without a file. */
export const KEEPS_NOTHING: KeptData = { read: async () => null, write: async () => {} };

function head(bytes: Uint8Array): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(MAGIC);
  new DataView(head.buffer).setUint32(MAGIC.length, crc32(bytes), true);
  return head;
}

function verified(file: Uint8Array): Uint8Array | null {
  if (file.length < HEAD_BYTES || MAGIC.some((byte, i) => file[i] !== byte)) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const bytes = file.subarray(HEAD_BYTES);
  return crc32(bytes) === view.getUint32(MAGIC.length, true) ? bytes : null;
}
