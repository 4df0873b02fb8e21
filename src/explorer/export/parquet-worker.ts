import { toParquet } from '../../frame/formats/parquet/write-parquet.js';
import { fromArrow } from '../../frame/formats/read-arrow.js';

/** Converts Arrow to Parquet in a worker, because only the worker's content security policy allows WebAssembly. */
addEventListener('message', async ({ data }: MessageEvent<Uint8Array>) => {
  const reply = self as unknown as { postMessage(message: ParquetReply, transfer?: Transferable[]): void };
  try {
    const bytes = (await toParquet(fromArrow(data))) as Uint8Array<ArrayBuffer>;
    reply.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    reply.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});

export interface ParquetReply {
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  readonly problem?: string | undefined;
}
