import { stat } from 'node:fs/promises';
import { detectFileKind } from './input-files.js';

/** Bulk files of figures are compressed to about this share of their text. */
const COMPRESSED_SHARE = 0.1;

/** About how long the texts of some files are, to estimate what they need. Those that cannot be read count for nothing. */
export async function estimateTextBytes(files: readonly string[]): Promise<number> {
  const lengths = await Promise.all(files.map((file) => textBytes(file).catch(() => 0)));
  return lengths.reduce((sum, length) => sum + length, 0);
}

async function textBytes(file: string): Promise<number> {
  const kind = await detectFileKind(file);
  const { size } = await stat(file);
  return kind === 'zip' || kind === 'gzip' ? size / COMPRESSED_SHARE : size;
}
