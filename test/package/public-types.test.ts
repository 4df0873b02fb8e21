import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    // The types of a table's columns are known when the table is: a function of a row may annotate them.
    const isRowOfAnyTable = (flaw: string) => flaw === 'RowValues is any';
    expect(findTypeFlaws(entries).filter((flaw) => !isRowOfAnyTable(flaw))).toEqual([]);
  }, 120_000);
});

describe('the check of public types', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cropframe-types-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function flawsOf(words: string, index = "export * from './words.js';\n"): string[] {
    writeFileSync(join(folder, 'index.d.ts'), index);
    writeFileSync(join(folder, 'words.d.ts'), words);
    return findTypeFlaws([join(folder, 'index.d.ts')]);
  }

  it('finds members without a docstring, in interfaces, classes and literals', () => {
    const flaws = flawsOf(`
      export interface A {
        /** One. */
        one: number;
        two(): void;
      }
      export declare class B {
        #private;
        private own;
        three: { four: number };
        /** Five. */
        get five(): number;
      }
      export declare function f(options: {
        /** Six. */
        six: number;
        seven?: number;
      }): void;
      export declare const LEVELS: { readonly eight: 1 };`);
    expect(flaws).toEqual([
      'A.two has no docstring',
      'B.three has no docstring',
      'B.three.four has no docstring',
      'f.seven has no docstring',
    ]);
  });
});
