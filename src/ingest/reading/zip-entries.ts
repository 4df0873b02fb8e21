import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** One file of a zip archive. */
interface ZipEntry {
  readonly name: string;
  /** The length of its text. */
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The wanted files of a zip archive in order; each is checked against its CRC-32 at its end. `onBytes` receives
 * compressed bytes, estimated by the share of the entry's text that has been read.
 */
export async function* zipEntries(
  file: string,
  {
    wantsEntry,
    onBytes = () => {},
  }: { wantsEntry: (name: string) => boolean; onBytes?: (bytes: number) => void },
): AsyncGenerator<ZipEntry> {
  const zip = await openPromise(file);
  // The file is closed by whatever ends the iteration.
  for await (const entry of zip.eachEntry()) {
    const wanted = !entry.fileName.endsWith('/') && wantsEntry(entry.fileName);
    let reported = 0;
    const onRead = (share: number): void => {
      const bytes = Math.floor(share * entry.compressedSize);
      onBytes(bytes - reported);
      reported = bytes;
    };
    if (wanted)
      yield {
        name: entry.fileName,
        bytes: entry.uncompressedSize,
        chunks: readVerifiedChunks(zip, entry, onRead),
      };
    onRead(1);
  }
}

async function* readVerifiedChunks(
  zip: ZipFile,
  entry: Entry,
  onRead: (share: number) => void,
): AsyncGenerator<Uint8Array> {
  const stream: Readable = await zip.openReadStreamPromise(entry);
  let crc = 0;
  let read = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    crc = crc32(chunk, crc);
    read += chunk.length;
    onRead(Math.min(1, read / entry.uncompressedSize));
    yield chunk;
  }
  if (crc !== entry.crc32) throw new Error(`checksum of ${entry.fileName} does not match`);
}
