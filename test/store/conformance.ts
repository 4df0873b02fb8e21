import { describe } from 'vitest';
import { describeEntities } from './conformance/entities.js';
import { describeIdChanges } from './conformance/id-changes.js';
import { describeImports } from './conformance/imports.js';
import { describeOthers } from './conformance/others.js';
import { describePoints } from './conformance/points.js';
import { describeRevisions } from './conformance/revisions.js';
import { describeSeries } from './conformance/series.js';
import type { OpenEmpty } from './conformance/world.js';

/** What every store must do, whatever its engine; `open` gives an empty one, which each test closes. */
export function describeStore(name: string, open: OpenEmpty): void {
  describe(name, () => {
    describeEntities(open);
    describeSeries(open);
    describePoints(open);
    describeImports(open);
    describeRevisions(open);
    describeIdChanges(open);
    describeOthers(open);
  });
}
