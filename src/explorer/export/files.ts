import type { Table } from 'apache-arrow';
import type { Chart } from '../../charts/chart.js';
import { drawSpec, renderSvg } from '../../charts/draw.js';
import type { Theme } from '../../charts/theme.js';
import { toArrowFile } from '../../frame/formats/arrow.js';
import { toCsv } from '../../frame/formats/csv.js';
import type { Size } from '../chart/drawing.js';

/** The pixel ratio of PNG pictures, which makes them sharp on screens and in print. */
const PNG_SCALE = 2;

/** Returns a frame as CSV. Strings that spreadsheets would run as formulas get an apostrophe. */
export function csvFile(table: Table): Blob {
  return new Blob([toCsv(table, { safe: true, date_only: true })], { type: 'text/csv;charset=utf-8' });
}

export function arrowFile(table: Table): Blob {
  const bytes = toArrowFile(table) as Uint8Array<ArrayBuffer>;
  return new Blob([bytes], { type: 'application/vnd.apache.arrow.file' });
}

/** The size of chart pictures in pixels. A PNG has twice as many pixels in each direction. */
const PICTURE_SIZE = { width: 1000, height: 560 };

/** Returns a chart as a picture with an opaque background. An SVG has the citation as its description. */
export async function pictureFile(
  make: (size: Size) => Chart | Promise<Chart>,
  format: 'png' | 'svg',
  { theme, citation }: { theme: Theme; citation: string },
): Promise<Blob> {
  const chart = await make(PICTURE_SIZE);
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

/** How long a download's object URL is kept, because browsers may read from the URL some time after the click. */
const KEPT_MS = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
