import { escapeMarkup } from './escape-text.js';

/** A section of an HTML page. */
export interface PageSection {
  /** Plain text, which is escaped when the page is rendered. */
  readonly heading: string;
  /** A paragraph of plain text below the heading. */
  readonly text?: string | undefined;
  /** Trusted markup that is inserted unchanged, such as the result of `frameHtml` or a plot. */
  readonly html?: string | undefined;
}

const STYLE = `
:root { color-scheme: light; font: 16px/1.5 system-ui, sans-serif; color: #1c2733; background: #f4f6f8; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
section { background: #fff; border: 1px solid #dde3e9; border-radius: 8px; padding: 1rem 1.5rem; margin: 1.5rem 0; overflow-x: auto; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
table { border-collapse: collapse; font: 13px/1.5 ui-monospace, monospace; }
th, td { padding: .1rem .6rem; text-align: right; border-bottom: 1px solid #eef1f4; white-space: nowrap; }
figure { margin: 0; }
svg { max-width: 100%; height: auto; }
`;

/** Renders a complete HTML page that has no scripts or external resources, so that it can be opened from a file. */
export function renderPage(title: string, sections: readonly PageSection[]): string {
  const parts = sections.map(({ heading, text, html = '' }) => {
    const paragraph = text === undefined ? '' : `<p>${escapeMarkup(text)}</p>`;
    return `<section><h2>${escapeMarkup(heading)}</h2>${paragraph}${html}</section>`;
  });
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head>`,
    `<body><h1>${escapeMarkup(title)}</h1>`,
    ...parts,
    '</body></html>',
  ].join('\n');
}
