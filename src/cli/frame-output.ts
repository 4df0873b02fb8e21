import { existsSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { toArrowFile } from '../frame/arrow.js';
import { csvParts } from '../frame/csv.js';
import { displayFrame } from '../frame/display.js';
import { toParquet } from '../frame/parquet.js';
import { toRows } from '../frame/rows.js';
import { ArgumentError } from '../model/errors.js';
import { type CommandContext, remark, write, writeLine } from './io.js';

/** A table of columns, as frames are. */
export type Frame = Parameters<typeof csvParts>[0];

export const FORMATS = ['csv', 'json', 'parquet', 'arrow'] as const;
export type Format = (typeof FORMATS)[number];

export interface FrameOutputOptions {
  format?: Format;
  out?: string;
  json?: boolean;
}

/** Adds the options that say how and where a frame is written. */
export function addFrameOutputOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--format <format>',
        'default: by the ending of --out, else csv; a terminal is shown the frame',
      )
        .choices(FORMATS)
        .helpGroup('Output:'),
    )
    .addOption(new Option('--out <file>', 'write to a file (default: standard output)').helpGroup('Output:'))
    .addOption(new Option('--json', 'the same as --format json').helpGroup('Output:'));
}

/** How a frame leaves: `display` is for a person at the terminal. Decided before anything is asked of a service. */
export function plannedFormat(
  { stdout }: Pick<CommandContext, 'stdout'>,
  { format, json, out }: FrameOutputOptions,
): Format | 'display' {
  if (json === true && format !== undefined && format !== 'json') {
    throw new ArgumentError('format', `--json and --format ${format} exclude each other`);
  }
  const chosen = json === true ? 'json' : (format ?? formatOfFile(out));
  const onTerminal = out === undefined && stdout.isTTY === true;
  if (chosen === undefined) return onTerminal ? 'display' : 'csv';
  if (onTerminal && (chosen === 'parquet' || chosen === 'arrow')) {
    throw new ArgumentError('out', `${chosen} is nothing for a terminal; give --out FILE`);
  }
  return chosen;
}

/** Writes a frame as planned. A file is there only when it is whole. */
export async function writeFrame(
  context: CommandContext,
  frame: Frame,
  { format, out }: { format: Format | 'display'; out?: string | undefined },
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

/** Writes a file beside its place and moves it there when it is whole. A device or pipe is written to directly. */
export async function writeWhole(
  path: string,
  parts: Iterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (existsSync(path) && !statSync(path).isFile()) return writeFile(path, parts, { signal });
  const unfinished = `${path}.${process.pid}.part`;
  try {
    await writeFile(unfinished, parts, { signal });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (signal.aborted) throw signal.reason;
    throw error instanceof Error && 'path' in error ? Object.assign(error, { path }) : error;
  }
}

function formatOfFile(out: string | undefined): Format | undefined {
  if (out === undefined) return undefined;
  const ending = extname(out).slice(1).toLowerCase();
  const known: Readonly<Record<string, Format>> = { feather: 'arrow', pq: 'parquet' };
  return FORMATS.find((format) => format === ending) ?? known[ending];
}

async function framePieces(frame: Frame, format: Format): Promise<Iterable<string | Uint8Array>> {
  switch (format) {
    case 'csv':
      return csvParts(frame);
    case 'json':
      return jsonParts(frame);
    case 'parquet':
      return [await toParquet(frame)];
    case 'arrow':
      return [toArrowFile(frame)];
  }
}

const ROWS_AT_ONCE = 8192;

/** One JSON array, an object a line. */
export function* jsonParts(frame: Frame): Generator<string> {
  yield '[';
  for (let from = 0; from < frame.numRows; from += ROWS_AT_ONCE) {
    const rows = toRows(frame.slice(from, Math.min(frame.numRows, from + ROWS_AT_ONCE)));
    const lines = rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
    yield from === 0 ? lines : `,${lines}`;
  }
  yield '\n]\n';
}
