/** Normalises a name so that comparisons ignore case, accents and punctuation. */
export function plainName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
