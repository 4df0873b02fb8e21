import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { VERSION } from '../../contract/wire-names.js';
import type { Store } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import type { FairQueue } from '../access/fair-queue.js';
import { passwordChecks } from '../access/password-hash.js';
import type { Backups } from '../upkeep/backups.js';
import type { Imports } from '../upkeep/imports.js';

/** The upper bounds of the histogram buckets, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const DELAY_RESOLUTION_MS = 10;

interface Load {
  readonly queue: Pick<FairQueue, 'running' | 'waiting'>;
  readonly imports: Imports | null;
  readonly backups: Backups;
}

interface Answered {
  readonly method: string;
  /** The endpoint's path, with its parameters in braces. The request URL is never used as a metric label. */
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
}

/** The metrics of a service. Each label has only a few distinct values, and none identifies a caller or a query. */
export class ServiceMetrics {
  readonly #requests = new Metric(
    'counter',
    'cropframe_requests_total',
    'Responses by method, path and status; 499 means that the client disconnected before its response.',
  );
  readonly #durations = new Metric(
    'histogram',
    'cropframe_request_duration_seconds',
    'Time from the arrival of a request until its response began.',
  );
  readonly #bytes = new Metric(
    'counter',
    'cropframe_response_bytes_total',
    'Bytes in responses by path, before compression.',
  );
  readonly #points = new Metric(
    'counter',
    'cropframe_points_served_total',
    'Points in responses, including points that fill gaps.',
  ).add(0);
  #openBodies = 0;
  #delay: IntervalHistogram | null = null;

  readonly #store: Store;
  readonly #load: Load;

  constructor(store: Store, load: Load) {
    this.#store = store;
    this.#load = load;
  }

  watchEventLoop(): void {
    this.#delay ??= monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    this.#delay.enable();
  }

  addPoints(count: number): void {
    this.#points.add(count);
  }

  /** Records a response. @returns a function to call with the number of bytes once the body has been sent */
  answered({ method, path, status, seconds }: Answered): (bytes: number) => void {
    this.#count(method, path, status);
    this.#durations.observe(seconds, DURATIONS, { path });
    this.#openBodies++;
    return (bytes) => {
      this.#openBodies--;
      this.#bytes.add(bytes, { path });
    };
  }

  refused(method: string, status: number): void {
    this.#count(method, 'other', status);
  }

  #count(method: string, path: string, status: number): void {
    const label = METHODS.includes(method) ? method : 'other';
    this.#requests.add(1, { method: label, path, status: String(status) });
  }

  async text(): Promise<string> {
    const metrics = [
      ...[this.#requests, this.#durations, this.#bytes, this.#points],
      ...[...this.#loadMetrics(), ...processMetrics(), ...(await storeMetrics(this.#store))],
    ];
    return metrics.map((metric) => metric.text()).join('');
  }

  #loadMetrics(): Metric[] {
    const { running, waiting } = this.#load.queue;
    const { imports, backups } = this.#load;
    const queries = this.#store.load();
    const logins = passwordChecks();
    return [
      gauge('cropframe_requests_running', 'Requests that are running.', running),
      gauge('cropframe_requests_waiting', 'Requests that are waiting to run.', waiting),
      gauge('cropframe_open_answers', 'Responses whose bodies are being sent.', this.#openBodies),
      gauge(
        'cropframe_turns_waiting',
        'Tasks that are waiting for their turn on the event loop.',
        turns.waiting,
      ),
      gauge('cropframe_logins_running', 'Passwords that are being checked.', logins.running),
      gauge(
        'cropframe_logins_waiting',
        'Logins that are waiting for their password to be checked.',
        logins.waiting,
      ),
      gauge('cropframe_queries_running', 'Connections to the store in use.', queries.running),
      gauge(
        'cropframe_queries_waiting',
        'Queries that are waiting for a connection to the store.',
        queries.waiting,
      ),
      gauge('cropframe_imports_arriving', 'Imports whose files are arriving.', imports?.arriving ?? 0),
      gauge('cropframe_imports_running', 'Imports that are running.', imports?.running ?? 0),
      gauge('cropframe_backups', 'Backups that are being made or fetched.', backups.count),
      ...(this.#delay === null ? [] : [delayMetric(this.#delay)]),
    ];
  }
}

/**
 * Returns the event-loop delay since the last call, so that each stall is reported only once. The interval of the timer
 * that measures the delay is excluded.
 */
function delayMetric(delay: IntervalHistogram): Metric {
  const metric = new Metric(
    'gauge',
    'cropframe_event_loop_delay_seconds',
    'Delay of the event loop since these metrics were last read; quantile 1 is the longest.',
  );
  for (const quantile of [0.5, 0.99, 1]) {
    const nanoseconds = quantile === 1 ? delay.max : delay.percentile(quantile * 100);
    const seconds = Math.max(0, nanoseconds / 1e9 - DELAY_RESOLUTION_MS / 1000);
    metric.add(seconds, { quantile: String(quantile) });
  }
  delay.reset();
  return metric;
}

function gauge(name: string, help: string, value: number, labels?: Labels): Metric {
  return new Metric('gauge', name, help).add(value, labels);
}

function processMetrics(): Metric[] {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const startSeconds = Math.round(performance.timeOrigin) / 1000;
  const cpu = new Metric('counter', 'process_cpu_seconds_total', 'Processor time of all threads.');
  return [
    gauge('process_resident_memory_bytes', 'Memory of the whole process, including the engine.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory of typed arrays and buffers.', external),
    gauge('process_start_time_seconds', 'When the process started, in Unix seconds.', startSeconds),
    cpu.add((user + system) / 1e6),
  ];
}

async function storeMetrics(store: Store): Promise<Metric[]> {
  const { engine } = store;
  const content = { engine, version: await store.version() };
  const program = { version: VERSION, node: process.version };
  return [
    gauge('cropframe_store_bytes', 'Size of the store on disk, including its log.', await store.bytes()),
    gauge('cropframe_store_info', 'The store and its version, which changes with every import.', 1, content),
    gauge('cropframe_build_info', 'The program.', 1, program),
  ];
}

type Labels = Readonly<Record<string, string>>;

/** A metric with one sample per combination of labels. `text` returns it in the Prometheus text format 0.0.4. */
export class Metric {
  readonly #figures = new Map<string, number>();
  readonly #type: string;
  readonly #name: string;
  readonly #help: string;

  constructor(type: 'counter' | 'gauge' | 'histogram', name: string, help: string) {
    this.#type = type;
    this.#name = name;
    this.#help = help;
  }

  /** Adds to the sample with these labels. @param suffix appended to the metric's name, such as `_sum` */
  add(amount: number, labels: Labels = {}, suffix = ''): this {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
    const figure = `${this.#name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`}`;
    this.#figures.set(figure, (this.#figures.get(figure) ?? 0) + amount);
    return this;
  }

  /** Adds a value to a histogram. @param bounds the upper bounds of the buckets, in ascending order */
  observe(value: number, bounds: readonly number[], labels: Labels): void {
    for (const bound of [...bounds, Number.POSITIVE_INFINITY])
      this.add(value <= bound ? 1 : 0, { ...labels, le: numberText(bound) }, '_bucket');
    this.add(value, labels, '_sum');
    this.add(1, labels, '_count');
  }

  text(): string {
    const samples = Array.from(this.#figures, ([figure, value]) => `${figure} ${numberText(value)}`);
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} ${this.#type}`];
    return [...head, ...samples, ''].join('\n');
  }
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
