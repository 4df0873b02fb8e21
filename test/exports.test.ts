import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

const FILES = ['src', 'test', 'reference'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(`${folder}/${path}`, 'utf8') })),
);

const EXPORT = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const IMPORT = /\{([^{}]*)\}(?: from|\s*=\s*await import\()\s*'(\.[^']+)'/g;

/** Lists the files that import each value, as `src/path.ts value`. */
function listImporters(): Map<string, Set<string>> {
  const values = FILES.filter(({ path }) => path.startsWith('src/')).flatMap(({ path, text }) =>
    [...text.matchAll(EXPORT)].map(([, name]) => `${path.replace(/\.tsx?$/, '')} ${name}`),
  );
  const importers = new Map(values.map((value) => [value, new Set<string>()]));
  for (const { path, text } of FILES)
    for (const [, names, specifier] of text.matchAll(IMPORT)) {
      const from = posix.join(posix.dirname(path), specifier!).replace(/\.js$/, '');
      for (const name of names!.split(','))
        importers
          .get(
            `${from} ${name
              .trim()
              .split(/ as |:/)[0]!
              .trim()}`,
          )
          ?.add(path);
    }
  return importers;
}

// A value that one file imports is usually better in that file.
it('at most 35 % of exported values have one importer', () => {
  const importers = [...listImporters()];
  const single = importers.filter(([, files]) => files.size === 1);
  const share = single.length / importers.length;
  expect(importers.length).toBeGreaterThan(1000);
  expect(share, single.map(([value, [file]]) => `${value} (${file})`).join('\n')).toBeLessThanOrEqual(0.35);
});
