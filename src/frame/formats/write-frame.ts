import type { Table } from 'apache-arrow';
import { checkSignal, checkText, needed } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { checkTable } from '../table/check-table.js';
import { CSV_KEYS, type CsvOptions, frameFormatOf } from './frame-formats.js';
import { framePieces } from './frame-pieces.js';
import { writeWhole } from './write-file.js';

/**
 * Writes a frame to a file in the format of its ending: `.parquet` or `.pq`, `.arrow` or `.feather` (Arrow file),
 * `.arrows` (Arrow stream), `.csv`, `.json`. The file appears only when it is complete.
 * @param options a signal, or a signal and how CSV is written
 * @throws ArgumentError for another ending or a path that cannot be written; the signal's reason when aborted
 */
export async function writeFrame(
  table: Table,
  path: string,
  options: AbortSignal | WriteFrameOptions = {},
): Promise<void> {
  checkTable(table, 'table');
  needed(checkText)(path, 'path');
  const { signal, ...csv }: WriteFrameOptions =
    options instanceof AbortSignal ? { signal: options } : checkedOptions(options);
  await writeWhole(path, await framePieces(table, frameFormatOf(path), csv), { signal });
}

/** How a frame is written to a file. `safe` and `date_only` apply to CSV. */
export interface WriteFrameOptions extends CsvOptions {
  /** Aborting it ends the writing; what was written is removed. */
  signal?: AbortSignal | undefined;
}

function checkedOptions(options: WriteFrameOptions): WriteFrameOptions {
  checkOptions(options, { ...CSV_KEYS, signal: checkSignal }, 'writeFrame');
  return options;
}
