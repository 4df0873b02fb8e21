import { describe } from 'vitest';
import { describeAccess } from './conformance/access.js';
import { describeEntities, describeRegionFile } from './conformance/entities.js';
import { describeImports } from './conformance/imports.js';
import { describeKnownBatches } from './conformance/known-batches.js';
import { describePoints } from './conformance/points.js';
import { describeRows } from './conformance/rows.js';
import type { OpenEmptyStore } from './conformance/sample-data.js';
import { describeSelections } from './conformance/selections/selections.js';
import { describeSeries } from './conformance/series.js';
import { describeSorting } from './conformance/sorting.js';

/**
 * The tests that every store must pass, whatever its engine.
 * @param isWhole false leaves all out but series, points, selections and imports
 */
export function describeStore(name: string, open: OpenEmptyStore, isWhole = true): void {
  describe(name, () => {
    describeSeries(open);
    describePoints(open);
    describeSelections(open);
    describeImports(open, isWhole);
    if (!isWhole) return;
    describeEntities(open);
    describeAccess(open);
    describeRows(open);
    describeKnownBatches(open);
    describeSorting(open);
    describeRegionFile(open);
  });
}
