import { displayFrame } from '../../frame/display/display-frame.js';
import { visibleJson, visibleText } from '../../frame/display/escape-text.js';
import { type FileFormat, fileFormatOf } from '../../frame/formats/frame-formats.js';
import { writeWhole } from '../../frame/formats/write-file.js';
import { filePieces } from '../../frame/formats/write-frame.js';
import { loadXlsxWriter } from '../../frame/formats/xlsx.js';
import { ArgumentError, badArgument } from '../../model/errors.js';
import { plural } from '../../model/names/plural.js';
import type { FrameOutputOptions } from '../options/flag-groups.js';
import { type CommandContext, remark, write, writeLine } from './io.js';

export type Frame = Parameters<typeof filePieces>[0];

/**
 * Returns the output format, which must be known before any request is sent. `display` means a terminal preview.
 * @throws ArgumentError if options contradict each other, if the file extension is unknown, if a binary format would be
 * written to a terminal, or if a required package is missing
 */
export function outputFormat(
  { stdout }: Pick<CommandContext, 'stdout'>,
  { format, json, out, safe, date_only }: FrameOutputOptions,
): FileFormat | 'display' {
  if (json === true && format !== undefined && format !== 'json')
    throw badArgument('format', 'cannot be combined with --json');
  const chosen =
    json === true ? 'json' : (format ?? (out === undefined ? undefined : fileFormatOf(out, 'out')));
  const onTerminal = out === undefined && stdout.isTTY === true;
  if (chosen === undefined) return onTerminal ? 'display' : 'csv';
  const ofCsv = safe === true ? '--safe-csv' : date_only === true ? '--date-only' : undefined;
  if (ofCsv !== undefined && chosen !== 'csv')
    throw new ArgumentError('format', `${ofCsv} is only for CSV; omit it for ${chosen}`);
  if (chosen === 'xlsx') loadXlsxWriter();
  if (onTerminal && chosen !== 'csv' && chosen !== 'json')
    throw new ArgumentError('out', `${chosen} is a binary format; use --out FILE`);
  return chosen;
}

/** Writes a frame to a file or to standard output. The file is created only once it is complete. */
export async function writeFrame(
  context: CommandContext,
  frame: Frame,
  { format, out, safe, date_only }: Omit<FrameOutputOptions, 'format'> & { format: FileFormat | 'display' },
): Promise<void> {
  if (format === 'display')
    return writeLine(context.stdout, displayFrame(frame, { width: context.stdout.columns || 120 }));
  const parts = filePieces(frame, format, { safe, date_only });
  if (out === undefined) {
    for await (const part of parts) {
      context.signal.throwIfAborted();
      await writePiece(context, part, format);
    }
    return;
  }
  await writeWhole(out, parts, { signal: context.signal, argument: 'out' });
  const rows = `${frame.numRows.toLocaleString('en-US')} ${plural('row', frame.numRows)}`;
  await remark(context, `wrote ${rows} to ${out}`);
}

/** Writes a part of a frame to standard output. On a terminal, control characters are escaped. */
export function writePiece(
  { stdout }: Pick<CommandContext, 'stdout'>,
  piece: string | Uint8Array,
  format: FileFormat,
): Promise<void> {
  if (stdout.isTTY !== true || typeof piece !== 'string') return write(stdout, piece);
  return write(stdout, format === 'json' ? visibleJson(piece) : visibleText(piece));
}
