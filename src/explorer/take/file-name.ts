const MAX_LENGTH = 80;

/** A name for a file of a selection: letters and digits of its title, whatever else is in it. */
export function fileName(title: string, ending: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return `${words === '' ? 'cropframe' : words}.${ending}`;
}
