import { ArgumentError } from '../../../model/errors.js';
import { mayHold } from '../../../model/growth.js';
import { type ByteRange, damaged, type FlatTable, int64At, viewOf } from './flatbuffer.js';
import { decompressLz4 } from './lz4.js';
import {
  type Block,
  bodyOf,
  bufferEntries,
  DICTIONARY_BATCH,
  isIpcFile,
  type Message,
  RECORD_BATCH,
  readBuffer,
  readIpcFile,
  readIpcStream,
} from './messages.js';
import { decompressZstandard } from './zstandard.js';

/** The bytes of a body's buffers: LZ4 frames or Zstandard frames. */
type IpcCodec = 'lz4' | 'zstd';

/** By the number in the enumeration CompressionType of Message.fbs. */
const CODECS: readonly IpcCodec[] = ['lz4', 'zstd'];

/** The most bytes that one compressed byte stands for: a length byte of LZ4, or a repeated byte of Zstandard in 4. */
const MAX_RATIO: Readonly<Record<IpcCodec, number>> = { lz4: 255, zstd: 32_768 };

/** Before the bytes of a compressed buffer stands the size that they decompress to, or -1 when they are not compressed. */
const SIZE_BYTES = 8;
const NOT_COMPRESSED = -1;

const MAX_BYTES = 2 ** 32;

const DECOMPRESS: Readonly<Record<IpcCodec, (from: Uint8Array, into: Uint8Array) => void>> = {
  lz4: decompressLz4,
  zstd: decompressZstandard,
};

interface PackedBuffer {
  /** Where its offset and length stand in the metadata. */
  readonly entry: number;
  readonly at: number;
  readonly length: number;
  /** Bytes once decompressed, and where they begin in the new body. */
  readonly size: number;
  readonly to: number;
}

interface PackedBody {
  readonly message: Message;
  readonly batch: FlatTable;
  readonly codec: IpcCodec;
  readonly buffers: readonly PackedBuffer[];
  /** The length of the new body. */
  readonly length: number;
}

/**
 * The same Arrow IPC with every compressed body decompressed; the bytes themselves when none is. Arrow's own reader has
 * codecs too, but neither knows the size that a buffer states nor checks what a codec makes of it.
 * @throws ArgumentError when a body is damaged, or the whole becomes too large
 */
export function decompressIpc(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const blocks = isIpcFile(view) ? readIpcFile(view).blocks : [];
  const messages = isIpcFile(view) ? blocks.map(({ message }) => message) : [...readIpcStream(view)];
  const bodies = messages.flatMap(readPackedBody).sort((a, b) => a.message.at - b.message.at);
  if (bodies.length === 0) return bytes;
  for (const [i, { message }] of bodies.entries()) {
    const before = bodies[i - 1]?.message;
    if (before !== undefined && message.at < before.bodyAt + before.bodyLength) {
      throw damaged(`the batches at bytes ${before.at} and ${message.at} overlap`);
    }
  }
  const decompressed = allocate(bytes.length + sum(bodies.map(growth)), bytes.length);
  writeBodies(bytes, bodies, decompressed);
  moveBlocks(blocks, bodies, viewOf(decompressed));
  return decompressed;
}

function readPackedBody(message: Message): PackedBody[] {
  const { view, kind, header, bodyLength, version } = message;
  if (kind !== RECORD_BATCH && kind !== DICTIONARY_BATCH) return [];
  const batch = kind === RECORD_BATCH ? header : header.table(1);
  const codec = batch && readCodec(batch);
  if (batch === null || codec === null) return [];
  const owner = `the batch at byte ${message.at}`;
  const body = bodyOf(message);
  let end = 0;
  const buffers = bufferEntries(batch, version).map((entry) => {
    const { at, length } = readBuffer(body, entry, owner);
    const size = uncompressedSize(view, { at, length }, codec, owner);
    const to = end;
    end += Math.ceil(size / 8) * 8;
    return { entry, at, length, size, to };
  });
  // What follows keeps its alignment.
  return [{ message, batch, codec, buffers, length: end + (bodyLength % 8) }];
}

function allocate(size: number, from: number): Uint8Array {
  if (size <= MAX_BYTES && size <= mayHold(from)) {
    try {
      return new Uint8Array(size);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const text = `bytes: these ${from} bytes of compressed Arrow IPC state that they decompress to ${size}, which is too large`;
  throw new ArgumentError('bytes', `${text}; write it in smaller files, or uncompressed if you trust it`);
}

function writeBodies(bytes: Uint8Array, bodies: readonly PackedBody[], into: Uint8Array): void {
  let [read, written] = [0, 0];
  for (const body of bodies) {
    const { bodyAt, bodyLength } = body.message;
    into.set(bytes.subarray(read, bodyAt), written);
    written += bodyAt - read;
    describeDecompressed(body, viewOf(into), written - bodyAt);
    decompressBody(bytes, body, into.subarray(written, written + body.length));
    written += body.length;
    read = bodyAt + bodyLength;
  }
  into.set(bytes.subarray(read), written);
}

function decompressBody(bytes: Uint8Array, { message, codec, buffers }: PackedBody, into: Uint8Array): void {
  for (const { at, length, size, to } of buffers) {
    if (size === 0) continue;
    const packed = bytes.subarray(at + SIZE_BYTES, at + length);
    const target = into.subarray(to, to + size);
    if (int64At(message.view, at) === NOT_COMPRESSED) target.set(packed);
    else DECOMPRESS[codec](packed, target);
  }
}

/** Rewrites the metadata of a batch, which stands `shift` bytes further on. */
function describeDecompressed(
  { message, batch, buffers, length }: PackedBody,
  view: DataView,
  shift: number,
) {
  for (const { entry, to, size } of buffers) {
    setInt64(view, entry + shift, to);
    setInt64(view, entry + shift + 8, size);
  }
  const compression = batch.offsetPlace(3);
  if (compression !== null) view.setUint16(compression + shift, 0, true);
  const lengthAt = message.table.int64Place(3);
  if (lengthAt !== null) setInt64(view, lengthAt + shift, length);
}

/** Rewrites the blocks of a file's footer. */
function moveBlocks(blocks: readonly Block[], bodies: readonly PackedBody[], view: DataView): void {
  const ordered = [...blocks].sort((a, b) => a.message.at - b.message.at);
  const footerShift = sum(bodies.map(growth));
  let [passed, shift] = [0, 0];
  for (const { entryAt, message } of ordered) {
    while (passed < bodies.length && bodies[passed]!.message.at < message.at)
      shift += growth(bodies[passed++]!);
    setInt64(view, entryAt + footerShift, message.at + shift);
    const body = bodies[passed]?.message === message ? bodies[passed] : undefined;
    if (body !== undefined) setInt64(view, entryAt + footerShift + 16, body.length);
  }
}

/** How many bytes longer a body becomes. */
const growth = ({ length, message }: PackedBody) => length - message.bodyLength;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function setInt64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % 2 ** 32, true);
  view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
}

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

/** The size of a compressed buffer once it is decompressed, as it states it. */
export function uncompressedSize(
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
