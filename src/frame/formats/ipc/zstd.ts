import { copyBytes, type DecompressFrame, decompressFrames, repeatBytes } from './compressed-frames.js';
import { viewOf } from './flatbuffer.js';
import { xxHash64Low } from './xxhash64.js';
import {
  BackwardBits,
  broken,
  buildFseTable,
  decodeHuffman,
  type FseLimits,
  type FseTable,
  type HuffmanTable,
  nextState,
  readFseTable,
  readHuffmanTable,
  repeatedSymbol,
  tooLarge,
} from './zstd-entropy.js';

const MAGIC = 0xfd2fb528;
const MAX_BLOCK = 128 * 1024;
const REPEATED = 1;
const COMPRESSED = 2;

/**
 * Decompresses Zstandard frames, one after another, that together fill `into` exactly (RFC 8878), and checks the checksum
 * of each that has one. Its steps are in proportion to the bytes of `from` and of `into`, so that no frame holds it long.
 *
 * It is our own because `fromArrow` is synchronous. fzstd 0.1.1 is too, but read 18 to 46 % of frames in which one bit was
 * flipped as other values, without an error. libzstd in WebAssembly (zstddec 0.3.4) refuses those, and takes 0.4 to 0.5 s for
 * 52 MB instead of 1.5 to 2.5 s, but loads asynchronously; with its bytes in the script, a page would be 30 kB larger.
 * @throws ArgumentError when they break the format or have another size
 */
export function decompressZstd(from: Uint8Array, into: Uint8Array): void {
  decompressFrames(from, into, decompressFrame);
}

function decompressFrame(from: Uint8Array, into: Uint8Array): ReturnType<DecompressFrame> {
  const view = viewOf(from);
  const { length, size, maxBlock, hasChecksum } = readHeader(view);
  const state: FrameState = { huffman: null, tables: null, distances: [1, 4, 8] };
  let [at, to, isLast] = [length, 0, false];
  while (!isLast) {
    if (at + 3 > from.length) throw broken('frame is cut short');
    const word = from[at]! | (from[at + 1]! << 8) | (from[at + 2]! << 16);
    const [kind, stated] = [(word >> 1) & 3, word >> 3];
    if (kind > COMPRESSED || stated > maxBlock) throw broken('frame has a block of an unknown kind or size');
    const start = at + 3;
    at = start + (kind === REPEATED ? 1 : stated);
    if (at > from.length) throw broken('frame is cut short');
    const block = from.subarray(start, at);
    const limit = Math.min(into.length, to + maxBlock);
    to =
      kind === COMPRESSED
        ? decompressBlock(block, state, { into, at: to, limit })
        : copy(block, stated, { into, at: to, limit });
    isLast = (word & 1) === 1;
  }
  if (size !== null && size !== to) throw broken(`frame has ${to} bytes instead of ${size}`);
  if (!hasChecksum) return { read: at, written: to };
  if (at + 4 > from.length) throw broken('frame is cut short');
  if (view.getUint32(at, true) !== xxHash64Low(into.subarray(0, to)))
    throw broken('frame does not have its checksum');
  return { read: at + 4, written: to };
}

/** Copies a block that is not compressed: its bytes, or its only byte `size` times. */
function copy(block: Uint8Array, size: number, { into, at, limit }: Target): number {
  if (at + size > limit) throw tooLarge();
  if (block.length === size) into.set(block, at);
  else into.fill(block[0]!, at, at + size);
  return at + size;
}

interface Header {
  readonly length: number;
  /** The bytes of the frame, where it states them. */
  readonly size: number | null;
  readonly maxBlock: number;
  readonly hasChecksum: boolean;
}

function readHeader(view: DataView): Header {
  if (view.byteLength < 6 || view.getUint32(0, true) !== MAGIC)
    throw broken('frame does not begin as one does');
  const flags = view.getUint8(4);
  if ((flags & 0b1000) !== 0) throw broken('frame has unknown flags');
  const isSingle = ((flags >> 5) & 1) === 1;
  const dictionaryAt = isSingle ? 5 : 6;
  const sizeAt = dictionaryAt + [0, 1, 2, 4][flags & 3]!;
  const width = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!;
  const length = sizeAt + width;
  if (length > view.byteLength) throw broken('frame is cut short');
  for (let at = dictionaryAt; at < sizeAt; at++) {
    if (view.getUint8(at) !== 0) throw broken('frame needs a dictionary');
  }
  const size = width === 0 ? null : statedSize(view, sizeAt, width);
  const window = isSingle ? size! : windowSize(view.getUint8(5));
  return { length, size, maxBlock: Math.min(window, MAX_BLOCK), hasChecksum: (flags & 0b100) !== 0 };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function statedSize(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, true) + 256;
  const low = view.getUint32(at, true);
  return width === 4 ? low : low + view.getUint32(at + 4, true) * 2 ** 32;
}

/** What the blocks of a frame hand on to each other. */
interface FrameState {
  huffman: HuffmanTable | null;
  /** Of literal lengths, distances and match lengths. */
  tables: readonly FseTable[] | null;
  /** The last three distances. */
  readonly distances: [number, number, number];
}

