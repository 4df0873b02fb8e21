import { ArgumentError } from '../../../model/errors.js';
import { damaged, type FlatTable, int64At } from './ipc-flatbuffer.js';

/** The body of one RecordBatch table. */
export interface IpcBody {
  readonly view: DataView;
  readonly at: number;
  readonly length: number;
  /** The MetadataVersion of its message: 3 is V4. Before V4, the description of a buffer has 24 bytes instead of 16. */
  readonly version: number;
}

/** A range of bytes in a view. */
export interface ByteRange {
  readonly at: number;
  readonly length: number;
}

/** The bytes of a body's buffers: LZ4 frames or Zstandard frames. */
export type IpcCodec = 'lz4' | 'zstd';

const V4 = 3;

/** By the number in the enumeration CompressionType of Message.fbs. */
const CODECS: readonly IpcCodec[] = ['lz4', 'zstd'];

/** The most bytes that one compressed byte stands for: a length byte of LZ4, or a repeated byte of Zstandard in 4. */
const MAX_RATIO: Readonly<Record<IpcCodec, number>> = { lz4: 255, zstd: 32_768 };

/** Before the bytes of a compressed buffer stands the size that they decompress to, or -1 when they are not compressed. */
export const SIZE_BYTES = 8;
export const NOT_COMPRESSED = -1;

/** How the buffers of a RecordBatch table are compressed; null when they are not. */
export function readCodec(batch: FlatTable): IpcCodec | null {
  const compression = batch.table(3);
  if (compression === null) return null;
  const codec = CODECS[compression.uint8(0)];
  if (codec === undefined || compression.uint8(1) !== 0) {
    throw new ArgumentError(
      'bytes',
      'bytes: this Arrow IPC is compressed in a way that Arrow does not have; write it with lz4, zstd or uncompressed',
    );
  }
  return codec;
}

/** Where the offset and the length of each buffer of a RecordBatch table stand, 8 bytes each. */
export function bufferEntries(batch: FlatTable, version: number): number[] {
  const [stride, skipped] = version < V4 ? [24, 8] : [16, 0];
  const { at, length } = batch.vector(2, stride);
  return Array.from({ length }, (_, i) => at + stride * i + skipped);
}

/** The range of a buffer, which must be within its body; `owner` names it in the error. */
export function readBuffer({ view, at, length }: IpcBody, entry: number, owner: string): ByteRange {
  const buffer = { at: int64At(view, entry), length: int64At(view, entry + 8) };
  if (buffer.at < 0 || buffer.length < 0 || buffer.at + buffer.length > length) {
    throw damaged(`a buffer of ${owner} is outside its batch`);
  }
  return { at: at + buffer.at, length: buffer.length };
}

/** The size of a compressed buffer once it is decompressed, as it states it. */
export function inflatedSize(
  view: DataView,
  { at, length }: ByteRange,
  codec: IpcCodec,
  owner: string,
): number {
  if (length === 0) return 0;
  if (length < SIZE_BYTES) throw damaged(`a compressed buffer of ${owner} has ${length} bytes`);
  const size = int64At(view, at);
  const held = length - SIZE_BYTES;
  if (size === NOT_COMPRESSED) return held;
  if (size < 0 || size > held * MAX_RATIO[codec]) {
    throw damaged(`a compressed buffer of ${owner} states ${size} bytes, which its ${held} cannot hold`);
  }
  return size;
}
