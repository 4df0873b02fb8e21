import { FrameTable } from '../table/frame-table.js';
import { displayFrame } from './display-frame.js';
import { frameHtml } from './frame-html.js';

// Imported for its effect by every entry file: `console.log` in Node, Deno and tslab then shows a frame as text, and
// Deno's notebooks show it as an HTML table.

const MIN_WIDTH = 100;

function inspect(this: FrameTable, _depth: number, options?: { breakLength?: number | undefined }): string {
  const width = options?.breakLength ?? 0;
  return displayFrame(this, Number.isFinite(width) ? { width: Math.max(width, MIN_WIDTH) } : {});
}

function display(this: FrameTable): Record<string, string> {
  return { 'text/html': frameHtml(this), 'text/plain': displayFrame(this) };
}

Object.defineProperty(FrameTable.prototype, Symbol.for('nodejs.util.inspect.custom'), { value: inspect });
Object.defineProperty(FrameTable.prototype, Symbol.for('Jupyter.display'), { value: display });
