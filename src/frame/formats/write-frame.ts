import type { Table } from 'apache-arrow';
import { check, checkOptions } from '../../model/schema/check.js';
import { SIGNAL, TEXT } from '../../model/schema/schemas.js';
import {
  CSV_KEYS,
  type CsvOptions,
  type FileFormat,
  fileFormatOf,
  type WriteFrameOptions,
} from './frame-formats.js';
import { framePieces } from './frame-pieces.js';
import { writeWhole } from './write-file.js';

export async function writeFrame(
  table: Table,
  path: string,
  options: AbortSignal | WriteFrameOptions = {},
): Promise<void> {
  check(TEXT, path, 'path');
  if (!(options instanceof AbortSignal)) checkOptions(options, { ...CSV_KEYS, signal: SIGNAL }, 'writeFrame');
  const { signal, ...csv } = options instanceof AbortSignal ? { signal: options } : options;
  await writeWhole(path, filePieces(table, fileFormatOf(path), csv), { signal });
}

export async function* filePieces(
  table: Table,
  format: FileFormat,
  options: CsvOptions = {},
): AsyncGenerator<string | Uint8Array> {
  if (format !== 'xlsx') yield* framePieces(table, format, options);
  else yield (await import('./xlsx.js')).toXlsx(table);
}
