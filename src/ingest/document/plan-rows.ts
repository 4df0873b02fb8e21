import type { Period } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { frequencyNamed } from '../../model/frequency.js';
import { getOrCompute } from '../../model/grouping.js';
import type { ImporterSettings } from '../../model/importing/job.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import type { BeyondBounds, ReadRows, RowAnswer, RowDimension, RowTexts } from '../../store/store.js';
import { orRowError, RowError } from '../batch/batch-builder.js';
import { matchesDateFormat, parseFormattedDate, parseLastDay, parseLastTime } from '../reading/dates.js';
import { remarksJson } from '../reading/row-values.js';
import { withoutQuotes } from '../reading/tables.js';
import type { RowPlan } from '../reading/text-rows.js';
import { boundsOf, describeFault } from '../vocabulary/bounds.js';
import {
  type CellRules,
  cellRules,
  MISSING_MARKS,
  noteOnMarks,
  proposeMissing,
  readCell,
  remarksOf,
} from './cells.js';
import { createMeasureReader, createRegionReader, type EntityContext } from './entities.js';
import { fieldNames, namings, placeholdersOf, type Row } from './fields.js';
import { type DateFrom, isLag, type Lag, type Named, type RegionFrom } from './form.js';
import type { HookTable } from './hook.js';
import { matchColumns } from './match-columns.js';
import { plainNumberSql } from './numbers.js';
import { type Form, readDateText, type ValueColumn } from './parse-form.js';
import { type PeriodRule, publishedAfter, toMappedPeriod } from './periods.js';
import { readSettings } from './read-settings.js';

export interface CsvJob extends EntityContext {
  readonly form: Form;
  /** The function that each hook has prepared, or `undefined` if the hook reads no rows. */
  readonly hooks: readonly (((row: Row, table: HookTable) => RowAnswer) | undefined)[];
  readonly settings: ImporterSettings;
  readonly importedMs: number;
  /** Source ids, keyed by the text in the source column, or by "" if the document names no such column. */
  readonly sourceIds: ReadonlyMap<string, number>;
}

/**
 * Plans how rows become points. Filters come first, so that errors in excluded rows are ignored. Dates and places come
 * next, and then values. @throws IngestError if the header lacks a column that the document names
 */
export const planMappedRows = (table: HookTable, job: CsvJob): RowPlan => new Planner(table, job).plan();

class Planner {
  /** The dimensions, in order of resolution. The first one to exclude a row provides the reason that is reported. */
  readonly #dimensions: RowDimension[] = [];
  readonly #columns: ReturnType<typeof matchColumns>;
  readonly #cells: readonly CellRules[];
  /** The numbers that `#judge` has read as missing values, each prefixed with the index of its value column. */
  readonly #judgedMissing = new Set<string>();
  readonly #table: HookTable;
  readonly #hookColumns: readonly Readonly<Record<string, string>>[];
  readonly #job: CsvJob;

  constructor(table: HookTable, job: CsvJob) {
    const { form, settings } = job;
    const { file, header, sample, skip } = table;
    const lines = sample.split('\n').slice(0, skip).join('\n');
    const preamble = table.isTyped === true ? withoutQuotes(lines) : lines;
    const ofHooks = form.hooks.map(({ hook }) => hook.fields?.(table, settings));
    const given = Object.assign(readSettings(table, job), ...ofHooks);
    this.#hookColumns = form.hooks.map(({ hook, columns }) => ({ ...columns, ...hook.columns?.(table) }));
    const wanted = this.#hookColumns.flatMap((columns) => Object.values(columns));
    this.#columns = matchColumns({ file, header, preamble, given, wanted }, form);
    const { fields } = this.#columns;
    const textOf = (text: string) => {
      const known = placeholdersOf(text).length > 0 ? fields.constant(text) : text;
      if (known !== undefined) return known;
      const message = `"missing" contains ${text}, but this field is not the same in all rows of ${file}`;
      throw new IngestError(form.name ?? 'table', message, { file });
    };
    this.#cells = form.values.map((value) => cellRules(value, form, textOf));
    this.#table = table;
    this.#job = job;
  }

