import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { IngestError } from '../../model/errors.js';
import { systemReason } from '../../model/file-failure.js';
import { readLineBlocks } from './delimited.js';

export interface InputText {
  /** The name shown in messages: the file name and, for an archive, the entry name. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** The bytes of the text, in chunks. Each iteration starts at the beginning. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Decides whether to read a zip entry, given its name and the names of all entries. */
export type EntryFilter = (name: string, all: readonly string[]) => boolean;

interface OpenInputOptions {
  readonly dataset: string;
  readonly signal?: AbortSignal | undefined;
  readonly wantsEntry?: EntryFilter | undefined;
}

const CHUNK_BYTES = 1 << 18;

/** Returns the total size of files in bytes. @throws IngestError if a file does not exist */
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

/** Yields the text of a plain or gzip file, or of each file in a zip archive. @throws IngestError for damaged files */
export async function* openInput(file: string, options: OpenInputOptions): AsyncGenerator<InputText> {
  const { dataset, signal, wantsEntry = () => true } = options;
  const name = basename(file);
  try {
    const kind = await detectFileKind(file);
    if (kind === 'empty') throw new IngestError(dataset, `${name} is empty`, { file: name });
    let isNoneWanted = true;
    const whole = {
      path: file,
      // Compression typically reduces bulk files to a tenth of their size.
      bytes: (await stat(file)).size * (kind === 'gzip' ? 10 : 1),
      chunks: eachTime(() => streamText(file, kind)),
    };
    for await (const text of kind === 'zip' ? zipEntries(file, wantsEntry) : [whole]) {
      isNoneWanted = false;
      const textName = 'name' in text ? `${name}/${text.name}` : name;
      yield {
        ...text,
        name: textName,
        chunks: eachTime(() => withReadErrors(text.chunks, dataset, textName, signal)),
      };
    }
    if (isNoneWanted)
      throw new IngestError(dataset, `${name} contains no files from this data set`, { file: name });
  } catch (cause) {
    throw cause instanceof IngestError ? cause : unreadableFileError(dataset, file, cause);
  }
}

const eachTime = (open: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => open()[Symbol.asyncIterator](),
});

/** Reads about the first 256 kB of a file's text, decoded by `readLineBlocks`. */
export async function readBeginning(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    bytes += chunk.length;
    if (bytes >= CHUNK_BYTES) break;
  }
  let text = '';
  for await (const block of readLineBlocks(read)) text += block;
  return text;
}

/** Messages for error codes that have a special meaning for input files. */
const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; specify the files in it',
  Z_BUF_ERROR: 'it is truncated; download it again',
};

export async function detectFileKind(file: string): Promise<'zip' | 'gzip' | 'plain' | 'empty'> {
  const magic = (await firstBytes(file, 4)).toString('latin1');
  if (magic === '') return 'empty';
  if (magic === 'PK\x03\x04') return 'zip';
  return magic.startsWith('\x1f\x8b') ? 'gzip' : 'plain';
}

export async function firstBytes(file: string, count: number): Promise<Buffer> {
  const found = await stat(file);
  // Opening a pipe would block until it has a writer, and a second read would find nothing.
  if (found.isFIFO() || found.isSocket() || found.isCharacterDevice())
    throw new Error(
      'it is not a regular file; copy it to a regular file, because an import reads its files more than once',
    );
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function streamText(file: string, kind: string): Readable {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  if (kind !== 'gzip') return source;
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // `gunzip` reports the errors of both streams. An error after its reader has stopped must not end the process.
  pipeline(source, gunzip, () => {});
  gunzip.on('error', () => {});
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

function unreadableFileError(dataset: string, file: string, cause: unknown): IngestError {
  const error: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error(`${cause}`);
  const reason = REASONS[error.code ?? ''] ?? systemReason(error);
  const name = basename(file);
  return new IngestError(dataset, `${name} cannot be read: ${reason}`, { file: name, cause });
}

export function firstLine(text: string): string {
  return /^[^\r\n]*/.exec(text)![0].trim();
}

const MAX_SHOWN_CHARACTERS = 120;

/** Matches UTF-16 text decoded with another encoding: after any byte order mark, every other character is NUL. */
const UTF_16 = /^(?:\uFFFD{0,2}|ÿþ|þÿ)(?:\0[\x20-\x7E]|[\x20-\x7E]\0){3}/;

/** Describes a file's first line, shortened and without quotes, or states that the file is not text. */
export function describeFirstLine(head: string, what = 'its first line is'): string {
  if (UTF_16.test(head)) return 'it is text in UTF-16; save it as UTF-8 (in Excel: "CSV UTF-8")';
  if (/\p{Cc}|\uFFFD/u.test(head.replaceAll('\t', ' '))) return 'it is not text';
  const line = head.replaceAll('"', '');
  return `${what} "${line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line}"`;
}

/** Yields the wanted files in a zip archive, in order. Each file's CRC-32 is checked once it has been read. */
export async function* zipEntries(path: string, wantsEntry: EntryFilter): AsyncGenerator<InputText> {
  const zip = await openPromise(path);
  const entries: Entry[] = [];
  // Iterating to the end closes the archive.
  for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.push(entry);
  const names = entries.map(({ fileName }) => fileName);
  for (const entry of entries) {
    const { fileName: name, uncompressedSize: bytes } = entry;
    if (wantsEntry(name, names))
      yield { name, path, bytes, chunks: eachTime(() => readVerifiedChunks(path, entry)) };
  }
}

/** Reads and verifies an entry. The archive is reopened, because listing its entries closed it. */
async function* readVerifiedChunks(file: string, entry: Entry): AsyncGenerator<Uint8Array> {
  const zip = await openPromise(file);
  const stream: Readable = await zip.openReadStreamPromise(entry).finally(() => zip.close());
  let crc = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== entry.crc32)
    throw new Error(`the checksum of ${entry.fileName} does not match; download it again`);
}
