import type { Table } from 'apache-arrow';
import { checkTable } from '../table/check-table.js';
import { frameChecksum } from '../table/checksum.js';
import { CHECKSUM_KEY } from '../table/provenance.js';
import { type FrameSummary, summariseFrame } from './summary.js';

/** Whether the values are those that were written. */
export interface ChecksumState {
  /** `verified` when both checksums are equal, `absent` when none is recorded. */
  state: 'verified' | 'differs' | 'absent';
  /** The checksum in the frame's metadata; null when there is none. */
  recorded: string | null;
  /** The checksum of the present values. */
  actual: string;
}

/** The summary of a frame, and the state of its checksum. */
export interface FrameDescription extends FrameSummary {
  /** The recorded checksum compared with that of the present values. */
  checksum: ChecksumState;
}

/** Describes a frame: shape, types, units, sources, time and host of the retrieval, a summary of the report, checksum. */
export function describeFrame(table: Table): FrameDescription {
  checkTable(table, 'table');
  const recorded = table.schema.metadata.get(CHECKSUM_KEY) ?? null;
  const actual = frameChecksum(table);
  const state = recorded === null ? 'absent' : recorded === actual ? 'verified' : 'differs';
  return { ...summariseFrame(table), checksum: { state, recorded, actual } };
}
