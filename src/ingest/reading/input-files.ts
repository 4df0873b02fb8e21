import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { IngestError } from '../../model/errors.js';
import { zipEntries } from './zip-entries.js';

/** One text to import: a file, the text inside a gzip file, or one entry of a zip archive. */
export interface InputText {
  /** What messages call it: the file's name, with the entry behind it. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

interface OpenInputOptions {
  readonly dataset: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with every piece read from disk. */
  readonly onBytes: (bytes: number) => void;
  /** Which entries of a zip archive to read (default: all). */
  readonly wantsEntry?: ((name: string) => boolean) | undefined;
}

const CHUNK_BYTES = 1 << 20;

/** Bytes of all files together; a file that is not there is an error before anything is read. */
export async function totalBytes(files: readonly string[], dataset: string): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const { size } = await stat(file).catch((cause) => {
      throw unreadableFileError(dataset, file, cause);
    });
    bytes += size;
  }
  return bytes;
}

/**
 * The texts of a file, one for an ordinary or gzip file and one an entry for a zip archive; which of the three it is,
 * its first bytes say.
 * @throws IngestError that names the file when it cannot be read or is damaged
 */
export async function* openInput(file: string, options: OpenInputOptions): AsyncGenerator<InputText> {
  const { dataset, signal, onBytes, wantsEntry = () => true } = options;
  const name = basename(file);
  try {
    const kind = await detectFileKind(file);
    if (kind === 'empty') throw new IngestError(dataset, `${name} is empty`, { file: name });
    if (kind === 'zip') {
      let found = 0;
      for await (const entry of zipEntries(file, { wantsEntry, onBytes })) {
        found++;
        const entryName = `${name}/${entry.name}`;
        yield { name: entryName, chunks: withReadErrors(entry.chunks, dataset, entryName, signal) };
      }
      if (found === 0)
        throw new IngestError(dataset, `${name} holds no file of this data set`, { file: name });
      return;
    }
    const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    source.on('data', (chunk) => onBytes(chunk.length));
    source.pause();
    const chunks = kind === 'gzip' ? gunzip(source) : source;
    try {
      yield { name, chunks: withReadErrors(chunks as AsyncIterable<Uint8Array>, dataset, name, signal) };
    } finally {
      source.destroy();
    }
  } catch (cause) {
    throw cause instanceof IngestError || signal?.aborted ? cause : unreadableFileError(dataset, file, cause);
  }
}

/** What a person makes of the system's codes. */
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name the files in it',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  Z_BUF_ERROR: 'it is cut short; download it again',
};

async function detectFileKind(file: string): Promise<'zip' | 'gzip' | 'plain' | 'empty'> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (bytesRead === 0) return 'empty';
    if (bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50) return 'zip';
    return bytesRead >= 2 && buffer.readUInt16LE(0) === 0x8b1f ? 'gzip' : 'plain';
  } finally {
    await handle.close();
  }
}

function gunzip(source: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // The failure of either end reaches the reader of the last one.
  pipeline(source, gunzip, () => {});
  return gunzip;
}

async function* withReadErrors(
  chunks: AsyncIterable<Uint8Array>,
  dataset: string,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      yield chunk;
    }
  } catch (cause) {
    throw signal?.aborted ? signal.reason : unreadableFileError(dataset, name, cause);
  }
}

/** Why a file cannot be read, in words. */
export function unreadableFileError(dataset: string, file: string, cause: unknown): IngestError {
  const { message, code } =
    cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: `${cause}` };
  const reason = SYSTEM_REASONS[code ?? ''] ?? message;
  return new IngestError(dataset, `${file} cannot be read: ${reason}`, { file: basename(file), cause });
}
