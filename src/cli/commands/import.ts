import { Argument, type Command, Option } from 'commander';
import { DATASETS } from '../../ingest/datasets.js';
import { IMPORTER_SETTINGS, type ImporterSettings } from '../../model/importing/job.js';
import type { ImportCommandOptions } from '../actions/import.js';
import { wholeNumberParser } from '../options/option-values.js';
import { fieldOption } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
Importing the same files again changes nothing; newer figures become revisions. An import that fails or is interrupted
leaves the store unchanged. The report accounts for every row of the files. Rejected rows, and rows that contradict each
other, are written to a file, each with its reason. If more than 5 % of all rows are rejected, or more than 0.1 % contradict
each other, the import is rolled back; --max-rejects and --max-conflicts set other limits.

An address (https://…) in place of a file is fetched first, and so is what --fetch names: a sector for nass (default crops),
codes for faostat (QCL), stations or years for ghcnd (USC00130200), months for wasde (2012-05..2013-01, or 2024-01.. until
the newest), a group for psd (default alldata), LATITUDE,LONGITUDE,FROM,TO for power (--fetch=… before a minus), keys for
ecb (default the reference rates), states or counties and dates for usdm (IA,2020-01-01), reports and years for cot
(legacy:2020..). Files are kept in the cache folder; a fetch that is interrupted goes on where it ended. "cropframe update"
fetches what is newer.

With --host, the files are sent to a service that was started with --allow-import; it imports them while it goes on serving,
and its readers see all of an import or nothing. The token needs the right to import: cropframe token create --right import.

Examples:
  $ cropframe import --list
  $ cropframe import demo --store farm.duckdb
  $ cropframe import csv trials.csv --suggest > trials.json
  $ cropframe import csv trials.csv --mapping trials.json --dry-run
  $ cropframe import faostat --fetch QCL --store farm.duckdb
  $ cropframe import wasde wasde-2026-11.xml --host https://data.example.org
  $ cropframe import nass qs.crops_20260101.txt.gz --store farm.duckdb --max-rejects 0`;

const SETTING_FLAGS: Readonly<Record<keyof ImporterSettings, string>> = {
  mapping: '--mapping <file>',
  units: '--units <units>',
  statistic: '--statistic <kind>',
  positions: '--positions <kind>',
  released: '--released <day>',
  keepFlagged: '--keep-flagged',
};

/** `cropframe import`: a public data set into a store. */
export function addImportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .summary('import a public data set into a store')
    .description('Import a public data set into a store. A store that does not exist is created.')
    .addArgument(new Argument('[dataset]', 'data set; --list describes them').choices(DATASETS))
    .argument(
      '[files...]',
      'files of the data set, as downloaded, or their addresses; gzip and zip are accepted',
    );
  for (const option of importOptions()) command.addOption(option);
  command
    .addHelpText('after', HELP)
    .action(async (dataset: string | undefined, files: string[], options: ImportCommandOptions) => {
      if (options.host !== undefined && options.list !== true) {
        const { importIntoService } = await import('../importing/into-service.js');
        return importIntoService(context, { dataset, files, ...options });
      }
      const { importFiles, listDatasets } = await import('../actions/import.js');
      await (options.list === true
        ? listDatasets(context, options)
        : importFiles(context, { dataset, files, ...options }));
    });
}

function importOptions(): Option[] {
  return [
    new Option('--store <file>', 'store file, or clickhouse:// address'),
    new Option('--host <url>', 'URL of a service that allows imports, in place of a store file'),
    new Option('--token <token>', 'its access token, with the right to import (default: $API_TOKEN)'),
    new Option('--list', 'list the data sets'),
    new Option('--fetch [what]', 'fetch this from the agency, in place of files'),
    new Option('--mirror <url>', 'fetch from a mirror of the agencies’ files (env: CROPFRAME_MIRROR)'),
    new Option('--rejects <file>', 'file for rejected rows (default: <dataset>-rejects.csv)'),
    new Option('--max-rejects <n>', 'maximum number of rejected rows (default: 5 % of all rows)').argParser(
      wholeNumberParser(0),
    ),
    new Option(
      '--max-conflicts <n>',
      'maximum number of rows that contradict each other (default: 0.1 % of all rows)',
    ).argParser(wholeNumberParser(0)),
    new Option('--dry-run', 'read the files and report the result, without importing'),
    new Option('--json', 'print the summary as JSON'),
    new Option('--suggest', 'csv: print a first mapping of the file, and what it leaves open'),
    ...Object.entries(SETTING_FLAGS).map(([name, flags]) =>
      fieldOption(flags, IMPORTER_SETTINGS[name as keyof ImporterSettings]),
    ),
  ];
}
