export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
