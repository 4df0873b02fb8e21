import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, posix } from 'node:path';
import { notebookMarkdown } from './notebook.js';
import { HOME, listSections, type Page } from './pages.js';

/** Files that a page shows; of others a browser gets the text. */
const PICTURES = new Set(['.svg', '.webp', '.png', '.jpg']);

/** The picture of the first page. */
const LOGO = 'docs/growing-degree-days.svg';

/** `[text](target)` and `<img src="target">`, up to the target's `#` or its end. */
const TARGETS = /(\]\(|\bsrc=")(?![a-z]+:|#)([^)#"\s]+)/g;

/** Code in which nothing is a link. */
const CODE = /(^ *`{3,}.*?^ *`{3,} *$|`[^`\n]+`)/gms;

/**
 * Copies the Markdown of the repository to the folder that VitePress reads, under the addresses of the site. Links between
 * pages become those of the site; what else is linked to, a script or a picture, is copied beside them.
 * @throws Error when a link leads nowhere
 */
export function gatherPages(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const known = [HOME, ...listSections(root).flatMap(({ pages }) => pages)];
  mkdirSync(join(folder, 'public'), { recursive: true });
  cpSync(join(root, LOGO), join(folder, 'public', basename(LOGO)));
  const paths = new Map(known.map(({ source, path }) => [source, path]));
  const waiting: Page[] = [...known];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    const links = new Links(root, folder, page, paths);
    const text = readFileSync(join(root, page.source), 'utf8');
    const markdown = page.source.endsWith('.ipynb') ? notebookMarkdown(text) : text;
    write(
      join(folder, page.path),
      mapProse(markdown, (prose) => links.rewrite(prose)),
    );
    waiting.push(...links.found);
  }
}

function mapProse(text: string, change: (prose: string) => string): string {
  return text
    .split(CODE)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('');
}

/** The links of one page. */
class Links {
  /** Pages that nothing has linked to before. */
  readonly found: Page[] = [];

  constructor(
    readonly root: string,
    readonly folder: string,
    readonly page: Page,
    readonly paths: Map<string, string>,
  ) {}

  rewrite(prose: string): string {
    return prose.replaceAll(TARGETS, (_, before: string, target: string) => before + this.#address(target));
  }

  /** Where a link of the Markdown file leads in the site. */
  #address(target: string): string {
    const source = posix.join(posix.dirname(this.page.source), target).replace(/\/$/, '');
    if (!existsSync(join(this.root, source))) throw new Error(`${this.page.source}: no file ${target}`);
    if (['.md', '.ipynb'].includes(extname(source))) return this.#relative(this.#pageOf(source));
    if (statSync(join(this.root, source)).isDirectory()) return this.#relative(this.#listingOf(source));
    return this.#copy(source);
  }

  #relative(path: string): string {
    const from = posix.relative(posix.dirname(this.page.path), path);
    return from.startsWith('.') ? from : `./${from}`;
  }

  #pageOf(source: string): string {
    const known = this.paths.get(source);
    if (known !== undefined) return known;
    const path = `files/${source.replace(/README\.md$/, 'index.md')}`;
    this.paths.set(source, path);
    this.found.push({ source, path, title: source });
    return path;
  }

  /** A page that lists the files of a folder. */
  #listingOf(source: string): string {
    const path = `files/${source}/index.md`;
    const names = readdirSync(join(this.root, source)).filter((name) =>
      statSync(join(this.root, source, name)).isFile(),
    );
    const rows = names.map((name) => `- [${name}](${this.#copy(`${source}/${name}`)})`);
    write(join(this.folder, path), `# ${source}\n\n${rows.join('\n')}\n`);
    return path;
  }

  #copy(source: string): string {
    const isPicture = PICTURES.has(extname(source));
    const path = `files/${source}${isPicture ? '' : '.txt'}`;
    const target = join(this.folder, isPicture ? path : `public/${path}`);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(this.root, source), target);
    return isPicture ? this.#relative(path) : `/${path}`;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