  plan(): RowPlan {
    const { form, sourceIds, importedMs } = this.#job;
    const { values, notRead, read } = this.#columns;
    this.#addFilters();
    // If the document lists all metrics, measures come first, to be merged with the filter that reads the same strings.
    const isListed = form.values.every(isListedMeasure);
    if (isListed) this.#addMeasures();
    // A repeated column without a value may have an invalid date, such as 31 June, so its value is read first.
    const isRepeated = form.repeat !== undefined;
    if (!isRepeated) this.#addPlaceAndTime();
    this.#addCells();
    if (isRepeated) this.#addPlaceAndTime();
    if (!isListed) this.#addMeasures();
    const frequency_id = this.#frequencyId();
    return {
      header: this.#table.header,
      dimensions: this.#dimensions,
      numbers: values.map((_, at) => this.#numberSql(at)),
      // A document with an empty `missing` list declares that no number stands for a missing value.
      ...(form.values.some(({ missing }) => missing.nulls.length > 0) && { marks: MISSING_MARKS }),
      noteOnMarks: (marks) => this.#noteOnMarks(marks),
      check: { boundsOf, judge: (beyond) => this.#judge(beyond) },
      constants: {
        ...(form.source_column === undefined && { source_id: sourceIds.get('')! }),
        ...(frequency_id !== undefined && { frequency_id }),
        availableMs: importedMs,
      },
      notRead,
      reads: (column) => read.has(column),
    };
  }

  /** Returns the id of the frequency that all points share, or `undefined` if rows or hooks determine the frequency. */
  #frequencyId(): number | undefined {
    const { frequency, periods } = this.#job.form;
    if (typeof frequency === 'string') return frequencyNamed(frequency).id;
    const [rule, ...others] = periods.values();
    return frequency === undefined && others.length === 0 ? rule?.frequency.id : undefined;
  }

  #addFilters(): void {
    const { filters, region, partner_region, values, cases } = this.#job.form;
    const addFilter = ({ column, values, keep }: (typeof filters)[number], entry?: number) =>
      this.#filter(column, (text) => values.has(text) === keep, { entry });
    for (const filter of filters) addFilter(filter);
    for (const [entry, value] of values.entries())
      for (const filter of value.filters) addFilter(filter, entry);
    this.#filterNamed([region, partner_region]);
    for (const [entry, value] of values.entries())
      for (const key of NAMED_MEASURES) this.#filterNamed(value[key], { key, entry });
    for (const own of cases) for (const key of NAMED_MEASURES) this.#filterNamed(own[key], { key, own });
  }

