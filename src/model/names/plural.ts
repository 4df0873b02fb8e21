/** A noun as it follows a count: `point` of 1, `points` of other numbers. */
export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
