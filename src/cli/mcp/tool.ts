import { Option } from 'commander';
import * as v from 'valibot';
import type { ObjectSchema } from '../../contract/addresses.js';
import type { Client } from '../../create-client.js';
import type { Source, Unit } from '../../model/entity.js';
import { FIELDS } from '../../model/schema/fields.js';
import { TEXT, withMeaning } from '../../model/schema/schemas.js';
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
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  run(args: unknown, call: ToolCall): Promise<Answer>;
}

/** Defines a tool. Its function takes the parsed input and returns the output, both by their schemas. */
export function defineTool<Input extends ObjectSchema, Output extends ObjectSchema>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input;
    readonly output: Output;
    run(args: v.InferOutput<Input>, call: ToolCall): Promise<Answer<v.InferInput<Output> & object>>;
  },
): Tool {
  return tool as unknown as Tool;
}

/** Maps regions to their names. */
export const regionNames = (max: number) =>
  withMeaning('regions by name', v.pipe(v.array(TEXT), v.minLength(1), v.maxLength(max)));

/** Words that select series. */
export const SERIES_INPUT = {
  metric: v.optional(FIELDS.metric),
  item: v.optional(FIELDS.item),
  region: v.optional(FIELDS.region),
  partner_region: v.optional(FIELDS.partner_region),
  source: v.optional(FIELDS.source),
  frequency: v.optional(FIELDS.frequency),
};

/** The fields of a retrieval. */
export const RETRIEVAL_INPUT = {
  start: v.optional(FIELDS.start_date),
  end: v.optional(FIELDS.end_date),
  at_time: v.optional(FIELDS.at_time),
};

export const SERIES_KEY = withMeaning('key of a series, as find_series returns it', v.string());

/** The fields of every answer with data. */
export const CREDITS = {
  units: v.array(v.object({ id: v.number(), name: v.string(), abbreviation: v.string() })),
  sources: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      long_name: v.string(),
      licence: v.string(),
      citation: v.string(),
      url: v.string(),
    }),
  ),
  notes: withMeaning('read them before you use the figures', v.array(v.string())),
  command: withMeaning('the command that repeats this answer', v.string()),
};

/** Units of computed figures, which have no id. */
export const COMPUTED_UNITS = v.array(v.object({ name: v.string(), abbreviation: v.string() }));

/**
 * Writes command lines for a POSIX shell, with the store or the host that this server reads. They never contain a
 * token.
 */
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
export type Credits = Omit<v.InferOutput<v.ObjectSchema<typeof CREDITS, undefined>>, 'units'>;

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

/** Formats a number without digits that the figure does not have. */
export function shownNumber(value: number | null): string {
  return value === null ? '' : String(Number(value.toPrecision(10)));
}

/** Formats a share from 0 to 1 in percent. */
export function shownShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
