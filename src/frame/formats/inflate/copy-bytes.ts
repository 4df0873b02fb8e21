/** So many bytes are copied one by one in less time than a call takes. */
const MAX_LOOPED = 32;

export function copyBytes(from: Uint8Array, at: number, into: Uint8Array, to: number, length: number): void {
  if (length > MAX_LOOPED) into.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) into[to + i] = from[at + i]!;
}

/** Repeats the bytes at a distance before `to`; at a distance below the length, also those that it has just written. */
export function repeatBytes(into: Uint8Array, to: number, distance: number, length: number): void {
  if (distance >= length && length > MAX_LOOPED) into.copyWithin(to, to - distance, to - distance + length);
  else for (let i = 0; i < length; i++) into[to + i] = into[to - distance + i]!;
}
