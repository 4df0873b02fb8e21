import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildResult, build } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';
import { publicNames } from './public-names.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Entry points that a page may import. */
const ENTRIES = ['browser', 'agronomy', 'charts'];

/** What a page loads beside our own code, and only when it is needed but for the first. */
const LARGE_PACKAGES = ['apache-arrow', 'parquet-wasm', 'vega', 'vega-interpreter', 'vega-lite'];

/** Bundles everything that some entry points export, as for a page. */
function bundle(
  entries: readonly string[],
  external: readonly string[],
): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    stdin: {
      contents: entries.map((entry) => `export * from './src/${entry}.js';`).join('\n'),
      resolveDir: ROOT,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    splitting: true,
    minify: true,
    outdir: 'out',
    write: false,
    metafile: true,
    external: [...external],
    logLevel: 'silent',
  });
}

describe('the entry point for browsers', () => {
  it('bundles with frames, agronomy and charts, and imports nothing of Node', async () => {
    const lazy = LARGE_PACKAGES.slice(1);
    const { metafile } = await bundle(ENTRIES, lazy);
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
    const outside = imported.filter(({ external }) => external).map(({ path }) => path);
    expect([...new Set(outside)].sort()).toEqual(lazy);
  });

  it('cannot be said of the root, so that this test can fail', async () => {
    await expect(bundle(['index'], LARGE_PACKAGES)).rejects.toThrow(/node:fs/);
  });

  it.each([
    { entries: ['browser'], maxKilobytes: 129 },
    { entries: ENTRIES, maxKilobytes: 157 },
  ])(
    'takes at most $maxKilobytes kB with $entries, compressed, without Arrow',
    async ({ entries, maxKilobytes }) => {
      const { outputFiles } = await bundle(entries, LARGE_PACKAGES);
      const bytes = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0);
      expect(bytes / 1000).toBeLessThan(maxKilobytes);
    },
  );

  it('refuses before any request what needs files or packages of Node', async () => {
    // Another test may have loaded what the entry point of Node adds.
    vi.resetModules();
    const { createClient } = await import('../../src/browser.js');
    const refuse = () => Promise.reject(new Error('nothing may be requested'));
    const options = { access_token: 'none', fetch: refuse };
    expect(() => createClient({ ...options, cache: { directory: 'x' } })).toThrow(/^cache: .* browser/);
    const client = createClient(options);
    await expect(client.writeDf('x.csv')).rejects.toThrow(/^path: a browser cannot write files/);
    await expect(client.getDf({ format: 'danfo' })).rejects.toThrow(/toDanfo\(\{ danfo \}\)/);
  });

  it('exports what the root does', () => {
    const namesOf = (entry: string) =>
      publicNames([`${ROOT}dist/${entry}.d.ts`])
        .map(({ name }) => name)
        .sort();
    expect(namesOf('browser')).toEqual(namesOf('index'));
  });
});
