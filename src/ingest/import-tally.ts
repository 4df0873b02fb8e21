import { IngestError } from '../model/errors.js';
import type { KindCount, RowAccount } from '../model/importing/outcome.js';
import type { SettledPoints } from '../store/store.js';
import type {
  ImportBatch,
  ImportedText,
  Importer,
  ImportOptions,
  ImportReport,
  RejectedRow,
} from './importer.js';

const MAX_KEPT_REJECTIONS = 1000;
/** Until this many rows have been read, the share of rejected rows says little and is not checked. */
const MIN_ROWS_TO_CHECK = 10_000;
const MAX_REJECTED_SHARE = 0.05;
const MAX_CONFLICT_SHARE = 0.001;

type TallyOptions = Pick<ImportOptions, 'maxRejectedShare' | 'maxRejected' | 'maxConflicts'>;

/** Counts the outcome of every row in an import. The checks throw if too many rows are rejected or conflict. */
export class ImportTally {
  #read = 0;
  #rejectedLines = 0;
  #stillRejected = 0;
  /** Whether reading ended early. If so, the number of rejected rows is only a minimum. */
  #isEnded = false;
  readonly #rejected: RejectedRow[] = [];
  readonly #rejectedBy = new KindCounts();
  readonly #notRead = new KindCounts();
  readonly #notes: string[] = [];
  readonly #texts: ImportedText[] = [];

  readonly #importer: Importer;
  readonly #options: TallyOptions;

  constructor(importer: Importer, options: TallyOptions) {
    this.#importer = importer;
    this.#options = options;
  }

  get texts(): readonly ImportedText[] {
    return this.#texts;
  }

  /** Counts a batch's rows. @throws IngestError once too many rows are rejected */
  add({ points, rejected = [], stillRejected, isEnded, read, ...batch }: ImportBatch): void {
    const { notRead = new Map<string, number>(), notes, texts } = batch;
    this.#notes.push(...(notes ?? []));
    this.#texts.push(...(texts ?? []));
    this.#stillRejected = stillRejected ?? 0;
    this.#isEnded ||= isEnded ?? false;
    const pointCount = points?.columns.length ?? 0;
    const before = this.#unused;
    for (const { reason, values = 1 } of rejected) this.#rejectedBy.add(withoutDetails(reason), values);
    for (const [kind, count] of notRead) this.#notRead.add(kind, count);
    this.#read += read ?? pointCount + this.#unused - before;
    this.#rejected.push(...rejected.slice(0, MAX_KEPT_REJECTIONS - this.#rejected.length));
    this.#rejectedLines += rejected.length;
    if (this.#options.maxRejected !== undefined || this.#read >= MIN_ROWS_TO_CHECK) this.checkRejected();
  }

  mayReject(rows: number): number {
    const { maxRejectedShare = MAX_REJECTED_SHARE, maxRejected } = this.#options;
    if (maxRejected !== undefined) return maxRejected - this.#rejectedLines;
    if (this.#read + rows < MIN_ROWS_TO_CHECK) return rows;
    // The total may count values, of which each row has at least one.
    return maxRejectedShare * rows + Math.max(0, maxRejectedShare * this.#read - this.#rejectedBy.total);
  }

  /** Checks the number of rejected rows, or their share. @throws IngestError if there are too many */
  checkRejected(): void {
    const { maxRejectedShare = MAX_REJECTED_SHARE, maxRejected } = this.#options;
    const total = this.#read;
    const rejected = this.#rejectedBy.total + this.#stillRejected;
    const isAllowed =
      maxRejected === undefined ? rejected <= maxRejectedShare * total : this.#rejectedLines <= maxRejected;
    if (isAllowed) return;
    const { file, line, reason } = this.#rejected[0]!;
    const where = { file, row: line };
    const first = `the first is line ${line} of ${file}: ${reason}`;
    if (maxRejected !== undefined)
      throw this.#error(
        `more than ${maxRejected} rows were rejected, so nothing was imported; ${first}`,
        where,
      );
    const atLeast = this.#isEnded ? 'at least ' : '';
    const share = `${atLeast}${rejected} of ${total} ${this.#unit} cannot be used, which is more than ${maxRejectedShare * 100} %`;
    const listed = rejected - this.#stillRejected;
    const ended = this.#stillRejected === 0 ? '' : `the import ended after ${listed} of them; `;
    throw this.#error(`${share}; ${ended}${first}`, where);
  }

  /** Checks the number of conflicting rows. @throws IngestError that names the `first` row if there are too many */
  checkConflicts({ conflicts }: SettledPoints, first: RejectedRow | undefined): void {
    const total = this.#read;
    const max = this.#options.maxConflicts ?? MAX_CONFLICT_SHARE * total;
    if (conflicts <= max || first === undefined) return;
    const { file, line, reason } = first;
    const allowed = this.#options.maxConflicts === undefined ? `${MAX_CONFLICT_SHARE * 100} %` : String(max);
    throw this.#error(
      `${conflicts} of ${total} ${this.#unit} contradict other ${this.#unit}, which is more than ${allowed}, so nothing was imported; ` +
        `the first is line ${line} of ${file}: ${reason}`,
      { file, row: line },
    );
  }

  /** Returns all counts. @throws IngestError if there were no rows, or if a row was counted twice or not at all */
  report(settled: SettledPoints): RowAccount & Pick<ImportReport, 'dataset' | 'rejected' | 'notes'> {
    if (this.#importer.needsFiles && this.#read === 0) {
      const names = this.#texts.map(({ name }) => name).join(', ');
      throw this.#error(`there are no ${this.#unit} in ${names || 'the files'}, so nothing was imported`);
    }
    const { points, nulls, duplicates, conflicts } = settled;
    const found = points + nulls + duplicates + conflicts + this.#unused;
    if (found !== this.#read)
      throw this.#error(
        `the report accounts for ${found} of ${this.#read} ${this.#unit}, so nothing was imported; please report this`,
      );
    return {
      dataset: this.#importer.dataset,
      counts: this.#unit,
      rows: this.#read,
      points,
      nulls,
      duplicates,
      conflicts,
      rejectedRows: this.#rejectedBy.total,
      rejectedBy: this.#rejectedBy.list(),
      notReadRows: this.#notRead.total,
      notRead: this.#notRead.list(),
      rejected: this.#rejected,
      notes: this.#notes,
    };
  }

  get #unused(): number {
    return this.#rejectedBy.total + this.#notRead.total;
  }

  get #unit(): RowAccount['counts'] {
    return this.#importer.counts ?? 'rows';
  }

  #error(message: string, where: { file?: string; row?: number } = {}): IngestError {
    return new IngestError(this.#importer.dataset, message, where);
  }
}

/** The maximum number of rejection reasons or kinds of skipped rows to count. All others are counted as `other`. */
const MAX_KINDS = 500;
const OTHER_KINDS = 'other';

class KindCounts {
  total = 0;
  readonly #counts = new Map<string, number>();

  add(kind: string, count: number): void {
    const known = this.#counts.has(kind) || this.#counts.size < MAX_KINDS ? kind : OTHER_KINDS;
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + count);
    this.total += count;
  }

  list(): KindCount[] {
    return [...this.#counts]
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => ({ kind, count }))
      .sort((a, b) => b.count - a.count);
  }
}

/** Removes advice, quoted strings and numbers from a reason, so that similar faults are counted together. */
function withoutDetails(reason: string): string {
  return reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/;.*$/s, '')
    .replace(/(?<![\w…])-?\d[\d.,]*/g, '…');
}
