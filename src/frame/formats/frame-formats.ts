import { ArgumentError } from '../../model/errors.js';

/** The formats that a frame is written in. `json` is one array with an object for each row. */
export const FRAME_FORMATS = ['csv', 'json', 'parquet', 'arrow', 'arrow-stream'] as const;
/** A format that a frame is written in. */
export type FrameFormat = (typeof FRAME_FORMATS)[number];

const FORMAT_OF_ENDING: Readonly<Record<string, FrameFormat>> = {
  '.parquet': 'parquet',
  '.pq': 'parquet',
  '.arrow': 'arrow',
  '.arrows': 'arrow-stream',
  '.feather': 'arrow',
  '.csv': 'csv',
  '.json': 'json',
};

/**
 * The format of a file by its ending; the case of the ending does not matter.
 * @throws ArgumentError for `argument` when the ending is unknown; the message lists the known endings
 */
export function frameFormatOf(path: string, argument = 'path'): FrameFormat {
  const ending = /\.\w+$/.exec(path)?.[0].toLowerCase() ?? '';
  const format = FORMAT_OF_ENDING[ending];
  if (format !== undefined) return format;
  const known = Object.keys(FORMAT_OF_ENDING).join(', ');
  throw new ArgumentError(
    argument,
    `${argument}: "${path}" has no known file ending; the known endings are ${known}`,
  );
}
