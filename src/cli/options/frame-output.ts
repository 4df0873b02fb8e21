import { type Command, Option } from 'commander';
import { type CsvOptions, FILE_FORMATS, type FileFormat } from '../../frame/formats/frame-formats.js';

export interface FrameOutputOptions {
  readonly format?: FileFormat | undefined;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
  readonly safeCsv?: boolean | undefined;
  readonly dateOnly?: boolean | undefined;
}

/** Adds the options for the format and the destination of a frame. */
export function addFrameOutputOptions(command: Command): Command {
  const options = [
    new Option(
      '--format <format>',
      'output format (default: from the ending of --out, else csv; a terminal shows a preview)',
    ).choices(FILE_FORMATS),
    new Option('--out <file>', 'output file (default: standard output)'),
    new Option('--json', 'same as --format json'),
    safeCsvOption(),
    new Option('--date-only', 'in CSV, dates as YYYY-MM-DD, without a time that is midnight'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Output:'));
  return command;
}

/** `--safe-csv`, for commands that write CSV. */
export function safeCsvOption(): Option {
  return new Option('--safe-csv', 'an apostrophe before texts in CSV that a spreadsheet takes for formulas');
}

/** How CSV is written. */
export function csvOptionsOf({ safeCsv, dateOnly }: FrameOutputOptions): CsvOptions {
  return { safe: safeCsv, date_only: dateOnly };
}
