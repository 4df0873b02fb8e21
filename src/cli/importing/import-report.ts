import type { DryRunReport } from '../../ingest/dry-run.js';
import type { ImportReport } from '../../ingest/importer.js';
import type { KindCount, RowAccount } from '../../model/importing/outcome.js';
import { type CommandContext, note, writeJson, writeLine } from '../terminal/io.js';
import { alignedTable } from '../terminal/text-table.js';
import { describeRejects, type RejectsFile } from './rejects.js';

/** Counts with their labels. */
type Figures = readonly (readonly [name: string, count: number])[];

/** Kinds that are listed one by one; the rest is one line. A dry run lists more: a column that is left out may be a mistake. */
const MAX_KINDS = 12;
export const MAX_PREVIEW_KINDS = 100;

/** Where every row of the files is; the figures after the first add up to it. */
export function accountFigures(account: RowAccount, maxKinds = MAX_KINDS): Figures {
  return [
    [`${account.counts} of the files`, account.rows],
    ['  points', account.points],
    ['  nulls', account.nulls],
    ['  duplicates', account.duplicates],
    ['  conflicts', account.conflicts],
    ...kindFigures('rejected', { total: account.rejectedRows, kinds: account.rejectedBy, maxKinds }),
    ...kindFigures('not read', { total: account.notReadRows, kinds: account.notRead, maxKinds }),
  ];
}

/** A line for each kind; a single one of 0 when there is none. */
function kindFigures(
  what: string,
  { total, kinds, maxKinds }: { total: number; kinds: readonly KindCount[]; maxKinds: number },
): Figures {
  if (total === 0) return [[`  ${what}`, 0]];
  const listed = kinds.slice(0, maxKinds);
  const rest = total - listed.reduce((sum, { count }) => sum + count, 0);
  const others = rest === 0 ? [] : [[`  ${what}: ${kinds.length - listed.length} others`, rest] as const];
  return [...listed.map(({ kind, count }) => [`  ${what}: ${kind}`, count] as const), ...others];
}

/** The changes of an import in the store. */
export function importFigures(report: ImportReport): Figures {
  return [
    ['added', report.added],
    ['  of these revisions', report.revised],
    ['unchanged', report.unchanged],
    ['new or changed series', report.series],
    ['new entities', report.entities],
  ];
}

/** The result of a dry run. */
export function previewFigures(report: DryRunReport): Figures {
  const entities = Object.entries(report.entities).filter(([, rows]) => rows.length > 0);
  return [
    ['series', report.series.length],
    ...entities.map(([type, rows]) => [`new ${type}`, rows.length] as const),
  ];
}

interface PrintedReport {
  readonly report: ImportReport | DryRunReport;
  readonly title: string;
  readonly shown: Figures;
  readonly rejects: RejectsFile;
  readonly json?: boolean | undefined;
  readonly store?: string | undefined;
}

/** Prints the figures to standard output, notes and rejected rows to standard error. */
export async function printReport(context: CommandContext, printed: PrintedReport): Promise<void> {
  const { report, title, shown, rejects, json, store } = printed;
  const { rejected: _, ...counts } = report;
  const rejects_file = rejects.count === 0 ? null : rejects.path;
  if (json === true) return writeJson(context.stdout, { ...counts, rejects_file, ...(store && { store }) });
  const table = alignedTable(shown, [
    { title, of: ([name]) => `  ${name}` },
    { title: '', align: 'right', of: ([, count]) => count.toLocaleString('en-US') },
  ]);
  await writeLine(context.stdout, table.trimEnd());
  for (const text of report.notes) await note(context, text);
  if (rejects_file !== null) await writeLine(context.stderr, describeRejects(rejects));
}

/** Describes the points of a dry run: units, the range of dates, and the first points. */
export async function printPoints(
  context: CommandContext,
  { dates, firstPeriod, units, sample }: DryRunReport,
): Promise<void> {
  if (dates === null) return writeLine(context.stdout, 'no points');
  await writeLine(
    context.stdout,
    `  first  ${firstPeriod}\n  dates  ${dates.start_date} to ${dates.end_date}\n  units  ${units.join(', ')}\n`,
  );
  const table = alignedTable(sample, [
    { title: 'first points', of: ({ metric }) => metric },
    { title: 'item', of: ({ item }) => item },
    { title: 'region', of: ({ region }) => region },
    { title: 'from', of: ({ start_date }) => start_date },
    { title: 'to', of: ({ end_date }) => end_date },
    { title: 'value', align: 'right', of: ({ value }) => value ?? 'null' },
    { title: 'unit', of: ({ unit }) => unit },
    { title: 'reported', of: ({ reporting_date }) => reporting_date },
    { title: 'available', of: ({ available_date }) => available_date },
  ]);
  await writeLine(context.stdout, table.trimEnd());
}
