import type { Table } from 'apache-arrow';
import { badArgument } from '../../model/errors.js';
import type { DanfoModule } from './danfo.js';
import type { WriteFrameOptions } from './frame-formats.js';

interface NodeFormats {
  readonly loadDanfo: () => Promise<DanfoModule>;
  readonly writeFrame: (
    table: Table,
    path: string,
    options?: AbortSignal | WriteFrameOptions,
  ) => Promise<void>;
}

let provided: NodeFormats | undefined;

export function provideInNode(formats: NodeFormats): void {
  provided = formats;
}

/** Returns the operations that need Node. @throws ArgumentError in a browser, with `remedy` in its message */
export function inNode(argument: string, remedy: string): NodeFormats {
  if (provided === undefined) throw badArgument(argument, remedy);
  return provided;
}
