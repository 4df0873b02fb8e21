import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParquetModule } from '../../../../src/frame/formats/parquet/parquet-module.js';

/** The form of parquet-wasm for browsers, which Node does not have: it is started with the place of its WebAssembly. */
const start = vi.fn<(options?: { module_or_path: ParquetModule }) => Promise<void>>();
/** One mock, whose module a test chooses: of two that are registered in turn, either may be taken. */
let parquetModule: (original: <T>() => Promise<T>) => object;
const load = async () => ({
  ...(await import('../../../../src/frame/formats/parquet/parquet-module.js')),
  ...(await import('../../../../src/frame/formats/parquet/read-parquet.js')),
  ...(await import('../../../../src/frame/formats/parquet/write-parquet.js')),
});

beforeEach(() => {
  vi.resetModules();
  parquetModule = () => ({ default: start });
  vi.doMock('parquet-wasm', (original) => parquetModule(original));
  start.mockReset();
});
afterEach(() => {
  vi.doUnmock('parquet-wasm');
  vi.resetModules();
});

describe('parquet-wasm in a browser', () => {
  it('is started once, beside the script', async () => {
    const { loadParquet } = await load();
    expect(await loadParquet()).toBe(await loadParquet());
    expect(start.mock.calls).toEqual([[undefined]]);
  });

  it('is started again where it is said to be', async () => {
    const { loadParquet, setParquetModule } = await load();
    await loadParquet();
    setParquetModule('/assets/parquet.wasm');
    await loadParquet();
    expect(start.mock.calls).toEqual([[undefined], [{ module_or_path: '/assets/parquet.wasm' }]]);
  });

  it('that could not be started says what to do, and is started again', async () => {
    const { loadParquet } = await load();
    start.mockRejectedValueOnce(new TypeError('404'));
    const failure = await loadParquet().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'NetworkError',
      message: expect.stringMatching(
        /^parquet-wasm cannot be loaded; call setParquetModule .*: TypeError: 404$/,
      ),
      cause: new TypeError('404'),
    });
    await loadParquet();
    expect(start).toHaveBeenCalledTimes(2);
  });
});

describe('parquet-wasm after a trap', () => {
  const trapped = (bytes: number) => ({
    default: undefined,
    readParquet: () => {
      throw new WebAssembly.RuntimeError('unreachable');
    },
    wasmMemory: () => ({ buffer: { byteLength: bytes }, grow: () => 0 }),
  });

  it.each([
    [
      4_100_000_000,
      /^bytes: these 13 bytes of Parquet are corrupt, or need more than 1073741824 bytes of memory/,
    ],
    [1_000_000, /^bytes: cannot be read as Parquet: RuntimeError: unreachable/],
  ])('of %d bytes says why, and is another instance', async (bytes, reason) => {
    const { fromParquet, loadParquet, loadParquetBy } = await load();
    const fresh = {} as Awaited<ReturnType<typeof loadParquet>>;
    const instances = [trapped(bytes) as unknown as typeof fresh, fresh];
    loadParquetBy(() => instances.shift()!);
    // The bytes are a footer without columns and row groups.
    await expect(fromParquet(Buffer.from(')\x0c)\x0c\0\x05\0\0\0PAR1'))).rejects.toThrow(reason);
    expect(await loadParquet()).toBe(fresh);
  });

  it('is made anew once its memory has grown, which it would keep', async () => {
    const real = await vi.importActual<typeof import('parquet-wasm')>('parquet-wasm');
    const grown = { ...real, wasmMemory: () => ({ buffer: { byteLength: 4_000_000_000 }, grow: () => 0 }) };
    const { fromParquet, loadParquet, loadParquetBy, toParquet } = await load();
    const { fromRows } = await import('../../../../src/frame/formats/from-rows.js');
    const fresh = {} as Awaited<ReturnType<typeof loadParquet>>;
    const instances = [real as typeof fresh, grown as unknown as typeof fresh, fresh];
    loadParquetBy(() => instances.shift()!);
    expect((await fromParquet(await toParquet(fromRows([{ a: 1 }])))).numRows).toBe(1);
    expect(await loadParquet()).toBe(fresh);
  });
});
