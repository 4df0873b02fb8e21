import { BatchBuilder } from '../../../src/ingest/batch/batch-builder.js';
import { readDocument } from '../../../src/ingest/document/documents.js';
import { createMeasureReader } from '../../../src/ingest/document/entities.js';
import { loadKnownNames } from '../../../src/ingest/document/known-names.js';
import { createNameResolver } from '../../../src/ingest/document/names.js';
import { createNumberParser } from '../../../src/ingest/document/numbers.js';
import { parseDataSet } from '../../../src/ingest/document/parse-form.js';

/** Resolves names of commodities and attributes as the document of PSD does. */
export async function psdReaders(batch = new BatchBuilder()) {
  const [form] = parseDataSet(readDocument('psd')).forms;
  const [{ item, metric }] = form.values as [(typeof form.values)[number]];
  const names = createNameResolver(batch, await loadKnownNames());
  const parseNumber = createNumberParser(form);
  const context = { form, names, batch, parseNumber, locator: null, places: new Map() };
  const itemOf = createMeasureReader('items', item!, context);
  const metricOf = createMeasureReader('metrics', metric!, context);
  return {
    item: (name: string, code: number) =>
      itemOf({ Commodity_Description: name, Commodity_Code: String(code) }),
    metric: (name: string, code: number) =>
      metricOf({ Attribute_Description: name, Attribute_ID: String(code) }),
  };
}