/** Where the bytes of a block go: into those of its frame. */
interface Target {
  readonly into: Uint8Array;
  readonly at: number;
  /** Nothing is written from here on. */
  readonly limit: number;
}

/**
 * Decompresses a block, and returns where its bytes end (RFC 8878, 3.1.1.3). It takes no more steps than the block and
 * its target have bytes, and those of its tables.
 */
function decompressBlock(block: Uint8Array, state: FrameState, target: Target): number {
  if (block.length < 2) throw broken('block is cut short');
  const { literals, end, huffman } = readLiterals(block, target.limit - target.at, state.huffman);
  state.huffman = huffman;
  const [count, at] = sequenceCount(block, end);
  if (count === 0) {
    if (at !== block.length) throw broken('block is followed by further bytes');
    target.into.set(literals, target.at);
    return target.at + literals.length;
  }
  const [tables, start] = readTables(block, at, state.tables);
  state.tables = tables;
  return decodeSequences(new BackwardBits(block, start, block.length), tables, {
    count,
    literals,
    state,
    target,
  });
}

function sequenceCount(block: Uint8Array, at: number): [number, number] {
  const first = block[at]!;
  const bytes = first < 128 ? 1 : first < 255 ? 2 : 3;
  if (at + bytes > block.length) throw broken('block is cut short');
  if (bytes === 1) return [first, at + 1];
  if (bytes === 2) return [((first - 128) << 8) | block[at + 1]!, at + 2];
  return [(block[at + 1]! | (block[at + 2]! << 8)) + 0x7f00, at + 3];
}

interface Sequences {
  readonly count: number;
  readonly literals: Uint8Array;
  readonly state: FrameState;
  readonly target: Target;
}

/** Copies literals and repeats earlier bytes, in turn, then copies the rest of the literals. */
function decodeSequences(bits: BackwardBits, tables: readonly FseTable[], sequences: Sequences): number {
  const { count, literals, state, target } = sequences;
  const { into, limit } = target;
  const [literalTable, distanceTable, matchTable] = tables as [FseTable, FseTable, FseTable];
  let [literalState, distanceState, matchState] = tables.map(({ log }) => bits.read(log)) as [
    number,
    number,
    number,
  ];
  let [to, taken] = [target.at, 0];
  for (let i = 1; ; i++) {
    const literalEntry = literalTable.entries[literalState]!;
    const distanceEntry = distanceTable.entries[distanceState]!;
    const matchEntry = matchTable.entries[matchState]!;
    const distanceBits = distanceEntry & 0xff;
    const distanceCode = 2 ** distanceBits + bits.read(distanceBits);
    const matchCode = matchEntry & 0xff;
    const length = MATCH_BASES[matchCode]! + bits.read(MATCH_BITS[matchCode]!);
    const literalCode = literalEntry & 0xff;
    const copied = LITERAL_BASES[literalCode]! + bits.read(LITERAL_BITS[literalCode]!);
    const distance = takeDistance(state.distances, distanceCode, copied === 0);
    if (taken + copied > literals.length) throw broken('block has too few literals');
    if (to + copied + length > limit) throw tooLarge();
    copyBytes(literals, taken, into, to, copied);
    taken += copied;
    to += copied;
    if (to < distance) throw broken('block repeats bytes from before its start');
    repeatBytes(into, to, distance, length);
    to += length;
    if (i === count) break;
    literalState = nextState(literalEntry, bits);
    matchState = nextState(matchEntry, bits);
    distanceState = nextState(distanceEntry, bits);
  }
  bits.close();
  if (to + literals.length - taken > limit) throw tooLarge();
  into.set(literals.subarray(taken), to);
  return to + literals.length - taken;
}

/** The distance of a code, which the last three are brought up to date with (RFC 8878, 3.1.1.5). */
function takeDistance(last: [number, number, number], code: number, withoutLiterals: boolean): number {
  const which = code > 3 ? 3 : code - 1 + Number(withoutLiterals);
  const distance = code > 3 ? code - 3 : which === 3 ? last[0] - 1 : last[which]!;
  if (distance === 0) throw broken('block repeats bytes at a distance of 0');
  if (which > 1) last[2] = last[1];
  if (which > 0) last[1] = last[0];
  last[0] = distance;
  return distance;
}

const RAW = 0;
const WITH_TABLE = 2;

/** Sizes of one stream of codes take this many bits each, by the format in the header; all but the first have four streams. */
const SIZE_BITS = [10, 10, 14, 18] as const;

/** The literals of a block, and the byte after them. */
interface Literals {
  readonly literals: Uint8Array;
  readonly end: number;
  /** What literals of later blocks may use again. */
  readonly huffman: HuffmanTable | null;
}

