import { createHash } from 'node:crypto';
import { turns } from '../../store/turns.js';

/** A JSON value as bytes, in pieces. */
export interface JsonBytes {
  readonly pieces: readonly Uint8Array[];
  readonly byteLength: number;
  /** SHA-256 in base64. */
  readonly sha256: string;
}

/** Length of a piece; of a value with a longer text in it, longer. */
const MIN_PIECE_LENGTH = 65_536;

/** Encodes a value piece by piece, other work having its turn in between. The bytes are those of `JSON.stringify`. */
export async function encodeJson(value: unknown): Promise<JsonBytes> {
  const pieces: Uint8Array[] = [];
  const hash = createHash('sha256');
  let byteLength = 0;
  let text = '';
  const flush = (): void => {
    const piece = Buffer.from(text);
    pieces.push(piece);
    hash.update(piece);
    byteLength += piece.byteLength;
    text = '';
  };
  for (const part of jsonTexts(value)) {
    text += part;
    if (text.length < MIN_PIECE_LENGTH) continue;
    flush();
    await turns.next();
  }
  if (text !== '' || pieces.length === 0) flush();
  return { pieces, byteLength, sha256: hash.digest('base64') };
}

/** Values of more parts are written part by part. */
const MAX_PARTS = 1_000;

function* jsonTexts(value: unknown): Generator<string, void, undefined> {
  if (countParts(value, MAX_PARTS) < MAX_PARTS) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* listTexts(value);
  else yield* objectTexts(value as Readonly<Record<string, unknown>>);
}

function* listTexts(list: readonly unknown[]): Generator<string, void, undefined> {
  yield '[';
  for (const [i, item] of list.entries()) {
    if (i > 0) yield ',';
    yield* jsonTexts(item);
  }
  yield ']';
}

function* objectTexts(object: Readonly<Record<string, unknown>>): Generator<string, void, undefined> {
  yield '{';
  const entries = Object.entries(object).filter(([, item]) => item !== undefined);
  for (const [i, [key, item]] of entries.entries()) {
    yield `${i > 0 ? ',' : ''}${JSON.stringify(key)}:`;
    yield* jsonTexts(item);
  }
  yield '}';
}

/** The number of values within a value, counted up to `max`. */
function countParts(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let parts = 1;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    parts += countParts(item, max - parts);
    if (parts >= max) return max;
  }
  return parts;
}
