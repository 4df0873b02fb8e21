import { InvalidArgumentError } from 'commander';
import { DATASETS } from '../../ingest/datasets.js';
import { integer, withMeaning } from '../../model/schema/schemas.js';
import { STORE } from '../options/flag-groups.js';
import { flag, type InputValues, makeRepeatable, withParser, word } from '../options/flags.js';

const MIRROR = flag('--mirror <url>', 'fetch from a mirror of the agencies’ files (env: CROPFRAME_MIRROR)');

function parseSetting(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new InvalidArgumentError('Give the name of a setting and its value, with = between them.');
}

export const IMPORT = {
  name: 'import',
  summary: 'import a public data set into a store',
  description: 'Import a public data set into a store. A store that does not exist is created.',
  takes: {
    // `choices` lets shells complete the names. Any other string is also accepted, such as a document's path.
    dataset: word('[dataset]', 'name of a data set, as --list shows, or a document that describes one')
      .choices(DATASETS)
      .argParser((text: string) => text),
    files: word('[files...]', 'files, as downloaded, or their addresses; gzip and zip are accepted'),
    store: flag('--store <file>', 'store file, or clickhouse:// address'),
    host: flag('--host <url>', 'URL of a service that allows imports, instead of a store file'),
    token: flag('--token <token>', 'its access token, with the right to import (default: $API_TOKEN)'),
    list: flag('--list', 'list the data sets, or describe the one that is named'),
    fetch: flag('--fetch [part]', 'fetch the data set, or this part of it, from the agency'),
    mirror: MIRROR,
    rejects: flag('--rejects <file>', 'file for rejected rows (default: <dataset>-rejects.csv)'),
    maxRejects: flag(
      '--max-rejects <n>',
      withMeaning('maximum number of rejected rows (default: 5 % of all rows)', integer()),
    ),
    maxConflicts: flag(
      '--max-conflicts <n>',
      withMeaning(
        'maximum number of rows that contradict each other (default: 0.1 % of all rows)',
        integer(),
      ),
    ),
    dryRun: flag('--dry-run', 'read the files and report the result, without importing'),
    explain: flag('--explain', 'print the SQL that reads the files, without importing'),
    json: flag('--json', 'print the summary as JSON'),
    suggest: flag(
      '--suggest',
      'print the draft of a document that describes the file, with notes on its gaps',
    ),
    set: makeRepeatable(
      withParser(
        flag('--set <name=value>', 'a setting of the data set; NAME --list shows the settings'),
        parseSetting,
      ),
    ),
  },
  help: `
Importing the same files again changes nothing; newer figures become revisions. An import that fails or is interrupted
leaves the store unchanged. The report accounts for every row of the files. Rejected rows, and rows that contradict each
other, are written to a file, each with its reason. If more than 5 % of all rows are rejected, or more than 0.1 % contradict
each other, the import is rolled back; --max-rejects and --max-conflicts set other limits.

You can give an address (https://…) instead of a file. What --fetch and --set take, "cropframe import NAME --list" shows.
Files stay in the cache folder; an interrupted fetch resumes. "cropframe update" fetches newer files.

With --host, the command sends the files to a service that was started with --allow-import. The service goes on serving;
its readers see all of an import or nothing. The token needs the right to import: cropframe token create --right import.

Examples:
  $ cropframe import --list
  $ cropframe import usdm --list
  $ cropframe import demo --store farm.duckdb
  $ cropframe import trials.csv --suggest > trials.json
  $ cropframe import ./trials.json trials.csv --dry-run
  $ cropframe import ./trials.json trials.csv --explain
  $ cropframe import faostat --fetch QCL --store farm.duckdb
  $ cropframe import wasde wasde-2026-11.xml --host https://data.example.org
  $ cropframe import nass qs.crops_20260101.txt.gz --store farm.duckdb --max-rejects 0`,
};
export type ImportRequest = InputValues<typeof IMPORT.takes>;

export const UPDATE = {
  name: 'update',
  summary: 'fetch newer files into a store',
  description: 'Import newer versions of all files that were fetched into a store, or nothing.',
  takes: {
    store: STORE,
    list: flag('--list', 'list the fetches that the store remembers, and fetch nothing'),
    forget: flag('--forget <fetch>', 'forget a fetch, as --list shows it; its points stay'),
    quiet: flag('--quiet', 'print nothing unless something changed'),
    mirror: MIRROR,
    rejects: flag(
      '--rejects <file>',
      'file for rejected rows (default: <store>.rejects.csv; updates.rejects.csv for ClickHouse)',
    ),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
The store remembers each fetch of "cropframe import": data set, request, addresses and options. An update asks for each
file with its ETag, fetches the newer ones, and imports them into a copy of the store, which replaces the store at the end:
if one data set cannot be fetched or imported, the store stays as it was. A running service keeps the old store until you
restart it. A store in ClickHouse is not copied: each data set is imported whole or not at all, and services see it at once.

For cron: the exit code is 0 when the store is up to date, 1 when it could not be updated, 3 when it remembers no fetch.

Examples:
  $ cropframe update --store farm.duckdb
  $ cropframe update --store farm.duckdb --list
  $ cropframe update --store farm.duckdb --forget "wasde 2012-05..2013-01"
  0 6 * * *  cropframe update --store /data/farm.duckdb --quiet`,
};
