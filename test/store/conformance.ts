import { describe } from 'vitest';
import { describeAccess } from './conformance/access.js';
import { describeCounts } from './conformance/counts.js';
import { describeEntities } from './conformance/entities.js';
import { describeIdChanges } from './conformance/id-changes.js';
import { describeImports } from './conformance/imports.js';
import { describeInspection } from './conformance/inspection.js';
import { describeKnownBatches } from './conformance/known-batches.js';
import { describeConsumers, describePoints } from './conformance/points.js';
import { describeRevisions } from './conformance/revisions.js';
import type { OpenEmptyStore } from './conformance/sample-data.js';
import { describeSeries } from './conformance/series.js';

/** The tests that every store must pass, in parts that take about as long: those of a slow store are divided among files. */
const PARTS = {
  content: [describeEntities, describeSeries, describePoints, describeConsumers, describeAccess],
  counts: [describeCounts, describeInspection, describeRevisions],
  imports: [describeImports],
  changes: [describeIdChanges, describeKnownBatches],
} as const;

export type ConformancePart = keyof typeof PARTS;

export const CONFORMANCE_PARTS = Object.keys(PARTS) as ConformancePart[];

/** The tests that every store must pass, whatever its engine. */
export function describeStore(
  name: string,
  open: OpenEmptyStore,
  parts: readonly ConformancePart[] = CONFORMANCE_PARTS,
): void {
  describe(name, () => {
    for (const part of parts) for (const describePart of PARTS[part]) describePart(open);
  });
}