/** Reads the literals of a block, at most `limit` (RFC 8878, 3.1.1.3.1). */
function readLiterals(block: Uint8Array, limit: number, huffman: HuffmanTable | null): Literals {
  const first = block[0]!;
  const [kind, format] = [first & 3, (first >> 2) & 3];
  if (kind === RAW || kind === REPEATED) {
    const [size, at] = plainSize(block, format);
    if (size > limit) throw tooLarge();
    const end = at + (kind === RAW ? size : 1);
    if (end > block.length) throw broken('block is cut short');
    const literals = kind === RAW ? block.subarray(at, end) : new Uint8Array(size).fill(block[at]!);
    return { literals, end, huffman };
  }
  const width = SIZE_BITS[format]!;
  const at = (4 + 2 * width + 7) >> 3;
  const header = readLiteralsHeader(block, at);
  const size = Math.floor(header / 16) % 2 ** width;
  const end = at + Math.floor(header / 2 ** (4 + width));
  if (size > limit) throw tooLarge();
  if (end > block.length) throw broken('block is cut short');
  const [table, start] = kind === WITH_TABLE ? readHuffmanTable(block, at, end) : [huffman, at];
  if (table === null) throw broken('block has literals without a table');
  const literals = new Uint8Array(size);
  if (format === 0) decodeHuffman(table, new BackwardBits(block, start, end), literals);
  else decodeFourStreams(table, block, start, end, literals);
  return { literals, end, huffman: table };
}

/** The size of literals that are not compressed, and the byte after it. */
function plainSize(block: Uint8Array, format: number): [number, number] {
  const bytes = [1, 2, 1, 3][format]!;
  return [readLiteralsHeader(block, bytes) >> (bytes === 1 ? 3 : 4), bytes];
}

/** The first bytes of a block as a number. */
function readLiteralsHeader(block: Uint8Array, bytes: number): number {
  if (bytes > block.length) throw broken('block is cut short');
  return block.subarray(0, bytes).reduceRight((sum, byte) => sum * 256 + byte, 0);
}

/** Four streams of codes behind a table of the first three lengths. */
function decodeFourStreams(
  table: HuffmanTable,
  block: Uint8Array,
  at: number,
  end: number,
  into: Uint8Array,
) {
  const quarter = (into.length + 3) >> 2;
  if (at + 6 > end || quarter * 3 > into.length) throw broken('block is cut short');
  let from = at + 6;
  for (let i = 0; i < 4; i++) {
    const to = i === 3 ? end : from + (block[at + 2 * i]! | (block[at + 2 * i + 1]! << 8));
    if (to > end) throw broken('block is cut short');
    const part = into.subarray(quarter * i, i === 3 ? into.length : quarter * (i + 1));
    decodeHuffman(table, new BackwardBits(block, from, to), part);
    from = to;
  }
}

interface Code {
  readonly limits: FseLimits;
  /** The table of a block that describes none. */
  readonly preset: FseTable;
}

const LITERAL_LENGTHS: Code = {
  limits: { maxLog: 9, maxSymbol: 35 },
  preset: buildFseTable(
    [
      4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
      -1, -1,
    ],
    6,
  ),
};

const DISTANCES: Code = {
  limits: { maxLog: 8, maxSymbol: 31 },
  preset: buildFseTable(
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    5,
  ),
};

const MATCH_LENGTHS: Code = {
  limits: { maxLog: 9, maxSymbol: 52 },
  preset: buildFseTable(
    [1, 4, 3, 2, 2, 2, 2, 2, 2, ...new Array<number>(37).fill(1), ...new Array<number>(7).fill(-1)],
    6,
  ),
};

const CODES = [LITERAL_LENGTHS, DISTANCES, MATCH_LENGTHS];

/** The bits that follow the code of a length. */
const LITERAL_BITS = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  15, 16,
];
const MATCH_BITS = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
  2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];

/** The length that each code begins at. */
function bases(bits: readonly number[], first: number): number[] {
  let next = first;
  return bits.map((width) => {
    const base = next;
    next += 2 ** width;
    return base;
  });
}

const LITERAL_BASES = bases(LITERAL_BITS, 0);
const MATCH_BASES = bases(MATCH_BITS, 3);

/** The tables of a block by their modes: preset, one symbol, described, or those of the block before. */
function readTables(
  block: Uint8Array,
  from: number,
  before: readonly FseTable[] | null,
): [FseTable[], number] {
  if (from >= block.length) throw broken('block is cut short');
  const modes = block[from]!;
  if ((modes & 3) !== 0) throw broken('block has an unknown mode');
  let at = from + 1;
  const tables = CODES.map(({ limits, preset }, i) => {
    const mode = (modes >> (6 - 2 * i)) & 3;
    if (mode === 0) return preset;
    if (mode === 1) {
      const symbol = block[at++];
      if (symbol === undefined || symbol > limits.maxSymbol) throw broken('block has an unknown symbol');
      return repeatedSymbol(symbol);
    }
    if (mode === 2) {
      const [table, end] = readFseTable(block, at, block.length, limits);
      at = end;
      return table;
    }
    if (before === null) throw broken('block uses the tables of a block that is missing');
    return before[i]!;
  });
  return [tables, at];
}