  #addPlaceAndTime(): void {
    const { form } = this.#job;
    const { start_date, end_date, reporting_date: reported, region, partner_region } = form;
    const { available_date, frequency, source_column } = form;
    const reporting_date = isLag(reported) ? undefined : reported;
    const isAfterReport =
      isLag(available_date) && available_date.some(({ after }) => after === 'reporting_date');
    const dates = [end_date, start_date, frequency, isAfterReport && reporting_date];
    if (source_column !== undefined)
      this.#add('source', { column: source_column }, (row) => ({
        source_id: this.#sourceOf(row[source_column]!),
      }));
    if (start_date !== undefined && !('header' in start_date))
      this.#add('period', dates, (row) => this.#answerPeriod(this.#dayOf(start_date, row), row));
    for (const [key, from] of Object.entries({ region, partner_region })) {
      const idOf = from && createRegionReader(from, this.#job);
      if (idOf !== undefined) this.#add(key, from, (row) => ({ [`${key}_id`]: idOf(row) }));
    }
    if (reporting_date !== undefined)
      this.#add('reporting_date', reporting_date, (row) => ({
        reportingMs: this.#dayOf(reporting_date, row),
      }));
    if (available_date !== undefined && !isLag(available_date))
      this.#add('available_date', available_date, (row) => this.#answerAvailable(available_date, row));
    // Dates that the document defines replace those of hooks.
    const ofDocument = {
      ...(isLag(reported) && { reportingMs: undefined }),
      ...(available_date !== undefined && { availableMs: undefined }),
    };
    for (const [i, columns] of this.#hookColumns.entries()) {
      const named = Object.entries(columns);
      const parts = named.map(([, column]) => ({ column }));
      const answer = this.#job.hooks[i];
      const textsOf = (row: Row) => Object.fromEntries(named.map(([text, column]) => [text, row[column]!]));
      const name = form.hooks[i]!.hook.answers[0] ?? 'check';
      if (answer !== undefined)
        this.#add(name, [parts, isAfterReport && reporting_date], (row) => {
          const given = answer(textsOf(row), this.#table);
          const { startMs, endMs } = given;
          const isPeriod = startMs !== undefined && endMs !== undefined;
          const lags = isPeriod && this.#answerLags({ startMs, endMs }, row, given.reportingMs);
          return { ...given, ...ofDocument, ...lags };
        });
    }
  }

  #addCells(): void {
    const { end_date, reporting_date } = this.#job.form;
    const { values } = this.#columns;
    if (values.some(({ startMs }) => startMs !== null))
      this.#addOfValues('period', (at) => ({
        parts: [end_date, reporting_date],
        resolve: (row) => this.#answerPeriod(values[at]!.startMs, row),
      }));
    const cells = values.map((_, at) => this.#cellOf(at));
    const ofCells = cells.map(({ of }) => of);
    this.#put('cell', ofCells, (texts, at) => cells[at]!.resolve(texts));
    this.#addOfValues('remark', (at) => {
      const { remarks } = this.#valueOf(at);
      if (fieldNames(remarks).length === 0) return null;
      const resolve = (row: Row) => ({ metadata: remarksJson(remarksOf(remarks, row)) });
      return { parts: remarks, resolve, isOptional: true };
    });
  }

  #valueOf(at: number): ValueColumn {
    return this.#job.form.values[this.#columns.values[at]!.entry]!;
  }

  #cellOf(at: number): { of: RowTexts; resolve: (texts: readonly string[]) => RowAnswer } {
    const { name, text, entry } = this.#columns.values[at]!;
    const cells = this.#cells[entry]!;
    const common = this.#valueOf(at);
    const { remarks, withhold } = common;
    const when = Object.keys(withhold?.when ?? {});
    const names = [...fieldNames([this.#casesOf('divide_by', 'missing'), remarks, withhold]), ...when];
    const { texts, read } = this.#columns.fields.plan(names, at);
    const resolve = ([cell = '', ...others]: readonly string[]): RowAnswer => {
      const row = read(others);
      const ofCase = cells.cases.find(({ when }) => isCase(when, row));
      const texts = { remarks: remarksOf(remarks, row), column: name };
      const found = readCell(cell, texts, { ...cells, ...ofCase });
      if ('notRead' in found) return found;
      const metadata = remarksJson(found.remarks);
      if (found.value === null) return { metadata, value: null };
      const scaled = found.value / (this.#caseOf('divide_by', row)?.divide_by ?? common.divide_by ?? 1);
      if (withhold !== undefined && row[withhold.column] !== '' && isCase(withhold.when, row))
        return { value: null, metadata: remarksJson({ ...found.remarks, withheld: scaled }) };
      if (Math.abs(scaled) === Number.POSITIVE_INFINITY)
        throw new RowError(`the ${name} "${cell.trim()}" is too large`);
      return { metadata, value: scaled };
    };
    return { of: { texts: [text, ...texts], where: `v${at} IS NULL` }, resolve };
  }

  #numberSql(at: number): string {
    const { text, entry } = this.#columns.values[at]!;
    const rules = this.#cells[entry]!;
    const { withhold } = this.#valueOf(at);
    const { number, isPlain } = plainNumberSql(text, rules.format);
    const special = [rules, ...rules.cases].flatMap(({ nulls, absent }) => [nulls, absent]);
    const except = [rules.zero, ...special].flatMap(({ numbers }) => numbers.map((one) => `${one}::DOUBLE`));
    const conditions = [isPlain, ...(except.length > 0 ? [`${number} NOT IN (${except.join(', ')})`] : [])];
    if (withhold !== undefined) {
      const { texts, read } = this.#columns.fields.plan([withhold.column], at);
      const mayBeEmpty = read(texts.map(() => ''))[withhold.column] === '';
      conditions.push(...(mayBeEmpty ? texts.map((sql) => `${sql} = ''`) : ['false']));
    }
    if (rules.remarkCells.some(([, pattern]) => !NO_NUMBER.test(pattern.source))) conditions.push('false');
    return `CASE WHEN ${conditions.join(' AND ')} THEN ${number} END`;
  }

  /** Returns the first case that overrides a key and applies to a row. */
  #caseOf(key: CaseKey, row: Row): Case | undefined {
    return this.#job.form.cases.find((one) => one[key] !== undefined && isCase(one.when, row));
  }

  /** Explains why an out-of-bounds value is rejected. For a marker such as -9999, returns null and adds a note. */
  #judge({ column, number, value, unit_id }: BeyondBounds): string | null {
    const { name } = this.#columns.values[column]!;
    const { missing } = this.#valueOf(column);
    const fault = `the ${name} "${number}" ${describeFault(value, unit_id)}`;
    const proposed = `${proposeMissing(missing, [String(number)])} in the document`;
    if (!MISSING_MARKS.includes(number) || missing.nulls.length === 0)
      return `${fault}; correct it or, if it means "no value", set ${proposed}`;
    this.#judgedMissing.add(`${column} ${number}`);
    this.#job.batch.addNote(`${fault}, and was read as "no value"; to confirm, set ${proposed}`);
    return null;
  }

  #noteOnMarks(marks: NonNullable<ReadRows['marks']>): string[] {
    const { values } = this.#job.form;
    return this.#columns.values.flatMap(({ name, entry }, i) =>
      noteOnMarks(
        name,
        marks.filter(({ value, number }) => value === i && !this.#judgedMissing.has(`${i} ${number}`)),
        values[entry]!.missing,
      ),
    );
  }

  #addMeasures(): void {
    this.#addMeasure('divide_by', (divisor) => () => ({ divisor }));
    for (const key of NAMED_MEASURES)
      this.#addMeasure(key, (from) => {
        const idOf = createMeasureReader(`${key}s`, from, this.#job);
        return (row) => ({ [`${key}_id`]: idOf(row) });
      });
  }

  /** Adds the dimension for a key, which cases may override. Value columns with identical keys share one reader. */
  #addMeasure<Key extends MeasureKey>(
    key: Key,
    create: (from: NonNullable<ValueColumn[Key]>) => (row: Row) => RowAnswer,
  ): void {
    const cases = new Map(
      this.#job.form.cases.flatMap((one) =>
        one[key] === undefined ? [] : [[one, create(one[key] as NonNullable<ValueColumn[Key]>)]],
      ),
    );
    const undivided = key === 'divide_by' && cases.size > 0 ? 1 : undefined;
    const partOf = (from: ValueColumn[Key] | undefined): Part | null => {
      if (from === undefined) return null;
      const common = create(from as NonNullable<ValueColumn[Key]>);
      return {
        parts: [from, this.#casesOf(key)],
        resolve: (row) => (cases.get(this.#caseOf(key, row)!) ?? common)(row),
      };
    };
    const parts = new Map<unknown, Part | null>();
    const shared = (value: ValueColumn) =>
      getOrCompute(parts, value[key], () => partOf(value[key] ?? (undivided as ValueColumn[Key])));
    const [common = null, ...others] = new Set(this.#job.form.values.map(shared));
    if (others.length === 0 && common !== null) this.#add(key, common.parts, common.resolve);
    else this.#addOfValues(key, (at) => shared(this.#valueOf(at)));
  }

  /** Lists the overriding values and the condition columns of all cases that override any of the keys. */
  #casesOf(...keys: readonly CaseKey[]): unknown {
    const cases = this.#job.form.cases.filter((one) => keys.some((key) => one[key] !== undefined));
    return cases.map(({ when, ...own }) => [
      keys.map((key) => own[key]),
      Object.keys(when).map((column) => ({ column })),
    ]);
  }

  /** Adds a dimension, or merges it with the previous dimension if both read the same strings. */
  #put(name: string, of: RowDimension['of'], resolve: RowDimension['resolve']): void {
    const last = this.#dimensions.at(-1);
    const checked = this.#checked(resolve);
    if (last === undefined || JSON.stringify(last.of) !== JSON.stringify(of))
      this.#dimensions.push({ name, of, resolve: checked });
    else this.#dimensions[this.#dimensions.length - 1] = { ...last, resolve: both(last.resolve, checked) };
  }

  /** Turns a `RowError` into the reason for rejecting rows, and caps available dates at the import time. */
  #checked(resolve: RowDimension['resolve']): RowDimension['resolve'] {
    return (texts, value) => {
      const answer = orRowError(() => resolve(texts, value));
      if (answer instanceof RowError) return { rejected: answer.message };
      if (answer.availableMs == null) return answer;
      return { ...answer, availableMs: Math.min(answer.availableMs, this.#job.importedMs) };
    };
  }

  #add(name: string, parts: unknown, resolve: (row: Row) => RowAnswer): void {
    const { fields } = this.#columns;
    const names = fieldNames(parts);
    if (names.some((one) => fields.isOfValue(one))) this.#addOfValues(name, () => ({ parts, resolve }));
    else {
      const { texts, read } = fields.plan(names);
      this.#put(name, { texts }, (given) => resolve(read(given)));
    }
  }

  /** Adds a dimension whose fields vary by value column. `partOf` returns null for columns without the dimension. */
  #addOfValues(name: string, partOf: (at: number) => Part | null): void {
    const planned = this.#columns.values.map((_, at) => {
      const part = partOf(at);
      return part && { ...part, ...this.#columns.fields.plan(fieldNames(part.parts), at) };
    });
    if (planned.every((one) => one === null)) return;
    this.#put(
      name,
      planned.map((one) => {
        if (one === null || one.texts.length === 0 || !one.isOptional) return one && { texts: one.texts };
        return { texts: one.texts, where: one.texts.map((text) => `${text} <> ''`).join(' OR ') };
      }),
      (texts, at) => planned[at]!.resolve(planned[at]!.read(texts)),
    );
  }

  /** Adds a filter that skips unwanted rows. `entry` and `key` limit the filter to certain value columns and rows. */
  #filter(column: string, isWanted: (text: string) => boolean, { key, own, entry }: Filtered = {}): void {
    const label = placeholdersOf(column).length > 0 ? '' : `${column} `;
    const resolve = (row: Row) => {
      const isNamed = key === undefined || this.#caseOf(key, row) === own;
      return !isNamed || isWanted(row[column]!) ? {} : { notRead: label + row[column] };
    };
    const part = { parts: [{ column }, key && this.#casesOf(key)], resolve };
    if (entry === undefined || this.#job.form.values.length === 1) this.#add('filter', part.parts, resolve);
    else this.#addOfValues('filter', (at) => (this.#columns.values[at]!.entry === entry ? part : null));
  }

  /** Adds filters for `"others": "skip"`, which skip rows with strings that are not in `names` or are unknown codes. */
  #filterNamed(parts: unknown, of?: Filtered): void {
    for (const { naming } of namings(parts)) {
      const { column, names, others, code }: Named & Pick<RegionFrom, 'code'> = naming;
      const isKnown = (text: string) =>
        code === undefined
          ? names?.has(text) !== false
          : this.#job.names.findCode(names?.get(text) ?? text, code) !== undefined;
      if (others === 'skip') this.#filter(column, isKnown, of);
    }
  }

  /** Reads a date (null if empty). A month or year means its last day, unless the date starts a period. */
  #dayOf(from: DateFrom | undefined, row: Row): number | null {
    const { start_date, available_date } = this.#job.form;
    if (from === undefined) return null;
    const { text, format } = readDateText(from, row);
    if (text === '') return null;
    const isDay = this.#table.isTyped === true && matchesDateFormat(text, 'YYYY-MM-DD');
    const isStart = from === start_date && !('last_day' in start_date && start_date.last_day === true);
    const parse = isStart ? parseFormattedDate : from === available_date ? parseLastTime : parseLastDay;
    return parse(text, isDay ? 'YYYY-MM-DD' : format);
  }

  #answerPeriod(firstMs: number | null, row: Row): RowAnswer {
    const { end_date, frequency } = this.#job.form;
    const lastMs = this.#dayOf(end_date, row);
    if (firstMs === null) throw new RowError('the date is empty');
    const rule = this.#ruleOf(row);
    const isOfDates = lastMs !== null && rule.firstMonth === null;
    const { startMs, endMs } = isOfDates
      ? { startMs: firstMs, endMs: lastMs }
      : toMappedPeriod(firstMs, rule);
    const period = { startMs, endMs: lastMs ?? endMs };
    if (period.endMs < startMs) throw new RowError('the period ends before it begins');
    return {
      ...period,
      ...(typeof frequency !== 'string' && { frequency_id: rule.frequency.id }),
      ...this.#answerLags(period, row),
    };
  }

  #ruleOf(row: Row): PeriodRule {
    const { start_date, frequency, periods } = this.#job.form;
    const isHeader = start_date === undefined || 'header' in start_date;
    const rule = isHeader ? [...periods.values()][0]! : periods.get(readDateText(start_date, row).format)!;
    if (typeof frequency !== 'object') return rule;
    const text = row[frequency.column]!;
    const name = frequency.names.get(text);
    if (name === undefined) throw new RowError(`"${text}" is not a frequency listed in the document`);
    return { ...rule, frequency: frequencyNamed(name) };
  }

  /** Calculates the reporting and available dates that the document defines by lags. */
  #answerLags({ startMs, endMs }: Period, row: Row, ofHook?: number | null): RowAnswer {
    const { form, importedMs } = this.#job;
    const { reporting_date, available_date } = form;
    const reportingMs = isLag(reporting_date)
      ? publishedAfter(reporting_date, (after) => (after === 'start_date' ? startMs : endMs))
      : ofHook;
    const dateOf = (after: Lag['after']): number | null => {
      if (after !== 'reporting_date') return after === 'start_date' ? startMs : endMs;
      return reportingMs ?? (isLag(reporting_date) ? null : this.#dayOf(reporting_date, row));
    };
    return {
      ...(reportingMs !== undefined && { reportingMs }),
      ...(isLag(available_date) && { availableMs: publishedAfter(available_date, dateOf) ?? importedMs }),
    };
  }

  #answerAvailable(from: DateFrom, row: Row): RowAnswer {
    const { importedMs } = this.#job;
    const availableMs = this.#dayOf(from, row) ?? importedMs;
    if (availableMs <= importedMs + DAY_MS) return { availableMs };
    throw new RowError(`the available date ${formatDay(availableMs)} is later than the import date`);
  }

  #sourceOf(text: string): number {
    const { sourceIds } = this.#job;
    const id = sourceIds.get(text);
    if (id !== undefined) return id;
    throw new RowError(
      `"${text}" is not one of the document's sources, which are ${[...sourceIds.keys()].join(', ')}`,
    );
  }
}

