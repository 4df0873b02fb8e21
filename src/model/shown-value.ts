const MAX_SHOWN = 60;

/** A value as an error message shows it: short, and never failing. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string')
    return `"${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}"`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
