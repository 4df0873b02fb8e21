import * as v from 'valibot';
import {
  byName,
  key,
  keyOr,
  list,
  number,
  object,
  oneForm,
  oneOf,
  pattern,
  required,
  text,
  whole,
} from '../document/key-schemas.js';

const word = object({
  form: key('a regular expression that matches the whole word, in any case', pattern),
  is: key(
    'in place of a form; years are one, 2020..2024, or 2020.. until this year, and months likewise 2020-01',
    oneOf(['date', 'years', 'months', 'number']),
  ),
  from: key('the least number or year', number),
  to: key('the greatest number or year', number),
  delay_days: keyOr(0, 'days of a year or month before it has files', whole(0, 366)),
  without: keyOr([], 'years or months that were never published', list(text)),
  each: key('several words, each of which has files of its own', v.literal(true)),
  join: key('several words, with this text between them in the address', text),
  default: key('the word if it is left out; "today" or "yesterday" for a date', text),
});

const address = v.pipe(text, v.regex(/^https?:\/\//, 'must begin with https://'));

/** Matches a placeholder for a field in a template, such as `{id}`, `{id:upper}` or `{from:YYYYMMDD}`. */
export const PLACEHOLDER = /\{(\w+)(?::([^{}]+))?\}/g;

const request = v.pipe(
  object({
    words: v.pipe(
      byName(word),
      v.check((given) => Object.keys(given).length > 0, 'must have a word'),
      v.description('the words of the request in their order; each is a field of the addresses'),
    ),
    address: key(
      'a template such as https://example.org/{year}/{place:upper}.csv?from={from:YYYYMMDD}',
      oneForm('an address, or a list of { "when": …, "address": … }', [
        address,
        v.pipe(v.array(object({ when: v.optional(byName(pattern), {}), address })), v.nonEmpty('is empty')),
      ]),
    ),
    name: key('a template for the name of the file; by default the end of the address', text),
    links: key(
      'a page that lists the files, in place of an address',
      object({
        page: required(
          'a template for the address of the page; with {page}, of a list in pages, from 0',
          address,
        ),
        link: required(
          'a regular expression that matches the links, or its group "address"; words agree with groups, or are in it as {word}',
          pattern,
        ),
        newest: key('the field by which the last of several links is chosen', text),
      }),
    ),
    pages: key(
      'for answers in pages, whose addresses have {page}, from 1, or {offset}',
      object({
        count: required('a template for the address that says how many rows there are', address),
        total: required('a regular expression whose group "total" is that number', pattern),
        size: required('rows of a page', whole(1, 10_000_000)),
      }),
    ),
  }),
  v.check(
    ({ address, links }) => (address === undefined) !== (links === undefined),
    'must have either "address" or "links"',
  ),
);

export const fetchKeys = object({
  takes: required('what a request consists of', text),
  example: required('a request by which the addresses are tried', text),
  default: key('the request if none is given', text),
  documented: required('the page that documents the addresses', address),
  with: keyOr([], 'files that all requests need, such as a list of stations', list(address)),
  requests: v.pipe(
    list(request),
    v.nonEmpty('is empty'),
    v.description('the first whose words match is taken'),
  ),
});

export type FetchKeys = v.InferOutput<typeof fetchKeys>;
export type RequestKeys = FetchKeys['requests'][number];
export type WordKeys = v.InferOutput<typeof word>;
