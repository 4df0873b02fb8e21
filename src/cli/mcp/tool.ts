import * as z from 'zod';
import type { Client } from '../../create-client.js';
import type { Check } from '../../model/arguments/checks.js';
import { FIELDS, WANTED_PERIOD } from '../../model/arguments/fields.js';

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
const day = ({ meaning }: Check) => DAY.optional().describe(`${meaning}; YYYY-MM-DD`);

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
