import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EQUIVALENTS } from './equivalents.js';

test('the lines of mutants that change nothing are still in their files', () => {
  for (const [file, mutants] of Object.entries(EQUIVALENTS)) {
    const lines = new Set(
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim()),
    );
    expect(
      mutants.map(({ line }) => line).filter((line) => !lines.has(line)),
      file,
    ).toEqual([]);
  }
});
