/** What a cell gave. */
interface Output {
  readonly output_type: 'stream' | 'execute_result' | 'display_data' | 'error';
  readonly text?: string | readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly ename?: string;
  readonly evalue?: string;
}

interface Cell {
  readonly id?: string;
  readonly cell_type: 'code' | 'markdown' | 'raw';
  readonly source: string | readonly string[];
  readonly execution_count?: number | null;
  readonly outputs?: readonly Output[];
}

/** A notebook file, version 4 of the format. */
export interface Notebook {
  readonly nbformat: number;
  readonly nbformat_minor: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly Cell[];
}

/** A notebook of these code cells, not yet executed. */
export function notebookOf(...sources: string[]): Notebook {
  const cells = sources.map((source, i) => ({
    cell_type: 'code' as const,
    id: `cell-${i}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  return { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
}

/** The code of all cells, as a module. */
export function codeOf(notebook: Notebook): string {
  return `${codeCells(notebook)
    .map(({ source }) => joinText(source))
    .join(';\n')}\nexport {};\n`;
}

/** The code cells of an executed notebook that failed or never ran, each with its code and why. */
export function cellFailures(notebook: Notebook): string[] {
  return codeCells(notebook).flatMap((cell, i) => {
    const error = cell.outputs?.find((output) => output.output_type === 'error');
    const ran = cell.execution_count !== null && cell.execution_count !== undefined;
    if (error === undefined && ran) return [];
    const why = error === undefined ? 'was not run' : `${error.ename}: ${error.evalue}`;
    return [`code cell ${i + 1}: ${why}\n${joinText(cell.source)}`];
  });
}

/** Everything that the cells printed or showed, as text without colours. */
export function outputText(notebook: Notebook): string {
  const outputs = codeCells(notebook).flatMap((cell) => cell.outputs ?? []);
  return outputs.map(textOf).join('\n');
}

/**
 * What the cells show, by their ids, to compare a run with what is saved: without the time of retrieval, which
 * another run need not repeat.
 */
export function comparableOutputs(notebook: Notebook): Record<string, string[]> {
  const shown = codeCells(notebook).map(({ id, outputs = [] }, i): [string, string[]] => [
    id ?? `code cell ${i + 1}`,
    outputs.map(comparableOutput),
  ]);
  return Object.fromEntries(shown);
}

function comparableOutput({ text, data = {}, output_type }: Output): string {
  const parts = Object.entries(data).map(
    ([type, value]) => `${type}: ${joinText(value) || JSON.stringify(value)}`,
  );
  return [output_type, joinText(text), ...parts]
    .join('\n')
    .replaceAll(/retrieved: [\d-]{10}T[\d:.]+Z/g, 'retrieved: (a time)');
}

function codeCells(notebook: Notebook): Cell[] {
  return notebook.cells.filter((cell) => cell.cell_type === 'code' && joinText(cell.source).trim() !== '');
}

function textOf({ text, data = {} }: Output): string {
  const shown = Object.entries(data).filter(([type]) => type.startsWith('text/') || type.endsWith('+xml'));
  return [text, ...shown.map(([, value]) => value)].map(joinText).join('\n').replaceAll(ANSI_COLOUR, '');
}

const ANSI_COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

function joinText(text: unknown): string {
  return Array.isArray(text) ? text.join('') : typeof text === 'string' ? text : '';
}