/** Checks that rows whose metric is not listed in `names` are skipped, and that no row can define an entity. */
const isListedMeasure = ({ metric, item, unit }: ValueColumn): boolean =>
  metric !== undefined &&
  'others' in metric &&
  metric.others === 'skip' &&
  namings([metric, item, unit]).every(({ naming }) => naming.define === undefined);

/** Matches patterns whose first character cannot begin a number. A cell that matches any other may be a remark. */
const NO_NUMBER = /^\^(\\[^\w.+-]|\[[A-Za-z<>]+\]|[A-Za-z<>])(?![*?{|])[^|]*$/;

interface Part {
  readonly parts: unknown;
  readonly resolve: (row: Row) => RowAnswer;
  /** Whether rows in which all fields are empty are left unresolved. */
  readonly isOptional?: boolean;
}

/** Combines two resolvers that read the same strings, so that the engine groups the rows only once. */
const both =
  (first: RowDimension['resolve'], second: RowDimension['resolve']): RowDimension['resolve'] =>
  (texts, value) => {
    const answer = first(texts, value);
    const isLeftOut = answer.rejected !== undefined || answer.notRead !== undefined;
    return isLeftOut ? answer : { ...answer, ...second(texts, value) };
  };

const NAMED_MEASURES = ['metric', 'item', 'unit'] as const;
type NamedMeasure = (typeof NAMED_MEASURES)[number];
type MeasureKey = NamedMeasure | 'divide_by';

type Case = Form['cases'][number];
/** Limits a filter to an entry of `values`, or to rows in which the case `own` (no case if omitted) overrides `key`. */
type Filtered = { readonly entry?: number | undefined; readonly key?: NamedMeasure; readonly own?: Case };
type CaseKey = MeasureKey | 'missing';
type Conditions = Readonly<Record<string, readonly string[]>>;

const isCase = (when: Conditions, row: Row): boolean =>
  Object.entries(when).every(([field, texts]) => texts.includes(row[field]!));
