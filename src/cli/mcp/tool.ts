import { Option } from 'commander';
import * as z from 'zod';
import { schemaOf } from '../../contract/parameters.js';
import type { Client } from '../../create-client.js';
import type { Check, Needed } from '../../model/arguments/checks.js';
import { FIELDS } from '../../model/arguments/fields.js';
import type { Source, Unit } from '../../model/entity.js';
import type { ConnectionOptions } from '../options/flag-groups.js';
import type { DeclaredCommand, Inputs, InputValues } from '../options/flags.js';

/** The context of a call of a tool. */
export interface ToolCall {
  /** A client of this call alone: clients save the series of their frames. */
  readonly client: Client;
  /** Aborted when the call is cancelled, or the server stops. */
  readonly signal: AbortSignal;
  /** The command line for a command and its options, with the store or the host of this server. */
  readonly commandLine: CommandLine;
}

export type CommandLine = <Takes extends Inputs>(
  command: Pick<DeclaredCommand<Takes>, 'name' | 'takes'>,
  values: Partial<InputValues<Takes>>,
) => string;

/** The answer of a tool: for programs by its output schema, and for people and models as text. */
export interface Answer<Output extends object = object> {
  readonly structured: Output & Pick<Credits, 'notes' | 'command'> & Partial<Pick<Credits, 'sources'>>;
  /** The beginning of the text. */
  readonly heading: string;
  /** The table of the text. */
  readonly rows: readonly Readonly<Record<string, string | number | null | undefined>>[];
  /** The end of the text. */
  readonly more?: string | undefined;
  /** A picture that clients show as it is. */
  readonly image?: { readonly mimeType: string; readonly data: string } | undefined;
}

/** A tool with any arguments. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  run(args: unknown, call: ToolCall): Promise<Answer>;
}

/** A tool whose function takes the parsed input and returns the output, both by their schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input;
    readonly output: Output;
    run(args: z.output<Input>, call: ToolCall): Promise<Answer<z.input<Output>>>;
  },
): Tool {
  return tool as unknown as Tool;
}

/** The schema of an argument, from the check of the parameter that it sets. */
export function input<Value>(check: Needed<Value>): z.ZodType<Value>;
export function input<Value>(check: Check<Value>): z.ZodType<Value | undefined>;
export function input({ meaning = '', needed, ...check }: Check): z.ZodType {
  const value = schemaOf(check, { date: z.iso.date(), text: NAME });
  const schema = check.nullable === true ? value.nullable() : value;
  return (needed === true ? schema : schema.optional()).describe(
    check.shape === 'date' ? `${meaning}; YYYY-MM-DD` : meaning,
  );
}

const NAME = z.string().trim().min(1).max(200);

/** Regions by name. */
export const regionNames = (max: number) => z.array(NAME).min(1).max(max).describe('regions by name');

/** Words that select series. */
export const SERIES_INPUT = {
  metric: input(FIELDS.metric),
  item: input(FIELDS.item),
  region: input(FIELDS.region),
  partner_region: input(FIELDS.partner_region),
  source: input(FIELDS.source),
  frequency: input(FIELDS.frequency),
};

/** The fields of a retrieval. */
export const RETRIEVAL_INPUT = {
  start: input(FIELDS.start_date),
  end: input(FIELDS.end_date),
  at_time: input(FIELDS.at_time),
};

export const SERIES_KEY = z.string().describe('key of a series, as find_series returns it');

/** The fields of every answer with data. */
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
  notes: z.array(z.string()).describe('read them before you use the figures'),
  command: z.string().describe('the command that repeats this answer'),
};

/** Units of computed figures, which have no id. */
export const COMPUTED_UNITS = z.array(z.object({ name: z.string(), abbreviation: z.string() }));

/** Command lines for a POSIX shell, with the store or the host that this server reads. They never contain a token. */
export function commandLines({ store, host }: ConnectionOptions): CommandLine {
  const connection = store === undefined ? { host } : { store };
  return ({ name, takes }, options) => {
    const words: string[] = [];
    const flags = Object.entries({ ...connection, ...options }).flatMap(([option, value]) => {
      const one = takes[option];
      const values = [value]
        .flat()
        .flatMap((each) => (each === undefined || each === null ? [] : [String(each)]));
      if (one instanceof Option) return values.flatMap((each) => [one.long!, each]);
      words.push(...values);
      return [];
    });
    return ['cropframe', name, ...flags, ...(words.length === 0 ? [] : ['--', ...words])]
      .map(quoted)
      .join(' ');
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The credits of an answer's figures. */
export type Credits = Omit<z.output<z.ZodObject<typeof CREDITS>>, 'units'>;

/** Sources as answers have them. */
export async function lookUpSources(
  { client, signal }: ToolCall,
  ids: readonly number[],
): Promise<Credits['sources']> {
  const unique = [...new Set(ids)];
  const found = await client.lookup('sources', unique, { signal });
  return sourceCredits(unique.flatMap((id) => found[id] ?? []));
}

export function sourceCredits(sources: readonly Source[]): Credits['sources'] {
  return sources.map(({ id, name, longName, licence, citation, url }) => ({
    id,
    name,
    long_name: longName,
    licence,
    citation,
    url,
  }));
}

export function unitCredits(units: readonly Unit[]): Pick<Unit, 'id' | 'name' | 'abbreviation'>[] {
  return units.map(({ id, name, abbreviation }) => ({ id, name, abbreviation }));
}

/** A number as texts show it, without digits that the figure does not have. */
export function shownNumber(value: number | null): string {
  return value === null ? '' : String(Number(value.toPrecision(10)));
}

/** A share from 0 to 1 in percent. */
export function shownShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
