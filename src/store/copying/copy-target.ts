import type { LongOperation } from '../../model/progress.js';
import type { CopyPart, CopyReader, CopySource } from './copy-source.js';

/** A store that a copy is written into. What is copied is kept when the copy breaks off, and becomes a store at the end. */
export interface CopyTarget {
  readonly location: string;
  /** Copies what is not points, unless that was done before. */
  copyTables(source: CopySource, operation: LongOperation): Promise<void>;
  /** Whether a part was copied before. */
  hasPart(part: CopyPart): boolean;
  /** Copies the points of a part, which the source has loaded. */
  copyPart(source: CopySource, part: CopyPart, operation: LongOperation): Promise<void>;
  /** What was copied, before it is a store. */
  open(): Promise<CopyReader>;
  /** Makes the copy a store. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
