import { existsSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listMarkdown, ROOT, readProse } from './markdown.js';

/** `[text](target)`, `![…](target)` and `src="target"`, without those of the web. */
const LINKS = /(?:\]\(|\bsrc=")([^)\s"]+)/g;

function linksOf(file: string): string[] {
  const prose = readProse(file).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(LINKS)].map(([, target]) => target!);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of readProse(file).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let name = anchor;
    for (let i = 1; anchors.has(name); i++) name = `${anchor}-${i}`;
    anchors.add(name);
  }
  return anchors;
}

function problemOf(file: string, link: string): string | null {
  // Links of the site's own pages lead to built ones; site.test.ts follows them.
  if (/^(https?|mailto):/.test(link) || file.startsWith('docs/site/')) return null;
  const [path, anchor] = link.split('#') as [string, string?];
  const target = path === '' ? file : posix.join(dirname(file), path);
  if (!existsSync(join(ROOT, target))) return 'no such file';
  if (anchor === undefined || statSync(join(ROOT, target)).isDirectory()) return null;
  return anchorsOf(target).has(anchor) ? null : 'no such heading';
}

describe('the links of the documentation', () => {
  it.each(listMarkdown())('lead to files and headings that there are: %s', (file) => {
    const broken = linksOf(file).map((link) => [link, problemOf(file, link)]);
    expect(broken.filter(([, problem]) => problem !== null)).toEqual([]);
  });

  it('are many', () => {
    expect(listMarkdown().flatMap(linksOf).length).toBeGreaterThan(80);
  });

  it('are refused when their heading is gone', () => {
    expect(problemOf('README.md', 'docs/serving.md#tokens-and-users')).toBeNull();
    expect(problemOf('README.md', 'docs/serving.md#no-such-heading')).toBe('no such heading');
    expect(problemOf('README.md', 'docs/no-such-page.md')).toBe('no such file');
  });
});
