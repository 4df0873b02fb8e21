/** Returns the singular or plural of a noun for a count: 1 `point`, 2 `points`. */
export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
