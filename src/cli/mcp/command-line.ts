import type { ConnectionOptions } from '../options/connection.js';
import type { CommandLine } from './tool.js';

/** Command lines for a POSIX shell, with the store or the host that this server reads. A token never stands in them. */
export function commandLines({ store, host }: ConnectionOptions): CommandLine {
  const connection = store === undefined ? flag('--host', host) : flag('--store', store);
  return (subcommand, ...words) => ['cropframe', subcommand, ...connection, ...words].map(quoted).join(' ');
}

/** An option with its value; nothing without one. */
export function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)];
}

/** Options for the fields that have a value: `{ start: '2015-01-01' }` gives `--start 2015-01-01`. */
export function flags(values: Readonly<Record<string, string | number | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => flag(`--${name}`, value));
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
