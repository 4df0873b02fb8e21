/** A metric as Prometheus reads it: its kind, and its figures by name and labels. */
export interface ReadMetric {
  readonly type: string;
  readonly help: string;
  readonly samples: Map<string, number>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const SAMPLE = new RegExp(`^(${NAME})(\\{(?:${LABEL}(?:,${LABEL})*)?\\})? (NaN|[+-]Inf|[-+0-9.e]+)$`);

/**
 * Reads Prometheus' text form by its rules
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format): every line ends with a line feed; HELP
 * and TYPE come once, before the samples of their metric, which are together; no sample comes twice.
 * @throws Error that names the line
 */
export function readMetrics(text: string): Map<string, ReadMetric> {
  const metrics = new Map<string, ReadMetric>();
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  let help: readonly [name: string, text: string] | null = null;
  let current: readonly [name: string, metric: ReadMetric] | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') help = [name!, rest!];
    else if (kind === 'TYPE') {
      if (metrics.has(name!)) throw new Error(`a second ${line}`);
      if (help?.[0] !== name) throw new Error(`no help before ${line}`);
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest!)) throw new Error(line);
      current = [name!, { type: rest!, help: help![1], samples: new Map() }];
      metrics.set(...current);
    } else addSample(line, current);
  }
  return metrics;
}

function addSample(line: string, current: readonly [string, ReadMetric] | null): void {
  const match = SAMPLE.exec(line);
  if (match === null || current === null) throw new Error(`not a sample: ${line}`);
  const [, name, labels = '', value] = match;
  const [metric, { type, samples }] = current;
  const isPart = type === 'histogram' && /^_(bucket|sum|count)$/.test(name!.slice(metric.length));
  if (name !== metric && !(isPart && name!.startsWith(metric))) throw new Error(`not of ${metric}: ${line}`);
  const key = `${name}${labels}`;
  if (samples.has(key)) throw new Error(`a second ${key}`);
  samples.set(key, value === '+Inf' ? Infinity : Number(value));
}
