import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'rolldown';

interface Manifest {
  readonly exports: Readonly<Record<string, Target>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: object;
  readonly peerDependencies: object;
}

/** A file of `dist`, or one for each condition. */
type Target = string | { readonly [condition: string]: Target };

/** Packages in our scripts: of their many files a program would load all. */
const BUNDLED = ['valibot', '@valibot/to-json-schema'];

/** Packages whose data is in `regions.parquet`. */
const DATA = ['countries-list', 'iso-3166', 'us-atlas', 'world-atlas'];

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const scripts = [...Object.values(manifest.exports).flatMap(scriptsOf), ...Object.values(manifest.bin)];
const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
  (name) => !BUNDLED.includes(name),
);

function scriptsOf(target: Target): string[] {
  if (typeof target !== 'string') return Object.values(target).flatMap(scriptsOf);
  return target.endsWith('.js') ? [target] : [];
}

function entryOf(script: string): [name: string, source: string] {
  const name = script.replace(/^(\.\/)?dist\//, '').replace(/\.js$/, '');
  return [name, `src/${name}.ts`];
}

/** The files of `/docs`: our own, and Swagger UI's. */
const DOCS = 'src/service/page/docs';
const SWAGGER_UI = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];

function licenceOf(name: string): string {
  const folder = `node_modules/${name}`;
  return `${folder}/${readdirSync(folder).find((file) => /^license/i.test(file))}`;
}

const copies: Plugin = {
  name: 'copies',
  writeBundle() {
    for (const name of [...BUNDLED, ...DATA])
      cpSync(licenceOf(name), `dist/licenses/${name.replace('/', '-')}.txt`);
    cpSync(DOCS, 'dist/docs', { recursive: true });
    for (const file of SWAGGER_UI) cpSync(`node_modules/swagger-ui-dist/${file}`, `dist/docs/${file}`);
  },
};

/**
 * A few scripts for each entry point: Node takes half a millisecond for every file of a program. Entry points share
 * scripts, so that a class is the same in all of them.
 */
export default defineConfig({
  input: Object.fromEntries(scripts.map(entryOf)),
  // With the platform of Node, Rolldown imports node:module into a script that pages share.
  platform: 'neutral',
  external: (id) =>
    id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [copies],
  output: { dir: 'dist', chunkFileNames: 'shared/[name]-[hash].js' },
  logLevel: 'warn',
});
