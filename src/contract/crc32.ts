/** CRC-32 by Node where it has it, which is faster. This file also runs in browsers. */
const nodeZlib = (
  globalThis.process as { getBuiltinModule?: ((id: string) => object | undefined) | undefined } | undefined
)?.getBuiltinModule?.('node:zlib') as { crc32?: typeof portableCrc32 | undefined } | undefined;

/**
 * The CRC-32 of IEEE 802.3 of bytes, as in zip.
 * @param start the checksum of the bytes before them
 */
export const crc32: (bytes: Uint8Array, start?: number) => number = nodeZlib?.crc32 ?? portableCrc32;

/** The same in JavaScript: eight bytes at a time, by the tables of each byte's contribution at its distance. */
export function portableCrc32(bytes: Uint8Array, start = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as unknown as EightTables;
  let crc = ~start;
  let i = 0;
  for (const last = bytes.length - 8; i <= last; i += 8) {
    const low = crc ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    crc =
      t7[low & 0xff]! ^
      t6[(low >>> 8) & 0xff]! ^
      t5[(low >>> 16) & 0xff]! ^
      t4[low >>> 24]! ^
      t3[bytes[i + 4]!]! ^
      t2[bytes[i + 5]!]! ^
      t1[bytes[i + 6]!]! ^
      t0[bytes[i + 7]!]!;
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

type Table = Int32Array;
type EightTables = [Table, Table, Table, Table, Table, Table, Table, Table];

/** The reversed polynomial. */
const POLYNOMIAL = 0xedb88320;

const TABLES: readonly Int32Array[] = makeTables();

function makeTables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    return crc;
  });
  const tables = [first];
  while (tables.length < 8) tables.push(tables.at(-1)!.map((crc) => first[crc & 0xff]! ^ (crc >>> 8)));
  return tables;
}
