import { badArgument } from '../../../model/errors.js';
import { damaged } from './messages.js';

/** The WebAssembly of @bokuweb/zstd-wasm, as bytes or as a compiled module. */
export type ZstandardModule = BufferSource | WebAssembly.Module;

/**
 * The decompression functions of libzstd, under the minified names of the package's WebAssembly build. The package's
 * own loader is not used because it is asynchronous. fzstd needs no WebAssembly, but takes ten to twenty times as long,
 * and writes zeros if a frame is too short.
 */
interface Library {
  readonly f: WebAssembly.Memory;
  /** Initialises the library. */
  g(): void;
  /** ZSTD_decompress: returns the number of bytes written, or a negative error code. */
  r(into: number, capacity: number, from: number, length: number): number;
  /** malloc: returns 0 if there is not enough memory. */
  s(bytes: number): number;
  /** free: releases memory allocated by malloc. */
  t(at: number): void;
}

const PAGE_BYTES = 2 ** 16;

/** A library whose memory has grown beyond this size is discarded, because WebAssembly never releases memory. */
const KEPT_BYTES = 2 ** 26;

let read: (() => ZstandardModule) | undefined;
let library: Library | undefined;

/**
 * Sets the Zstandard decoder that `fromArrow` uses in a browser, which is `dist/web/zstd.wasm` from
 * `@bokuweb/zstd-wasm`. Node loads this file itself.
 * @example
 * ```ts
 * setZstandardModule(await WebAssembly.compileStreaming(fetch('/assets/zstd.wasm')));
 * ```
 */
export function setZstandardModule(module: ZstandardModule): void {
  readZstandardBy(() => module);
}

export function readZstandardBy(reader: () => ZstandardModule): void {
  read = reader;
  library = undefined;
}

/** Decompresses consecutive Zstandard frames that must fill `into` exactly, and verifies their checksums. */
export function decompressZstandard(from: Uint8Array, into: Uint8Array): void {
  library ??= start();
  const { f: memory, r: decompress, s: allocate, t: free } = library;
  const source = allocate(from.length);
  const target = allocate(into.length);
  try {
    if (source === 0 || target === 0)
      throw badArgument('bytes', `there is not enough memory to decompress ${into.length} bytes at once`);
    new Uint8Array(memory.buffer).set(from, source);
    const written = decompress(target, into.length, source, from.length);
    if (written !== into.length)
      throw damaged(`its Zstandard frames do not decompress to the expected ${into.length} bytes`);
    into.set(new Uint8Array(memory.buffer, target, into.length));
  } finally {
    free(source);
    free(target);
    if (memory.buffer.byteLength > KEPT_BYTES) library = undefined;
  }
}

function start(): Library {
  if (read === undefined)
    throw badArgument(
      'bytes',
      'the data is compressed with Zstandard, but no decoder is set; set one with setZstandardModule, or write the file with lz4',
    );
  const given = read();
  const module = given instanceof WebAssembly.Module ? given : new WebAssembly.Module(given);
  const ignore = () => 0;
  const stop = () => {
    library = undefined;
    throw damaged('its Zstandard frames crash the decoder');
  };
  const { exports } = new WebAssembly.Instance(module, {
    a: { a: stop, b: ignore, c: stop, d: ignore, e: grow },
  });
  const started = exports as unknown as Library;
  started.g();
  return started;

  function grow(bytes: number): boolean {
    const { f: memory } = started;
    try {
      memory.grow(Math.ceil(((bytes >>> 0) - memory.buffer.byteLength) / PAGE_BYTES));
      return true;
    } catch {
      return false;
    }
  }
}
