import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../docs/markdown.js';

const DIST = join(ROOT, 'docs', 'site', 'dist');
const ORIGIN = 'http://site.invalid';

let pages: string[];

beforeAll(() => {
  execFileSync(process.execPath, ['--import', 'tsx', join('docs', 'site', 'build.ts')], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  pages = filesIn('.html');
}, 600_000);

function filesIn(ending: string): string[] {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.replaceAll('\\', '/'));
}

function readBuilt(name: string): string {
  return readFileSync(join(DIST, name), 'utf8');
}

/** The file that a server gives for an address, as GitHub Pages and VitePress' own server do; null when there is none. */
function fileOf(path: string): string | null {
  const name = decodeURIComponent(path).replace(/^\//, '');
  const candidates = [name, `${name}.html`, posix.join(name, 'index.html')];
  return (
    candidates.find((file) => existsSync(join(DIST, file)) && statSync(join(DIST, file)).isFile()) ?? null
  );
}

const anchors = new Map<string, Set<string>>();
function anchorsOf(file: string): Set<string> {
  let found = anchors.get(file);
  if (found === undefined) {
    found = new Set([...readBuilt(file).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!));
    anchors.set(file, found);
  }
  return found;
}

function brokenLinks(page: string): string[] {
  const links = [...readBuilt(page).matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&'),
  );
  return links.filter((href) => {
    const url = new URL(href, `${ORIGIN}/${page}`);
    if (url.origin !== ORIGIN) return false;
    const file = fileOf(url.pathname);
    if (file === null) return true;
    const anchor = decodeURIComponent(url.hash.slice(1));
    return anchor !== '' && file.endsWith('.html') && !anchorsOf(file).has(anchor);
  });
}

describe('the site', () => {
  it('has the guides, the recipes, the notebooks, and the API of every entry point', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        'index.html',
        'start.html',
        'recipes.html',
        'python.html',
        'revisions.html',
        'security.html',
        'benchmarks.html',
        'contributing.html',
        'notebooks/01-quickstart.html',
        'api/cropframe/functions/createClient.html',
      ]),
    );
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
    for (const entry of Object.keys(exports).filter((name) => !name.endsWith('.json')))
      expect(pages).toContain(`${posix.join('api/cropframe', entry)}/index.html`);
  });

  it('has no link that leads nowhere', () => {
    const broken = pages.flatMap((page) => brokenLinks(page).map((href) => `${page} → ${href}`));
    expect(broken).toEqual([]);
  });

  it('loads nothing from another host', () => {
    const loaded = [...pages, ...filesIn('.css')].flatMap((file) =>
      [
        ...readBuilt(file).matchAll(
          /(?:<(?:script|img|link)\b[^>]*?\s(?:src|href)=|url\()["']?((?:https?:)?\/\/[^"')]+)/g,
        ),
      ].map(([, address]) => `${file} ${address}`),
    );
    expect(loaded).toEqual([]);
  });

  it('shows every picture', () => {
    const missing = pages.flatMap((page) =>
      [...readBuilt(page).matchAll(/<img\b[^>]*?\ssrc="(\/[^"]+)"/g)]
        .filter(([, src]) => fileOf(new URL(src!, ORIGIN).pathname) === null)
        .map(([, src]) => `${page} ${src}`),
    );
    expect(missing).toEqual([]);
  });

  it('can be searched without a service', () => {
    expect(filesIn('.js').some((name) => name.includes('localSearchIndex'))).toBe(true);
  });
});
