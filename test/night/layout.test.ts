import { describe } from 'vitest';
import { describeImports } from '../store/conformance/imports.js';
import { describePoints } from '../store/conformance/points.js';
import { describeRevisions } from '../store/conformance/revisions.js';
import { openUnsortedStore } from '../store/duckdb/unsorted-store.js';

describe('a store whose points are not in the order of the layout', () => {
  describePoints(openUnsortedStore);
  describeImports(openUnsortedStore);
  describeRevisions(openUnsortedStore);
});
