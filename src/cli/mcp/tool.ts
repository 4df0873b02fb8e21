import * as z from 'zod';
import type { Client } from '../../create-client.js';
import type { Check } from '../../model/arguments/checks.js';
import { FIELDS, WANTED_PERIOD } from '../../model/arguments/fields.js';
import type { ConnectionOptions } from '../options/connection.js';

/** What a call of a tool has beside its arguments. */
export interface ToolCall {
  /** A client of this call alone: clients save the series of their frames. */
  readonly client: Client;
  /** Aborted when the call is cancelled, or the server stops. */
  readonly signal: AbortSignal;
  /** The command line for a subcommand and its words, with the store or the host of this server. */
  readonly commandLine: CommandLine;
}

export type CommandLine = (subcommand: string, ...words: readonly string[]) => string;

/** What a tool answers: for people and models as text, for programs by its output schema. */
export interface Answer<Output extends object = object> {
  readonly text: string;
  readonly structured: Output;
  /** A picture that clients show as it is. */
  readonly image?: { readonly mimeType: string; readonly data: string } | undefined;
}

/** A tool, whatever its arguments are. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  run(args: unknown, call: ToolCall): Promise<Answer>;
}

/** A tool whose function takes what its input schema parses, and returns what its output schema describes. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input;
    readonly output: Output;
    run(args: z.output<Input>, call: ToolCall): Promise<Answer<z.input<Output>>>;
  },
): Tool {
  return tool as unknown as Tool;
}

const DAY = z.iso.date();
const NAME = z.string().trim().min(1).max(200);

/** A day, whose meaning is that of a parameter of the client's operations. */
export const day = ({ meaning }: Check) => DAY.optional().describe(`${meaning}; YYYY-MM-DD`);

/** A name, likewise. */
const name = ({ meaning = '' }: Check) => NAME.optional().describe(meaning);

/** Arguments that tools share. */
export const ARGUMENTS = {
  start: day(FIELDS.start_date),
  end: day(FIELDS.end_date),
  at_time: day(FIELDS.at_time),
};

/** The period that series should cover. */
export const WANTED_DAYS = { start: day(WANTED_PERIOD.start_date), end: day(WANTED_PERIOD.end_date) };

/** Words that select series. */
export const SERIES_ARGUMENTS = {
  metric: name(FIELDS.metric),
  item: name(FIELDS.item),
  region: name(FIELDS.region),
  partner_region: name(FIELDS.partner_region),
  source: name(FIELDS.source),
  frequency: z.string().optional().describe('such as daily, monthly or annual'),
};

export const REGION_NAME = NAME;
export const SERIES_KEY = z.string().describe('key of a series, as find_series returns it');

/** What every answer with data says beside the data. */
export const CREDITS = {
  units: z.array(z.object({ id: z.number(), name: z.string(), abbreviation: z.string() })),
  sources: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      long_name: z.string(),
      licence: z.string(),
      citation: z.string(),
      url: z.string(),
    }),
  ),
  notes: z.array(z.string()).describe('what to know before using the figures'),
  command: z.string().describe('the command that repeats this answer'),
};

/** Units of computed figures, which have no id. */
export const COMPUTED_UNITS = z.array(z.object({ name: z.string(), abbreviation: z.string() }));

/** Command lines for a POSIX shell, with the store or the host that this server reads. A token never stands in them. */
export function commandLines({ store, host }: ConnectionOptions): CommandLine {
  const connection = store === undefined ? flag('--host', host) : flag('--store', store);
  return (subcommand, ...words) => ['cropframe', subcommand, ...connection, ...words].map(quoted).join(' ');
}

/** An option with its value; nothing without one. */
function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)];
}

/** Options for the fields that have a value: `{ start: '2015-01-01' }` gives `--start 2015-01-01`. */
export function flags(values: Readonly<Record<string, string | number | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => flag(`--${name}`, value));
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
