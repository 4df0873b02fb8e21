import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findOptionsInCamelCase, findTypeFlaws } from './public-types.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** The declarations of all entry points by their names. */
function entryFiles(): [name: string, path: string][] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [[name, join(ROOT, target.types)] as [string, string]],
  );
}

describe('the types that an editor shows', () => {
  it('are documented member by member, name what can be imported, and are never any', async () => {
    // Arrow's tables are invariant: only a frame of `any` columns takes every frame. Its rows have values, not `any`.
    const isOfArrow = (flaw: string) => /^(RowValues|Frame(\.select(At)?)?) is any$/.test(flaw);
    expect(findTypeFlaws(entryFiles().map(([, path]) => path)).filter((flaw) => !isOfArrow(flaw))).toEqual(
      [],
    );
  }, 120_000);

  it('write options in snake_case and callbacks as onEvent; only parts of a service have settings in camelCase', () => {
    const entries = entryFiles().filter(([name]) => name !== './service');
    expect(findOptionsInCamelCase(entries.map(([, path]) => path))).toEqual([]);
  }, 120_000);
});
