import { toParquet } from '../../frame/formats/parquet/write-parquet.js';
import { fromArrow } from '../../frame/formats/read-arrow.js';

/** Runs apart from the page, whose policy allows no WebAssembly: Arrow's bytes in, Parquet's bytes out. */
addEventListener('message', async ({ data }: MessageEvent<Uint8Array>) => {
  const reply = self as unknown as { postMessage(message: ParquetReply, transfer?: Transferable[]): void };
  try {
    const bytes = await toParquet(fromArrow(data));
    reply.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    reply.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});

/** The answer of the worker. */
export interface ParquetReply {
  readonly bytes?: Uint8Array | undefined;
  readonly problem?: string | undefined;
}
