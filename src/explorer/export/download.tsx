import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Line } from '../../charts/lines.js';
import { useCopy } from '../controls/copy-text.js';
import { Select } from '../controls/fields.js';
import { countText } from '../controls/format.js';
import { Failure } from '../controls/waiting.js';
import { currentTheme } from '../state/preferences.js';
import { stepNames } from './code.js';
import { currentExport, drawable } from './exported.js';
import { fileName, PICTURE_SIZES, pictureFile, saveFile, TABLE_FORMATS, WIDE_FORMATS } from './files.js';
import { citationOf } from './share.js';
import { toTabSeparated, wideTable } from './wide-table.js';

type TableFormat = keyof typeof TABLE_FORMATS;
type WideFormat = keyof typeof WIDE_FORMATS;
type PictureSize = keyof typeof PICTURE_SIZES;

const TABLES: Readonly<Record<TableFormat, string>> = { csv: 'CSV', arrow: 'Arrow', parquet: 'Parquet' };
const WIDE_TABLES: Readonly<Record<WideFormat, string>> = { csv: 'Wide CSV', xlsx: 'Excel' };
const PICTURES = { png: 'PNG', svg: 'SVG' } as const;

const SIZES = Object.entries(PICTURE_SIZES).map(
  ([name, { width, height }]) => [name as PictureSize, `${name} (PNG ${2 * width} × ${2 * height})`] as const,
);

export function Download() {
  const scope = useSignal<'shown' | 'whole'>('shown');
  const size = useSignal<PictureSize>('document');
  const isSafe = useSignal(true);
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(null);
  const tables = currentExport();
  const { lines = [], whole, cited = whole, request, title } = tables;
  const shownTitle = [...(request ? stepNames(request) : []), title].join(' ').trim();
  const save = async (name: string, make: () => Promise<Blob>) => {
    isBusy.value = true;
    error.value = null;
    try {
      saveFile(await make(), name);
    } catch (failure) {
      error.value = failure;
    } finally {
      isBusy.value = false;
    }
  };
  const tableFile = (format: TableFormat) => TABLE_FORMATS[format](loaded(tables[scope.value]), isSafe.value);
  const citation = () => citationOf(loaded(cited)).text;
  const wideFile = (format: WideFormat) =>
    WIDE_FORMATS[format](wideTable(lines), { safe: isSafe.value, about: citation() });
  const chartFile = (format: keyof typeof PICTURES) =>
    pictureFile(drawable.peek()!, format, { size: size.value, theme: currentTheme(), citation: citation() });
  const buttons = <Format extends string>(
    labels: Readonly<Record<Format, string>>,
    make: (format: Format) => Promise<Blob>,
    { of = shownTitle, isReady = true, others = null as ComponentChildren } = {},
  ) => (
    <div class="buttons">
      {(Object.keys(labels) as Format[]).map((format) => (
        <button
          key={format}
          type="button"
          disabled={isBusy.value || !isReady}
          onClick={() => save(fileName(of, format), async () => make(format))}
        >
          {labels[format]}
        </button>
      ))}
      {others}
    </div>
  );
  const hasChart = drawable.value !== null;
  return (
    <div class="download">
      <fieldset class="choice">
        <legend>Figures</legend>
        {(['shown', 'whole'] as const).map(
          (one) =>
            tables[one] !== null && (
              <label key={one}>
                <input
                  type="radio"
                  name="scope"
                  checked={scope.value === one}
                  onChange={() => (scope.value = one)}
                />
                {tables.labels[one]} ({countText(tables[one].numRows, 'row')})
              </label>
            ),
        )}
        <label>
          <input type="checkbox" checked={isSafe.value} onChange={() => (isSafe.value = !isSafe.value)} />
          CSV for spreadsheets: put an apostrophe before names that look like formulas
        </label>
        {buttons(TABLES, tableFile, { of: scope.value === 'whole' ? title : shownTitle })}
      </fieldset>
      {lines.length > 0 && (
        <fieldset class="choice">
          <legend>Spreadsheet with a column for each series</legend>
          {buttons(WIDE_TABLES, wideFile, { others: <CopyTable lines={lines} /> })}
        </fieldset>
      )}
      <fieldset class="choice">
        <legend>Picture</legend>
        <Select label="For" value={size.value} options={SIZES} onChange={(chosen) => (size.value = chosen)} />
        {buttons(PICTURES, chartFile, { isReady: hasChart })}
        {!hasChart && <p class="quiet-text">This view has no chart; open the Chart tab to get one.</p>}
      </fieldset>
      {error.value !== null && (
        <Failure
          error={error.value}
          what="The file could not be created."
          onRetry={() => (error.value = null)}
        />
      )}
      <p class="quiet-text">
        Arrow and Parquet files contain the sources, their licences and a report of the retrieval. A picture
        shows the sources below the chart. With a CSV file, also copy the citation.
      </p>
    </div>
  );
}

function loaded<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The values are still loading.');
  return value;
}

function CopyTable({ lines }: { lines: readonly Line[] }) {
  const [said, copy] = useCopy('Copy table');
  const copyRows = () => {
    const rows = wideTable(lines);
    const done = `${countText(rows.length - 1, 'row')} copied`;
    return copy(toTabSeparated(rows), done, () => 'This browser does not allow copying: download the CSV');
  };
  return (
    <button type="button" onClick={() => void copyRows()}>
      {said}
    </button>
  );
}
