import { totalmem } from 'node:os';

/** Without a limit, DuckDB's memory grows with an import, up to nearly all of the machine's. */
const MAX_IMPORT_BYTES = 1e9;

/** DuckDB's memory limit during an import. Staged rows beyond it are spilled to disk. */
export function importMemory(): string {
  const ofContainer = containerBytes();
  return megabytes(Math.min(MAX_IMPORT_BYTES, ofContainer === null ? totalmem() / 2 : ofContainer / 4));
}

/**
 * DuckDB's memory limit at other times. Its own default is 80 % of a container, where Node needs more than the rest: the
 * system then kills the process.
 */
export function readingMemory(): string {
  const ofContainer = containerBytes();
  return megabytes(ofContainer === null ? totalmem() * 0.8 : ofContainer / 2);
}

/** The memory of the container of this process; null outside of one. */
function containerBytes(): number | null {
  const bytes = process.constrainedMemory();
  return bytes > 0 && bytes < totalmem() ? bytes : null;
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e6)}MB`;
}
