import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findTypeFlaws } from './public-types.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

describe('the types that an editor shows', () => {
  it('are documented member by member, name what can be imported, and are never any', async () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
    const entries = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [] : join(ROOT, target.types),
    );
    // Arrow's tables are invariant: only a frame of `any` columns takes every frame. Its rows have values, not `any`.
    const isOfArrow = (flaw: string) => /^(RowValues|Frame(\.select(At)?)?) is any$/.test(flaw);
    expect(findTypeFlaws(entries).filter((flaw) => !isOfArrow(flaw))).toEqual([]);
  }, 120_000);
});
