import type { CodeInput } from './code-input.js';
import { stringLiteral } from './quote.js';
import { leftToDo, wireQuery } from './wire-query.js';

/** The view as a Python program that reads JSON into an Arrow table. */
export function pythonCode({ request, host, names }: CodeInput): string {
  const queries = request.series.map((key, at) => {
    const fields = wireQuery(key, request).map(
      ([name, value]) =>
        `"${name}": ${typeof value === 'string' ? stringLiteral(value) : `[${value.map(stringLiteral).join(', ')}]`}`,
    );
    return `    {${fields.join(', ')}},  # ${stringLiteral(names[at] ?? '')}`;
  });
  const left = leftToDo(request);
  const note = left.length === 0 ? [] : [`# The page shows these values ${left.join(', then ')}.`];
  return [
    'import os',
    '',
    'import pyarrow as pa',
    'import requests',
    '',
    `HOST = ${stringLiteral(host)}`,
    'HEADERS = {"authorization": "Bearer " + os.environ.get("API_TOKEN", "none")}',
    'QUERIES = [',
    ...queries,
    ']',
    '',
    'KEYS = ("metricId", "itemId", "regionId", "partnerRegionId", "sourceId", "frequencyId")',
    'rows = []',
    'for query in QUERIES:',
    '    answer = requests.get(HOST + "/v2/data", params=query, headers=HEADERS, timeout=60)',
    '    answer.raise_for_status()',
    '    for block in answer.json():',
    '        series = {key: block["series"].get(key) for key in KEYS}',
    '        for start, end, value, reported, unit, _, available in block.get("data", []):',
    '            row = {**series, "start_date": start, "end_date": end, "value": value, "unitId": unit}',
    '            rows.append({**row, "reporting_date": reported, "available_date": available})',
    'table = pa.Table.from_pylist(rows)',
    ...note,
    'print(table)',
    '',
  ].join('\n');
}
