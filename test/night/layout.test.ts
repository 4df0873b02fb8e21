import { describe } from 'vitest';
import { describeImports } from '../store/conformance/imports.js';
import { describePoints } from '../store/conformance/points.js';
import { describeSelections } from '../store/conformance/selections/selections.js';
import { openUnsortedStore } from '../store/duckdb/unsorted-store.js';

describe('a store whose points are not in the order of the layout', () => {
  describePoints(openUnsortedStore);
  describeImports(openUnsortedStore);
  describeSelections(openUnsortedStore);
});
