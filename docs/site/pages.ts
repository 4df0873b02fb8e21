import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the site. */
export interface Page {
  /** The Markdown file, from the repository's root. */
  readonly source: string;
  /** The page's address in the site, with `.md`. */
  readonly path: string;
  /** What the side bar calls it. */
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

function docs(name: string, title: string, path: string = name): Page {
  return { source: `docs/${name}.md`, path: `${path}.md`, title };
}

const SECTIONS: readonly Section[] = [
  {
    title: 'Start here',
    pages: [
      docs('start', 'In ten minutes'),
      docs('python', 'From the Python client'),
      docs('recipes', 'Recipes'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      docs('data-sets', 'Data sets'),
      { source: 'data-sets/README.md', path: 'what-they-read.md', title: 'What each data set reads' },
      docs('describe-a-data-set', 'Your own tables'),
      docs('find', 'Find'),
      docs('frames', 'Frames'),
      docs('from-pandas', 'From pandas'),
      docs('sql', 'SQL'),
      docs('revisions', 'Revisions and as-of'),
      docs('prices', 'Prices'),
      docs('degree-days-and-weights', 'Degree days and weights'),
      docs('units', 'Units'),
      docs('explorer', 'The page of a service'),
      docs('notebooks', 'Notebooks'),
      docs('browser', 'In the browser'),
      docs('assistants', 'Assistants'),
    ],
  },
  {
    title: 'A service',
    pages: [
      docs('serving', 'Serving a team'),
      docs('command', 'The command'),
      docs('administration', 'Administration'),
      docs('clickhouse', 'A store in ClickHouse'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      docs('operations', 'Operations'),
      docs('wire', 'The wire protocol'),
      docs('questions', 'Limits and questions'),
      docs('contents', 'All pages'),
    ],
  },
  {
    title: 'Promises',
    pages: [
      docs('reliability', 'Reliability'),
      { source: 'SECURITY.md', path: 'security.md', title: 'Security' },
      { source: 'benchmarks/README.md', path: 'benchmarks.md', title: 'Benchmarks' },
    ],
  },
  {
    title: 'Development',
    pages: [
      { source: 'CONTRIBUTING.md', path: 'contributing.md', title: 'Contributing' },
      docs('dev/architecture', 'Architecture'),
      docs('dev/adding-a-data-set', 'A data set with functions'),
      docs('dev/testing', 'Testing'),
      docs('dev/documentation', 'Documentation'),
      docs('dev/glossary', 'Glossary'),
      docs('dev/releasing', 'Releasing'),
      { source: 'CHANGELOG.md', path: 'changelog.md', title: 'Changes' },
    ],
  },
];

/** The first page of the site, which is no part of the side bar. */
export const HOME: Page = { source: 'docs/site/home.md', path: 'index.md', title: 'cropframe' };

/** The side bar, from top to bottom. What is only linked to becomes a page without a place in it. */
export function listSections(root: string): Section[] {
  const sections = SECTIONS.map(({ title, pages }) => ({
    title,
    pages: pages.filter(({ source }) => existsSync(join(root, source))),
  }));
  sections.splice(2, 0, { title: 'Notebooks', pages: listNotebooks(root) });
  return sections;
}

function listNotebooks(root: string): Page[] {
  return readdirSync(join(root, 'notebooks'))
    .filter((name) => name.endsWith('.ipynb'))
    .map((name) => {
      const source = `notebooks/${name}`;
      const [, title] = /# (.+?)(?:\\n|")/.exec(readFileSync(join(root, source), 'utf8')) ?? [];
      return { source, path: source.replace('.ipynb', '.md'), title: title ?? name };
    });
}
