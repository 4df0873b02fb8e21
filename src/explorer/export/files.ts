import type { Table } from 'apache-arrow';
import type { Chart } from '../../charts/chart.js';
import { drawSpec, renderSvg } from '../../charts/draw.js';
import type { Theme } from '../../charts/theme.js';
import { toArrowFile } from '../../frame/formats/arrow.js';
import { toCsv } from '../../frame/formats/csv.js';
import { fromRows } from '../../frame/formats/from-rows.js';
import type { Size } from '../chart/drawing.js';
import type { ParquetReply } from './parquet-worker.js';
import type { wideTable } from './wide-table.js';
import { workbookOf } from './workbook.js';

/** The pixel ratio of PNG pictures, which makes them sharp on screens and in print. */
const PNG_SCALE = 2;

/** The file formats for a frame. In CSV, `safe` marks strings that spreadsheets would run as formulas. */
export const TABLE_FORMATS = {
  csv: async (table: Table, safe: boolean) => csvFile(table, safe),
  arrow: async (table: Table) =>
    new Blob([toArrowFile(table) as Uint8Array<ArrayBuffer>], { type: 'application/vnd.apache.arrow.file' }),
  parquet: async (table: Table) =>
    new Blob([await parquetBytes(toArrowFile(table))], { type: 'application/vnd.apache.parquet' }),
};

/** The file formats for a table with a column for each series. `about` is a workbook's sheet of notes. */
export const WIDE_FORMATS = {
  csv: async ([heads = [], ...rows]: WideRows, { safe }: WideForm) => {
    const names = heads.map(String);
    const records = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
    return csvFile(fromRows(records), safe);
  },
  xlsx: async (rows: WideRows, { about }: WideForm) => workbookOf(rows, about.split('\n')),
};

type WideRows = ReturnType<typeof wideTable>;
interface WideForm {
  readonly safe: boolean;
  readonly about: string;
}

function csvFile(table: Table, safe: boolean): Blob {
  return new Blob([toCsv(table, { safe, date_only: true })], { type: 'text/csv;charset=utf-8' });
}

function parquetBytes(arrow: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const worker = new Worker(new URL('./parquet-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    worker.onmessage = ({ data: { bytes, problem } }: MessageEvent<ParquetReply>) =>
      bytes === undefined ? reject(new Error(problem)) : resolve(bytes);
    worker.onerror = ({ message }) => reject(new Error(`the Parquet file could not be written: ${message}`));
    worker.postMessage(arrow);
  }).finally(() => worker.terminate());
}

/** The sizes of chart pictures in pixels. A PNG has twice as many pixels in each direction. */
export const PICTURE_SIZES = {
  document: { width: 1000, height: 560 },
  slide: { width: 960, height: 540 },
  email: { width: 600, height: 400 },
  square: { width: 700, height: 700 },
} as const;

/** Returns a chart as a picture with an opaque background. An SVG has the citation as its description. */
export async function pictureFile(
  make: (size: Size) => Chart | Promise<Chart>,
  format: 'png' | 'svg',
  { size, theme, citation }: { size: keyof typeof PICTURE_SIZES; theme: Theme; citation: string },
): Promise<Blob> {
  const pixels = PICTURE_SIZES[size];
  const chart = await make(pixels);
  if (format === 'svg') {
    const texts = { title: chart.figure.description, description: citation };
    return new Blob([await renderSvg(chart.themed(theme), texts)], { type: 'image/svg+xml' });
  }
  const view = await drawSpec(structuredClone(chart.themed(theme)));
  try {
    const canvas = await view.toCanvas(PNG_SCALE);
    return await new Promise<Blob>((resolve, reject) =>
      canvas.toBlob((blob) =>
        blob === null ? reject(new Error('The picture is too large for this browser.')) : resolve(blob),
      ),
    );
  } finally {
    view.finalize();
  }
}

const MAX_LENGTH = 80;

/** Returns a file name made from the letters and digits of a title. */
export function fileName(title: string, ending: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return `${words === '' ? 'cropframe' : words}.${ending}`;
}

/** How long an object URL is kept after the click, because browsers may read it with a delay. */
const KEPT_MS = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
