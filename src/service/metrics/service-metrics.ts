import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { VERSION } from '../../contract/wire-names.js';
import type { Store } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import type { FairQueue } from '../access/fair-queue.js';
import { passwordChecks } from '../access/password-hash.js';
import type { Backups } from '../upkeep/backups.js';
import type { Imports } from '../upkeep/imports.js';

/** Bounds in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const DELAY_RESOLUTION_MS = 10;

/** The parts of a service that have queues. */
interface Load {
  readonly queue: Pick<FairQueue, 'running' | 'waiting'>;
  readonly imports: Imports | null;
  readonly backups: Backups;
}

/** An answer, as metrics count it. */
interface Answered {
  readonly method: string;
  /** The path of the endpoint, with its parameters in braces: never a part of an address. */
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
}

/** The counts of a service. Labels have few values, and none names a caller or a query. */
export class ServiceMetrics {
  readonly #requests = new Counter({
    name: 'cropframe_requests_total',
    help: 'Answers by method, path and status; 499 is a client that left before its answer.',
  });
  readonly #durations = new Histogram(
    {
      name: 'cropframe_request_duration_seconds',
      help: 'From the arrival of a request until its answer began.',
    },
    DURATIONS,
  );
  readonly #bytes = new Counter({
    name: 'cropframe_response_bytes_total',
    help: 'Bytes of answers by path, before compression.',
  });
  readonly #points = new Counter({
    name: 'cropframe_points_served_total',
    help: 'Points of answers, filled ones included.',
  });
  #openBodies = 0;
  #delay: IntervalHistogram | null = null;

  readonly #store: Store;
  readonly #load: Load;

  constructor(store: Store, load: Load) {
    this.#store = store;
    this.#load = load;
    this.#points.add(0);
  }

  /** Measures the delay of the event loop from now on. */
  watchEventLoop(): void {
    this.#delay ??= monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    this.#delay.enable();
  }

  addPoints(count: number): void {
    this.#points.add(count);
  }

  /** Counts an answer. @returns a function to call with the bytes of its body, once that has been sent */
  answered({ method, path, status, seconds }: Answered): (bytes: number) => void {
    const label = METHODS.includes(method) ? method : 'other';
    this.#requests.add(1, { method: label, path, status: String(status) });
    this.#durations.observe(seconds, { path });
    this.#openBodies++;
    return (bytes) => {
      this.#openBodies--;
      this.#bytes.add(bytes, { path });
    };
  }

  /** Counts a request that the server refused before the service saw it. */
  refused(method: string, status: number): void {
    const label = METHODS.includes(method) ? method : 'other';
    this.#requests.add(1, { method: label, path: 'other', status: String(status) });
  }

  /** All metrics in Prometheus' text form. */
  async text(): Promise<string> {
    const counted = [this.#requests, this.#durations, this.#bytes, this.#points].map((one) => one.text());
    return [...counted, ...this.#loadText(), ...processText(), ...(await storeText(this.#store))].join('');
  }

  #loadText(): string[] {
    const { running, waiting } = this.#load.queue;
    const { imports, backups } = this.#load;
    const queries = this.#store.load();
    const logins = passwordChecks();
    return [
      gauge('cropframe_requests_running', 'Requests under way that have a place.', running),
      gauge('cropframe_requests_waiting', 'Requests that wait for a place.', waiting),
      gauge('cropframe_open_answers', 'Answers whose bodies are being sent.', this.#openBodies),
      gauge('cropframe_turns_waiting', 'Pieces of work that wait for their turn.', turns.waiting),
      gauge('cropframe_logins_running', 'Passwords that are being checked.', logins.running),
      gauge('cropframe_logins_waiting', 'Logins that wait for their password to be checked.', logins.waiting),
      gauge('cropframe_queries_running', 'Connections to the store in use.', queries.running),
      gauge('cropframe_queries_waiting', 'Queries that wait for a connection to the store.', queries.waiting),
      gauge('cropframe_imports_arriving', 'Imports whose files are arriving.', imports?.arriving ?? 0),
      gauge('cropframe_imports_running', 'Imports that run.', imports?.running ?? 0),
      gauge('cropframe_backups', 'Backups that are being made or fetched.', backups.count),
      ...this.#delayText(),
    ];
  }

  /** Since the last time, so that a stall is seen once. The timer's own interval is not a delay. */
  #delayText(): string[] {
    if (this.#delay === null) return [];
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - DELAY_RESOLUTION_MS / 1000);
    const name = 'cropframe_event_loop_delay_seconds';
    const samples = [0.5, 0.99].map((quantile) =>
      sample(name, { quantile: String(quantile) }, seconds(this.#delay!.percentile(quantile * 100))),
    );
    samples.push(sample(name, { quantile: '1' }, seconds(this.#delay.max)));
    this.#delay.reset();
    const help = 'Delay of the event loop since these metrics were last read; quantile 1 is the longest.';
    return [metricText({ name, help, type: 'gauge' }, samples)];
  }
}

function gauge(name: string, help: string, value: number): string {
  return metricText({ name, help, type: 'gauge' }, [sample(name, {}, value)]);
}

function processText(): string[] {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const cpu = 'process_cpu_seconds_total';
  return [
    gauge('process_resident_memory_bytes', 'Memory of the whole process, the engine included.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Memory of objects of JavaScript.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory of typed arrays and buffers.', external),
    gauge('process_start_time_seconds', 'When the process started, Unix seconds.', startSeconds()),
    metricText({ name: cpu, help: 'Processor time of all threads.', type: 'counter' }, [
      sample(cpu, {}, (user + system) / 1e6),
    ]),
  ];
}

function startSeconds(): number {
  return Math.round(performance.timeOrigin) / 1000;
}

async function storeText(store: Store): Promise<string[]> {
  const info = (name: string, help: string, labels: Record<string, string>) =>
    metricText({ name, help, type: 'gauge' }, [sample(name, labels, 1)]);
  return [
    gauge('cropframe_store_bytes', 'Size of the store on disk, its log included.', await store.bytes()),
    info('cropframe_store_info', 'The store, and its version, which changes with every import.', {
      engine: store.engine,
      version: await store.version(),
    }),
    info('cropframe_build_info', 'The program.', { version: VERSION, node: process.version }),
  ];
}

/** Labels of a figure, such as the path of requests. */
type Labels = Readonly<Record<string, string>>;

/** The name, the meaning and the kind of a metric. */
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
  readonly #values = new Map<string, { name: string; labels: Labels; value: number }>();
  readonly #head: Omit<MetricHead, 'type'>;

  constructor(head: Omit<MetricHead, 'type'>) {
    this.#head = head;
  }

  /** @param suffix of the name, for metrics of several figures */
  add(amount: number, labels: Labels = {}, suffix = ''): void {
    const key = suffix + JSON.stringify(labels);
    const figure = this.#values.get(key);
    if (figure !== undefined) figure.value += amount;
    else this.#values.set(key, { name: this.#head.name + suffix, labels, value: amount });
  }

  text(type: MetricHead['type'] = 'counter'): string {
    const samples = Array.from(this.#values.values(), ({ name, labels, value }) =>
      sample(name, labels, value),
    );
    return metricText({ ...this.#head, type }, samples);
  }
}

/** How values are distributed, for each combination of labels. */
export class Histogram {
  readonly #figures: Counter;
  readonly #bounds: readonly number[];

  /** @param bounds ascending */
  constructor(head: Omit<MetricHead, 'type'>, bounds: readonly number[]) {
    this.#figures = new Counter(head);
    this.#bounds = [...bounds, Number.POSITIVE_INFINITY];
  }

  observe(value: number, labels: Labels = {}): void {
    for (const bound of this.#bounds)
      this.#figures.add(value <= bound ? 1 : 0, { ...labels, le: numberText(bound) }, '_bucket');
    this.#figures.add(value, labels, '_sum');
    this.#figures.add(1, labels, '_count');
  }

  text(): string {
    return this.#figures.text('histogram');
  }
}
