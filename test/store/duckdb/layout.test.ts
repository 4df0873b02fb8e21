import { describe } from 'vitest';
import { describeImports } from '../conformance/imports.js';
import { describePoints } from '../conformance/points.js';
import { describeRevisions } from '../conformance/revisions.js';
import { openUnsortedStore } from './unsorted-store.js';

describe('a store whose points are not in the order of the layout', () => {
  describePoints(openUnsortedStore);
  describeImports(openUnsortedStore);
  describeRevisions(openUnsortedStore);
});
