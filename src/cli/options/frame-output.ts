import { type Command, Option } from 'commander';
import { displayFrame } from '../../frame/display/display-frame.js';
import type { csvPieces } from '../../frame/formats/csv.js';
import { FRAME_FORMATS, type FrameFormat, frameFormatOf } from '../../frame/formats/frame-formats.js';
import { writeWhole } from '../../frame/formats/write-file.js';
import { framePieces } from '../../frame/formats/write-frame.js';
import { ArgumentError } from '../../model/errors.js';
import { type CommandContext, remark, write, writeLine } from '../terminal/io.js';

/** A table of columns, as frames are. */
export type Frame = Parameters<typeof csvPieces>[0];

export interface FrameOutputOptions {
  format?: FrameFormat | undefined;
  out?: string | undefined;
  json?: boolean | undefined;
}

/** Adds the options that say how and where a frame is written. */
export function addFrameOutputOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--format <format>',
        'default: by the ending of --out, else csv; a terminal is shown the frame',
      )
        .choices(FRAME_FORMATS)
        .helpGroup('Output:'),
    )
    .addOption(new Option('--out <file>', 'write to a file (default: standard output)').helpGroup('Output:'))
    .addOption(new Option('--json', 'the same as --format json').helpGroup('Output:'));
}

/** How a frame leaves: `display` is for a person at the terminal. Decided before anything is asked of a service. */
export function plannedFormat(
  { stdout }: Pick<CommandContext, 'stdout'>,
  { format, json, out }: FrameOutputOptions,
): FrameFormat | 'display' {
  if (json === true && format !== undefined && format !== 'json') {
    throw new ArgumentError('format', `--json and --format ${format} exclude each other`);
  }
  const chosen =
    json === true ? 'json' : (format ?? (out === undefined ? undefined : frameFormatOf(out, 'out')));
  const onTerminal = out === undefined && stdout.isTTY === true;
  if (chosen === undefined) return onTerminal ? 'display' : 'csv';
  if (onTerminal && chosen !== 'csv' && chosen !== 'json') {
    throw new ArgumentError('out', `${chosen} is nothing for a terminal; give --out FILE`);
  }
  return chosen;
}

/** Writes a frame as planned. A file is there only when it is whole. */
export async function writeFrame(
  context: CommandContext,
  frame: Frame,
  { format, out }: { format: FrameFormat | 'display'; out?: string | undefined },
): Promise<void> {
  if (format === 'display') {
    return writeLine(context.stdout, displayFrame(frame, { width: context.stdout.columns ?? 120 }));
  }
  const parts = await framePieces(frame, format);
  if (out === undefined) {
    for (const part of parts) {
      context.signal.throwIfAborted();
      await write(context.stdout, part);
    }
    return;
  }
  await writeWhole(out, parts, context.signal);
  await remark(context, `wrote ${frame.numRows.toLocaleString('en-US')} rows to ${out}`);
}
