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
  form: key('a regular expression that matches the whole word, ignoring case', pattern),
  is: key(
    'the kind of word, in place of "form"; "years" are 2020, 2020..2024 or, until this year, 2020..; "months" are 2020-01 and the like',
    oneOf(['date', 'years', 'months', 'number']),
  ),
  from: key('the smallest number or first year', number),
  to: key('the largest number or last year', number),
  delay_days: keyOr(0, 'days from the start of a year or month until its files exist', whole(0, 366)),
  without: keyOr([], 'years or months that were never published', list(text)),
  each: key('allows several words, each of which has separate files', v.literal(true)),
  join: key('allows several words, which this text joins in the address', text),
  default: key('the default; "today" or "yesterday" for a date', text),
});

const address = v.pipe(text, v.regex(/^https?:\/\//, 'must begin with https://'));

/** Matches a placeholder for a field in a template, such as `{id}`, `{id:upper}` or `{from:YYYYMMDD}`. */
export const PLACEHOLDER = /\{(\w+)(?::([^{}]+))?\}/g;

const request = v.pipe(
  object({
    words: v.pipe(
      byName(word),
      v.check((given) => Object.keys(given).length > 0, 'must have a word'),
      v.description('the words of the request, in order; each is a field in address templates'),
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
          'a template for the address of the page; for a list with several pages, {page} is their number, from 0',
          address,
        ),
        link: required(
          'a regular expression that matches the links, or whose group "address" does; the words of the request must equal its groups, or are inserted as {word}',
          pattern,
        ),
        newest: key('the field by which the last of several matching links is chosen', text),
      }),
    ),
    pages: key(
      'for responses in pages: their addresses contain {page}, from 1, or {offset}',
      object({
        count: required('a template for the address that returns the number of rows', address),
        total: required('a regular expression whose group "total" matches that number', pattern),
        size: required('the number of rows per page', whole(1, 10_000_000)),
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
  example: required('a request with which the addresses are tested', text),
  default: key('the default request', text),
  documented: required('the page that documents the addresses', address),
  with: keyOr([], 'files that all requests need, such as a list of stations', list(address)),
  requests: v.pipe(
    list(request),
    v.nonEmpty('is empty'),
    v.description('the kinds of request; the first whose words match is used'),
  ),
});

export type FetchKeys = v.InferOutput<typeof fetchKeys>;
export type RequestKeys = FetchKeys['requests'][number];
export type WordKeys = v.InferOutput<typeof word>;
