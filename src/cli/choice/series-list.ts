import { readFile } from 'node:fs/promises';
import { fileFailure } from '../../model/arguments/file-failure.js';
import { ArgumentError } from '../../model/errors.js';
import { type DataSeries, SERIES_KEY_FIELDS } from '../../model/series.js';
import type { SeriesWords } from '../options/series.js';
import { type CommandIo, readText } from '../terminal/io.js';

/** An entry of a list: a whole series, or words that select one. */
export type ListedSeries = { readonly series: DataSeries } | { readonly words: SeriesWords };

const WORDS = ['metric', 'item', 'region', 'partner_region', 'source', 'frequency'] as const;

/**
 * Reads a list of series from a JSON file, or from standard input for `-`: an array of series as `cropframe find --json`
 * prints them, or of objects with names in `metric`, `item`, `region`, `partner_region`, `source` and `frequency`.
 * @throws ArgumentError with the position of an invalid entry; or when the file cannot be read
 */
export async function readSeriesList(
  file: string,
  { stdin, signal }: Pick<CommandIo, 'stdin' | 'signal'>,
): Promise<ListedSeries[]> {
  const text = file === '-' ? await readText(stdin, signal) : await readWhole(file);
  const entries = parseArray(text, file);
  return entries.map((entry, at) => readEntry(entry, `${file}: entry ${at + 1}`));
}

function readWhole(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw fileFailure(error, { path: file, argument: 'file', to: 'read' });
  });
}

function parseArray(text: string, file: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ArgumentError('file', `${file} is not JSON`, { cause });
  }
  if (!Array.isArray(value) || value.length === 0) {
    throw new ArgumentError(
      'file',
      `${file} is not a list of series; it must be a JSON array with at least one entry`,
    );
  }
  return value;
}

function readEntry(entry: unknown, where: string): ListedSeries {
  if (typeof entry !== 'object' || entry === null) throw invalidEntry(where);
  const fields = entry as Readonly<Record<string, unknown>>;
  const withPartner = { partner_region_id: 0, ...fields };
  if (
    SERIES_KEY_FIELDS.every((field) => Number.isSafeInteger(withPartner[field as keyof typeof withPartner]))
  ) {
    return { series: withPartner as unknown as DataSeries };
  }
  const words = WORDS.filter((word) => fields[word] !== undefined).map((word) => [
    word,
    String(fields[word]),
  ]);
  if (words.length === 0) throw invalidEntry(where);
  return { words: Object.fromEntries(words) as SeriesWords };
}

function invalidEntry(where: string): ArgumentError {
  return new ArgumentError(
    'file',
    `${where} is not a series; give ${SERIES_KEY_FIELDS.join(', ')}, or names in ${WORDS.join(', ')}`,
  );
}
