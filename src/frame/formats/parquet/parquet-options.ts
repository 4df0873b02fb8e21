import { oneOf, whole } from '../../../model/arguments/checks.js';
import type { OptionKeys } from '../../../model/arguments/option-keys.js';

/** How a Parquet file is written. */
export interface ParquetOptions {
  /** The codec (default `'zstd'`). */
  compression?: 'zstd' | 'snappy' | 'none' | undefined;
  /** Maximum rows of a row group (default 131,072). */
  rowGroupRows?: number | undefined;
}

/** The keys of `ParquetOptions`. */
export const PARQUET_KEYS: OptionKeys<ParquetOptions> = {
  compression: oneOf(['zstd', 'snappy', 'none']),
  rowGroupRows: whole({ min: 1, max: 2 ** 31 - 1 }),
};
