/** Returns a noun's singular or plural, depending on the count: 1 `point`, 2 `points`. */
export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
