import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONFORMANCE_PARTS } from '../../store/conformance.js';

it('each part of the conformance has a file', () => {
  const files = readdirSync('test/clickhouse/conformance').map((name) => name.replace('.test.ts', ''));
  expect(files.sort()).toEqual([...CONFORMANCE_PARTS, 'parts'].sort());
});
