import { IngestError } from '../../model/errors.js';
import { groupedBy } from '../../model/grouping.js';
import { MAX_COLUMNS } from '../../model/growth.js';
import { describeFirstLine } from './input-files.js';

/** Joins the lines of a header into one name per column, such as `Maize | ($/mt)`. */
export function joinHeaders(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(({ length }) => length));
  const textsOf = (at: number) => rows.map((row) => (row[at] ?? '').trim()).filter((text) => text !== '');
  return Array.from({ length: width }, (_, at) => textsOf(at).join(' | '));
}

export interface TableLocation {
  readonly dataset: string;
  readonly file: string;
}

export function tableError({ dataset, file }: TableLocation, what: string, row = 1): IngestError {
  return new IngestError(dataset, `${file} ${what}`, { file, row });
}

export function lineError({ dataset, file }: TableLocation, line: number, what: string): IngestError {
  return new IngestError(dataset, `${file}, line ${line}: ${what}`, { file, row: line });
}

/** Checks the number of columns. @throws IngestError if there are too many */
export function checkColumnCount(count: number, where: TableLocation): void {
  if (count <= MAX_COLUMNS) return;
  const [found, most] = [count, MAX_COLUMNS].map((number) => number.toLocaleString('en-US'));
  const what = `has ${found} columns, but at most ${most} can be read; remove columns, or put each value in its own row`;
  throw tableError(where, what);
}

export function hasColumns(header: readonly string[], names: readonly string[]): boolean {
  const present = new Set(header.map((column) => column.toLowerCase()));
  return names.every((name) => present.has(name.toLowerCase()));
}

/** Finds a column by name, ignoring case if no name matches exactly. @throws IngestError unless one column matches */
export function columnFinder(header: readonly string[], where: TableLocation): (name: string) => number {
  const exact = groupedBy(header.keys(), (at) => header[at]!);
  const folded = groupedBy(header.keys(), (at) => header[at]!.toLowerCase());
  return (name) => {
    const found = exact.get(name) ?? folded.get(name.toLowerCase()) ?? [];
    if (found.length === 1) return found[0]!;
    const columns =
      found.length > 1
        ? `has the column "${name}" ${found.length} times (columns ${found.map((at) => at + 1).join(' and ')}); rename all but one`
        : `has no column "${name}"; ${describeFirstLine(header.join(', '), 'its columns are')}`;
    throw tableError(where, columns);
  };
}
