// parquet-wasm reads and writes Parquet. hyparquet 1.33 with hyparquet-writer 0.17 would need no WebAssembly, but is
// too slow. For 2 million rows with a timestamp, a nullable double, two integers and 1,000 distinct names, it took 3.4
// times as much CPU time to read Zstandard, 9 times as much to read Snappy (into untyped arrays, which must still be
// converted to columns), and 2.5 times as much to write Snappy, into a file of 10.6 MB instead of 5.0 MB. It cannot
// compress with Zstandard.
import type * as ParquetWasm from 'parquet-wasm';
import { badArgument, NetworkError } from '../../../model/errors.js';

/** The default number of rows in a row group. Each group has its own statistics, so readers can skip whole groups. */
export const ROW_GROUP_ROWS = 131_072;

export const TRUSTED = '; write them as Arrow if you trust them';

const PAGE_BYTES = 2 ** 16;
export const ALL_MEMORY = 2 ** 32;
/** The number of copies of a file's contents that are held in memory during decoding. */
export const COPIES = 4;
/** The memory growth in bytes beyond which an instance is discarded. WebAssembly never releases memory. */
export const KEPT_BYTES = 2 ** 29;

export const memoryOf = (parquet: typeof ParquetWasm): number =>
  (parquet.wasmMemory() as WebAssembly.Memory).buffer.byteLength;

/** Discards a WebAssembly instance that has trapped. @throws ArgumentError if it used half the memory limit or more */
export function refuseTrap(
  parquet: typeof ParquetWasm,
  cause: unknown,
  { argument, mayUse = ALL_MEMORY, size = 0 }: { argument: string; mayUse?: number; size?: number },
): void {
  if (!(cause instanceof WebAssembly.RuntimeError)) return;
  dropInstance();
  if (memoryOf(parquet) < ALL_MEMORY / 2) return;
  const reason =
    mayUse < ALL_MEMORY
      ? `these ${size} bytes of Parquet are corrupt, or need more than ${mayUse} bytes of memory${TRUSTED}`
      : 'the data is too large for Parquet in WebAssembly, which has 4 GiB of memory; use smaller files, or Arrow';
  throw badArgument(argument, `${reason}`, { cause });
}

/** The WebAssembly module of parquet-wasm, as a URL, a fetch response, bytes or a compiled module. */
export type ParquetModule = string | URL | Response | BufferSource | WebAssembly.Module;

let placed: ParquetModule | undefined;
let loaded: Promise<typeof ParquetWasm> | undefined;
let loadFresh: (() => typeof ParquetWasm) | undefined;

/** Sets the function that creates WebAssembly instances. In browsers, a failed instance is kept until a reload. */
export function loadParquetBy(load: () => typeof ParquetWasm): void {
  loadFresh = load;
}

/**
 * Sets the location of parquet-wasm's `parquet_wasm_bg.wasm` in a browser. Call this function before Parquet is first
 * read or written. By default, the file must be next to the script. Vite puts it there; with other bundlers, copy it
 * there yourself.
 * @example
 * ```ts
 * setParquetModule('/assets/parquet_wasm_bg.wasm');
 * ```
 */
export function setParquetModule(place: ParquetModule): void {
  placed = place;
  loaded = undefined;
}

let reader: { readonly parquet: typeof ParquetWasm; readonly mayUse: number } | undefined;

/**
 * Returns a parquet-wasm instance for reading. A new instance may use at most `mayUse` bytes. This limit is necessary
 * because a few bytes of a Parquet file can represent a string repeated any number of times.
 */
export async function loadReader(mayUse: number): Promise<typeof ParquetWasm> {
  if (loadFresh === undefined || mayUse === ALL_MEMORY) return loadParquet();
  if (reader?.mayUse === mayUse) return reader.parquet;
  const parquet = loadFresh();
  const memory = parquet.wasmMemory() as WebAssembly.Memory;
  try {
    // Reserves all memory except `mayUse` bytes. Pages that are never touched use address space but no physical memory.
    memory.grow(Math.floor((ALL_MEMORY - memory.buffer.byteLength - mayUse) / PAGE_BYTES));
  } catch {
    // On systems that count untouched pages as used, the memory cannot grow this far. Such systems also reject files
    // that need too much memory.
  }
  reader = { parquet, mayUse };
  return parquet;
}

export function dropInstance(): void {
  if (loadFresh === undefined) return;
  reader = undefined;
  loaded = undefined;
}

export function loadParquet(): Promise<typeof ParquetWasm> {
  loaded ??= startParquet().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

const NOT_LOADED =
  'parquet-wasm cannot be loaded; call setParquetModule with the location of its parquet_wasm_bg.wasm: ';

/** Loads the module. The Node build is ready immediately; the browser build must also be initialised. */
async function startParquet(): Promise<typeof ParquetWasm> {
  if (loadFresh !== undefined) return loadFresh();
  const parquet = await import('parquet-wasm');
  const { default: start } = parquet as { default?: unknown };
  if (typeof start !== 'function') return parquet;
  try {
    await start(placed === undefined ? undefined : { module_or_path: placed });
  } catch (cause) {
    throw new NetworkError(NOT_LOADED + String(cause), { cause });
  }
  return parquet;
}
