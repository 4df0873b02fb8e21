import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WASM = createRequire(import.meta.url).resolve('parquet-wasm/esm/parquet_wasm_bg.wasm');

/** The page that loads a bundle, which puts its result into the document. */
const PAGE = '<!doctype html><title>bundle</title><script type="module" src="./main.js"></script>';

const MAIN = `import * as agronomy from 'cropframe/agronomy';
import * as root from 'cropframe';
import * as charts from 'cropframe/charts';
import { runProgram } from './program.js';
const show = (result) => { document.body.textContent = JSON.stringify(result); document.title = 'done'; };
const { host, token } = Object.fromEntries(new URL(location).searchParams);
runProgram({ root, agronomy, charts }, { api_host: host, access_token: token })
  .then(show, (error) => show({ error: String(error?.stack ?? error), cause: String(error?.cause) }));`;

/** A project in an empty folder that has installed the built package. */
export function makeProject(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', 'cropframe'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  esbuild.buildSync({
    entryPoints: [join(ROOT, 'test/browser/entry/program.ts')],
    outfile: join(folder, 'program.js'),
    format: 'esm',
    target: 'es2022',
  });
  writeFileSync(join(folder, 'main.js'), MAIN);
  writeFileSync(join(folder, 'index.html'), PAGE);
}

/** Each bundler with the least that it needs for a page; no plugin stands in for anything of Node. */
export const BUNDLERS: Readonly<Record<string, (folder: string, out: string) => Promise<unknown>>> = {
  async esbuild(folder, out) {
    await esbuild.build({
      entryPoints: [join(folder, 'main.js')],
      outdir: out,
      bundle: true,
      format: 'esm',
      splitting: true,
      minify: true,
      target: 'es2022',
    });
    addPage(folder, out);
  },
  async vite(folder, out) {
    await vite.build({
      root: folder,
      configFile: false,
      base: './',
      logLevel: 'error',
      build: { outDir: out, target: 'es2022', modulePreload: { polyfill: false } },
    });
  },
  async rollup(folder, out) {
    const bundle = await rollup({
      input: join(folder, 'main.js'),
      plugins: [nodeResolve({ browser: true })],
      onwarn(warning) {
        if (!HARMLESS.has(warning.code ?? '')) throw new Error(`rollup: ${warning.message}`);
      },
    });
    await bundle.write({ dir: out, format: 'es' });
    await bundle.close();
    addPage(folder, out);
  },
};

/** What Rollup says of packages of others. */
const HARMLESS = new Set(['CIRCULAR_DEPENDENCY', 'THIS_IS_UNDEFINED', 'EVAL', 'INVALID_ANNOTATION']);

/** What Vite does by itself: the page, and the WebAssembly beside the scripts. */
function addPage(folder: string, out: string): void {
  cpSync(join(folder, 'index.html'), join(out, 'index.html'));
  copyFileSync(WASM, join(out, 'parquet_wasm_bg.wasm'));
}
