import type { Table } from 'apache-arrow';
import { checkFunction, fieldsOf, needed } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { ArgumentError } from '../../model/errors.js';
import { type DanfoFrame, type DanfoModule, danfoFrame } from './danfo.js';
import { loadOptional } from './optional-package.js';

/** A frame as a Danfo `DataFrame` of the given module; otherwise as the other form. */
export async function toDanfo<Frame>(
  table: Table,
  options: {
    /** The module. */
    danfo: DanfoModule<Frame>;
  },
): Promise<Frame>;
/**
 * Converts a frame to a Danfo `DataFrame`. Dates become `Date` objects (dtype datetime), numbers become float32 or int32
 * columns of JavaScript numbers, and names become strings. A null number becomes NaN, because Danfo reads null as 0; a
 * null date or string stays null. Booleans become 1 and 0. All other types, such as integers beyond 2⁵³, become strings.
 * Danfo computes in 32-bit floats: compute in Arrow, and convert last.
 * @param options.danfo the module, if it is already loaded; otherwise `danfojs-node` is loaded
 * @throws ArgumentError when danfojs-node is not installed; the message says how to install it
 */
export async function toDanfo(
  table: Table,
  options?: {
    /** The module, when it is already loaded; `danfojs-node` by default. */
    danfo?: DanfoModule | undefined;
  },
): Promise<DanfoFrame>;
export async function toDanfo(
  table: Table,
  options: { danfo?: DanfoModule<unknown> | undefined } = {},
): Promise<unknown> {
  checkOptions(options, { danfo: fieldsOf({ DataFrame: needed(checkFunction) }) }, 'toDanfo');
  return danfoFrame(table, { danfo: options.danfo ?? (await loadDanfo()) });
}

/**
 * Loads `danfojs-node` from the project of the working directory, else from the project that cropframe is installed in.
 * @param directories folders to resolve it from first
 * @throws ArgumentError when it is not installed
 */
export async function loadDanfo(directories: readonly string[] = []): Promise<DanfoModule> {
  const danfo = loadOptional('danfojs-node', directories);
  if (danfo !== undefined) return danfo as DanfoModule;
  throw new ArgumentError('format', NOT_INSTALLED);
}

const NOT_INSTALLED = [
  'format: danfo needs the package danfojs-node, which is not installed. Add to your package.json',
  '  "overrides": { "@tensorflow/tfjs-node": "npm:@tensorflow/tfjs@4.22.0", "xlsx": "npm:@e965/xlsx@0.20.3" }',
  'then run npm install danfojs-node@1.2.0',
].join('\n');
