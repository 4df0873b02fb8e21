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

/** The wanted files of a zip archive in order; each is checked against its CRC-32 at its end. */
export async function* zipEntries(
  file: string,
  wantsEntry: (name: string) => boolean,
): AsyncGenerator<ZipEntry> {
  const zip = await openPromise(file);
  // The end of the iteration closes the file.
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize: bytes } = entry;
    if (!name.endsWith('/') && wantsEntry(name))
      yield { name, bytes, chunks: readVerifiedChunks(zip, entry) };
  }
}

async function* readVerifiedChunks(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream: Readable = await zip.openReadStreamPromise(entry);
  let crc = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== entry.crc32) throw new Error(`checksum of ${entry.fileName} does not match`);
}
