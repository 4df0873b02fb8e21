import { RowError } from '../batch/batch-builder.js';

/** The first column of Eurostat's TSV files: the names of the dimensions, and after a backslash that of the other columns. */
const KEY = /^([^\\]+)\\(?:TIME_PERIOD|time)$/i;

interface KeyColumn {
  readonly header: readonly string[];
  /** A row with the parts of its key as fields. @throws RowError when it does not have as many as the header */
  readonly split: (fields: readonly string[]) => string[];
}

/** A table whose first column holds several, such as `freq,crops,geo\TIME_PERIOD`, with a column for each; null for others. */
export function splitKeyColumn(header: readonly string[]): KeyColumn | null {
  const [, key] = KEY.exec(header[0] ?? '') ?? [];
  if (key === undefined) return null;
  const names = key.split(',');
  return {
    header: [...names, ...header.slice(1)],
    split: ([first = '', ...rest]) => {
      const parts = first.split(',');
      if (parts.length === names.length) return [...parts, ...rest];
      throw new RowError(`the key "${first}" has ${parts.length} parts, but "${key}" has ${names.length}`);
    },
  };
}
