/** What a cell showed: the parts of nbformat 4 that are read here. */
interface Output {
  readonly text?: string | string[];
  readonly data?: Readonly<Record<string, string | string[] | object>>;
}

interface Cell {
  readonly cell_type: string;
  readonly source: string | string[];
  readonly outputs?: readonly Output[];
}

/** A notebook with its outputs, as Markdown. */
export function notebookMarkdown(notebook: string): string {
  const { cells } = JSON.parse(notebook) as { cells: readonly Cell[] };
  return cells
    .map(({ cell_type, source, outputs = [] }) =>
      cell_type === 'markdown'
        ? whole(source)
        : [fence(whole(source), 'ts'), ...outputs.map(shown)].join('\n\n'),
    )
    .join('\n\n');
}

function whole(text: string | string[] | object | undefined): string {
  return Array.isArray(text) ? text.join('') : String(text ?? '');
}

function fence(text: string, language: string): string {
  return `\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\``;
}

function shown({ text, data = {} }: Output): string {
  if (text !== undefined) return fence(whole(text), 'text');
  if (data['image/svg+xml'] !== undefined) return picture(whole(data['image/svg+xml']));
  const html = whole(data['text/html']);
  // A blank line would end the block of HTML, and a script is none of a page's.
  if (html !== '' && !/<(script|style|iframe)\b/i.test(html))
    return `<div v-pre class="shown">${html.replace(/\n\s*\n/g, '\n')}</div>`;
  return fence(whole(data['text/plain']), 'text');
}

function picture(svg: string): string {
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return `<img class="shown" alt="What the cell draws" src="${address}">`;
}
