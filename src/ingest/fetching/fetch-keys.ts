import * as z from 'zod';
import { adviceOnName, byName, object, oneOf, pattern, text, whole } from '../document/key-schemas.js';

/** Checks that a kind of request has addresses, and that their placeholders are parameters of the request. */
function checkRequest({
  value,
  issues,
}: z.core.ParsePayload<{ words: object; address?: unknown; links?: unknown; pages?: unknown }>): void {
  const report = (message: string, ...path: string[]) =>
    issues.push({ code: 'custom', message, path, input: value });
  if ((value.address === undefined) === (value.links === undefined))
    report('must have either "address" or "links"');
  const { words, ...templates } = value;
  const ofPages = value.links !== undefined ? ['page'] : value.pages !== undefined ? ['page', 'offset'] : [];
  const known = [...Object.keys(words), ...ofPages];
  for (const [key, template] of Object.entries(templates))
    for (const [placeholder, field = ''] of JSON.stringify(template ?? '').matchAll(PLACEHOLDER))
      if (!known.includes(field)) report(`has ${placeholder}, and ${adviceOnName(field, known)}`, key);
}

const bound = z.number({ error: 'must be a number' }).optional();

const word = object({
  form: pattern.optional().describe('a regular expression that matches the whole word, in any case'),
  is: oneOf(['date', 'years', 'months', 'number'])
    .optional()
    .describe(
      'in place of a form; years are one, 2020..2024, or 2020.. until this year, and months likewise 2020-01',
    ),
  from: bound.describe('the least number or year'),
  to: bound.describe('the greatest number or year'),
  delay_days: whole(0, 366).default(0).describe('days of a year or month before it has files'),
  without: z.array(text).default([]).describe('years or months that were never published'),
  each: z.literal(true).optional().describe('several words, each of which has files of its own'),
  join: text.optional().describe('several words, with this text between them in the address'),
  default: text.optional().describe('the word if it is left out; "today" or "yesterday" for a date'),
});

const address = text.regex(/^https?:\/\//, { error: 'must begin with https://' });

/** A field in the template of an address: `{id}`, `{id:upper}` or `{from:YYYYMMDD}`. */
export const PLACEHOLDER = /\{(\w+)(?::([^{}]+))?\}/g;

const request = object({
  words: byName(word)
    .refine((given) => Object.keys(given).length > 0, { error: 'must have a word' })
    .describe('the words of the request in their order; each is a field of the addresses'),
  address: z
    .union([address, z.array(object({ when: byName(pattern).default({}), address })).min(1)], {
      error: 'must be an address, or a list of { "when": …, "address": … }',
    })
    .optional()
    .describe('a template such as https://example.org/{year}/{place:upper}.csv?from={from:YYYYMMDD}'),
  name: text.optional().describe('a template for the name of the file; by default the end of the address'),
  links: object({
    page: address.describe('a template for the address of the page; with {page}, of a list in pages, from 0'),
    link: pattern
      .optional()
      .describe(
        'a regular expression that matches the links, or its group "address"; words agree with groups, or are in it as {word}',
      ),
    records: object({ at: text, fields: byName(text) })
      .optional()
      .describe(
        'in place of "link": the keys to a list of records in JSON, and the keys of fields and "address"',
      ),
    newest: text.optional().describe('the field by which the last of several links is chosen'),
  })
    .optional()
    .describe('a page that lists the files, in place of an address'),
  pages: object({
    count: address.describe('a template for the address that says how many rows there are'),
    total: pattern.describe('a regular expression whose group "total" is that number'),
    size: whole(1, 10_000_000).describe('rows of a page'),
  })
    .optional()
    .describe('for answers in pages, whose addresses have {page}, from 1, or {offset}'),
}).check(checkRequest);

/** The key `fetch` of a document. */
export const fetchKeys = object({
  takes: text.describe('what a request consists of'),
  example: text.describe('a request by which the addresses are tried'),
  default: text.optional().describe('the request if none is given'),
  documented: address.describe('the page that documents the addresses'),
  with: z.array(address).default([]).describe('files that all requests need, such as a list of stations'),
  requests: z.array(request).min(1).describe('the first whose words match is taken'),
});

/** How the files of a document are fetched. */
export type FetchKeys = z.output<typeof fetchKeys>;
/** The files of one form of request. */
export type RequestKeys = FetchKeys['requests'][number];
/** A word of a request. */
export type WordKeys = z.output<typeof word>;
