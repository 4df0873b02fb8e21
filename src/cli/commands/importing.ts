import { InvalidArgumentError } from 'commander';
import { DATASETS } from '../../ingest/datasets.js';
import { integer } from '../../model/schema/schemas.js';
import { STORE } from '../options/flag-groups.js';
import { flag, type InputValues, makeRepeatable, word } from '../options/flags.js';

const MIRROR = flag(
  '--mirror <url>',
  'download from a mirror of the agencies’ files (env: CROPFRAME_MIRROR)',
);

function parseSetting(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new InvalidArgumentError('Specify a setting as NAME=VALUE.');
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
    files: word('[files...]', 'downloaded files, or their addresses; gzip and zip are accepted'),
    store: flag('--store <file>', 'store file, or clickhouse:// address'),
    host: flag('--host <url>', 'URL of a service that allows imports, instead of a store file'),
    token: flag('--token <token>', 'access token with the right to import (default: $API_TOKEN)'),
    list: flag('--list', 'list the data sets, or describe the specified one'),
    fetch: flag('--fetch [part]', 'download the data set, or this part of it, from the agency'),
    mirror: MIRROR,
    rejects: flag('--rejects <file>', 'file for rejected rows (default: <dataset>-rejects.csv)'),
    maxRejects: flag(
      '--max-rejects <n>',
      integer(),
      'maximum number of rejected rows (default: 5 % of all rows)',
    ),
    maxConflicts: flag(
      '--max-conflicts <n>',
      integer(),
      'maximum number of rows that contradict each other (default: 0.1 % of all rows)',
    ),
    dryRun: flag('--dry-run', 'read the files and report the result, without importing'),
    explain: flag('--explain', 'print the SQL that reads the files, without importing'),
    json: flag('--json', 'print the summary as JSON'),
    suggest: flag(
      '--suggest',
      'print a draft document that describes the file, with notes on what is missing',
    ),
    set: makeRepeatable(
      flag('--set <name=value>', parseSetting, 'a setting of the data set; NAME --list shows the settings'),
    ),
  },
  help: `
Importing the same files again changes nothing; newer figures become revisions. An import that fails or is interrupted
leaves the store unchanged. The report accounts for every row in the files. Rejected rows, and rows that contradict each
other, are written to a file, each with the reason. If more than 5 % of all rows are rejected, or more than 0.1 % contradict
each other, the import is rolled back. Use --max-rejects and --max-conflicts to set other limits.

You can specify an address (https://…) instead of a file. "cropframe import NAME --list" shows which values --fetch and
--set accept. Downloaded files stay in the cache folder, and an interrupted download is resumed the next time. "cropframe
update" downloads newer files.

With --host, the command sends the files to a service that was started with --allow-import. The service remains available,
and its readers see either the whole import or nothing. The token must have the right to import: cropframe token create
--right import.

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
  summary: 'download and import newer files into a store',
  description: 'Import the newer versions of all files that were downloaded into a store, or nothing.',
  takes: {
    store: STORE,
    list: flag('--list', "list the store's recorded downloads without downloading anything"),
    forget: flag('--forget <fetch>', 'forget a download, as shown by --list; its points stay'),
    quiet: flag('--quiet', 'print nothing unless something changed'),
    mirror: MIRROR,
    rejects: flag(
      '--rejects <file>',
      'file for rejected rows (default: <store>.rejects.csv; updates.rejects.csv for ClickHouse)',
    ),
    json: flag('--json', 'print the result as JSON'),
  },
  help: `
The store records every download of "cropframe import": its data set, request, addresses and options. An update checks
each file by its ETag, downloads the newer files, and imports them into a copy of the store, which then replaces the store.
If a data set cannot be downloaded or imported, the store stays as it was. A running service keeps the old store until you
restart it. A store in ClickHouse is not copied: each data set is imported either completely or not at all, and services
see it immediately.

For cron: the exit code is 0 if the store is up to date, 1 if it could not be updated, and 3 if it has no recorded downloads.

Examples:
  $ cropframe update --store farm.duckdb
  $ cropframe update --store farm.duckdb --list
  $ cropframe update --store farm.duckdb --forget "wasde 2012-05..2013-01"
  0 6 * * *  cropframe update --store /data/farm.duckdb --quiet`,
};
