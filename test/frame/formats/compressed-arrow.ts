import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';
import { CompressionType, compressionRegistry, type Table, tableToIPC } from 'apache-arrow';

const lz4 = createRequire(import.meta.url)('lz4js') as { compress: (bytes: Uint8Array) => Uint8Array };

export type Codec = 'lz4' | 'zstd';

const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };

/** The codecs that this Node has: Zstandard from 22.15 on. */
export const CODECS: readonly Codec[] = zstdCompressSync === undefined ? ['lz4'] : ['lz4', 'zstd'];

type Encode = (bytes: Uint8Array) => Uint8Array;

const TYPES = { lz4: CompressionType.LZ4_FRAME, zstd: CompressionType.ZSTD } as const;

export const ENCODE: Readonly<Record<Codec, Encode>> = {
  lz4: (bytes) => Uint8Array.from(lz4.compress(bytes)),
  zstd: (bytes) => Uint8Array.from(zstdCompressSync!(bytes)),
};

interface Packing {
  encode?: Encode | undefined;
  /** The size that each compressed buffer states. */
  state?: ((size: number) => number) | undefined;
}

/**
 * A table as Arrow IPC with compressed buffers; small ones are left as they are. Arrow's own writer states the compressed
 * size of each buffer, so the right one is put in its place.
 */
export function compressedArrow(
  table: Table,
  form: 'file' | 'stream',
  codec: Codec,
  { encode = ENCODE[codec], state = (size) => size }: Packing = {},
): Uint8Array {
  const packed: { bytes: Uint8Array; size: number }[] = [];
  const type = TYPES[codec];
  compressionRegistry.set(type, {
    encode: (bytes) => {
      const encoded = encode(bytes);
      if (encoded.length < bytes.length) packed.push({ bytes: encoded, size: bytes.length });
      return encoded;
    },
  });
  const written = tableToIPC(table, form, type);
  const memory = Buffer.from(written.buffer, written.byteOffset, written.byteLength);
  for (const { bytes, size } of packed) {
    for (let at = memory.indexOf(bytes); at >= 0; at = memory.indexOf(bytes, at + 1)) {
      memory.writeBigInt64LE(BigInt(state(size)), at - 8);
    }
  }
  return written;
}
