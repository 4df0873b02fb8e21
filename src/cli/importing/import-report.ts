import type { DryRunReport } from '../../ingest/dry-run.js';
import type { ImportReport } from '../../ingest/importer.js';
import { type CommandContext, writeJson, writeLine } from '../terminal/io.js';
import { alignedTable } from '../terminal/text-table.js';
import type { RejectsFile } from './rejects.js';

/** Counts with their labels. */
type Figures = readonly (readonly [name: string, count: number])[];

/** The figures of an import. */
export function importFigures(report: ImportReport): Figures {
  return [
    ['points read', report.rows],
    ['added', report.added],
    ['of these revisions', report.revised],
    ['unchanged', report.unchanged],
    ['rejected', report.rejectedRows],
    ['new series', report.series],
    ['new entities', report.entities],
  ];
}

/** The figures of a dry run. */
export function previewFigures(report: DryRunReport): Figures {
  const entities = Object.entries(report.entities).filter(([, rows]) => rows.length > 0);
  return [
    ['points', report.rows],
    ['rejected', report.rejectedRows],
    ['series', report.series.length],
    ...entities.map(([type, rows]) => [`${type} of its own`, rows.length] as const),
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
  const rows = shown.map(([name, count]) => [`  ${name}`, count.toLocaleString('en-US')]);
  const table = alignedTable([{ title }, { title: '', align: 'right' }], rows);
  await writeLine(context.stdout, table.trimEnd());
  for (const note of report.notes) await writeLine(context.stderr, `note: ${note}`);
  if (rejects_file !== null) await writeLine(context.stderr, describeRejects(rejects));
}

export function describeRejects({ count, path }: RejectsFile): string {
  return `${count.toLocaleString('en-US')} rejected rows, each with its reason, are in ${path}`;
}
