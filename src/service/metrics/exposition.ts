/** Labels of a figure, such as the path of requests. */
type Labels = Readonly<Record<string, string>>;

/** What a metric is called, what it counts, and of which kind it is. */
export interface MetricHead {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
}

/** The lines of one metric in Prometheus' text form, version 0.0.4. */
export function metricText({ name, help, type }: MetricHead, samples: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n');
}

/** The line of one figure. */
export function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}

/** A figure that only grows, one for each combination of its labels. */
export class Counter {
  readonly #values = new Map<string, { labels: Labels; value: number }>();

  readonly #head: Omit<MetricHead, 'type'>;

  constructor(head: Omit<MetricHead, 'type'>) {
    this.#head = head;
  }

  add(amount: number, labels: Labels = {}): void {
    const key = JSON.stringify(labels);
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, { labels, value: amount });
    else known.value += amount;
  }

  text(): string {
    const samples = Array.from(this.#values.values(), ({ labels, value }) =>
      sample(this.#head.name, labels, value),
    );
    return metricText({ ...this.#head, type: 'counter' }, samples);
  }
}

interface Distribution {
  readonly labels: Labels;
  /** How many values are at most each bound, and not at most the one before it. */
  readonly counts: number[];
  sum: number;
}

/** How values are distributed, for each combination of labels. */
export class Histogram {
  readonly #values = new Map<string, Distribution>();

  readonly #head: Omit<MetricHead, 'type'>;
  readonly #bounds: readonly number[];

  /** @param bounds ascending */
  constructor(head: Omit<MetricHead, 'type'>, bounds: readonly number[]) {
    this.#head = head;
    this.#bounds = bounds;
  }

  observe(value: number, labels: Labels = {}): void {
    const key = JSON.stringify(labels);
    let known = this.#values.get(key);
    if (known === undefined) {
      known = { labels, counts: new Array<number>(this.#bounds.length + 1).fill(0), sum: 0 };
      this.#values.set(key, known);
    }
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    known.counts[bucket === -1 ? this.#bounds.length : bucket]!++;
    known.sum += value;
  }

  text(): string {
    const samples = Array.from(this.#values.values(), (one) => this.#samples(one)).flat();
    return metricText({ ...this.#head, type: 'histogram' }, samples);
  }

  #samples({ labels, counts, sum }: Distribution): string[] {
    const { name } = this.#head;
    let total = 0;
    const buckets = counts.map((count, i) => {
      total += count;
      return sample(`${name}_bucket`, { ...labels, le: numberText(this.#bounds[i] ?? Infinity) }, total);
    });
    return [...buckets, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, total)];
  }
}
