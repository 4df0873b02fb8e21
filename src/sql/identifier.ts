/** A name as SQL writes it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
