/** Returns a noun in the singular if the count is 1, and otherwise in the plural. */
export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
