import { monitorEventLoopDelay } from 'node:perf_hooks';
import { VERSION } from '../../contract/wire-names.js';
import type { Store } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import type { FairQueue } from '../access/fair-queue.js';
import { passwordChecks } from '../access/password-hash.js';
import type { Backups } from '../upkeep/backups.js';
import type { Imports } from '../upkeep/imports.js';

/** The upper bounds of the histogram's buckets, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, Number.POSITIVE_INFINITY];
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

type Gauge = readonly [name: string, help: string, value: number, labels?: Labels];

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
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  #openBodies = 0;

  readonly #store: Store;
  readonly #load: Load;

  constructor(store: Store, load: Load) {
    this.#store = store;
    this.#load = load;
    this.#delay.enable();
  }

  addPoints(count: number): void {
    this.#points.add(count);
  }

  /** Records a response. @returns a function to call with the number of bytes once the body has been sent */
  answered({ method, path, status, seconds }: Answered): (bytes: number) => void {
    this.#count(method, path, status);
    for (const bound of DURATIONS)
      this.#durations.add(Number(seconds <= bound), { path, le: numberText(bound) }, '_bucket');
    this.#durations.add(seconds, { path }, '_sum').add(1, { path }, '_count');
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
    const { user, system } = process.cpuUsage();
    const metrics = [
      ...[this.#requests, this.#durations, this.#bytes, this.#points],
      ...(await this.#gauges()).map(([name, help, ...figure]) =>
        new Metric('gauge', name, help).add(...figure),
      ),
      this.#delayMetric(),
      new Metric('counter', 'process_cpu_seconds_total', 'Processor time of all threads.').add(
        (user + system) / 1e6,
      ),
    ];
    return metrics.map((metric) => metric.text()).join('');
  }

  async #gauges(): Promise<readonly Gauge[]> {
    const { queue, imports, backups } = this.#load;
    const queries = this.#store.load();
    const logins = passwordChecks();
    const { rss, heapUsed, external } = process.memoryUsage();
    const startSeconds = Math.round(performance.timeOrigin) / 1000;
    const store = { engine: this.#store.engine, version: await this.#store.version() };
    const build = { version: VERSION, node: process.version };
    return [
      ['cropframe_requests_running', 'Requests that are running.', queue.running],
      ['cropframe_requests_waiting', 'Requests that are waiting to run.', queue.waiting],
      ['cropframe_open_answers', 'Responses whose bodies are being sent.', this.#openBodies],
      ['cropframe_turns_waiting', 'Tasks that are waiting for their turn.', turns.waiting],
      ['cropframe_logins_running', 'Passwords that are being checked.', logins.running],
      ['cropframe_logins_waiting', 'Logins that wait for their password to be checked.', logins.waiting],
      ['cropframe_queries_running', 'Connections to the store in use.', queries.running],
      ['cropframe_queries_waiting', 'Queries that wait for a connection to the store.', queries.waiting],
      ['cropframe_imports_arriving', 'Imports whose files are arriving.', imports?.arriving ?? 0],
      ['cropframe_imports_running', 'Imports that are running.', imports?.running ?? 0],
      ['cropframe_backups', 'Backups that are being made or fetched.', backups.count],
      ['process_resident_memory_bytes', 'Memory of the whole process, including the engine.', rss],
      ['nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed],
      ['nodejs_external_memory_bytes', 'Memory of typed arrays and buffers.', external],
      ['process_start_time_seconds', 'When the process started, in Unix seconds.', startSeconds],
      ['cropframe_store_bytes', 'Size of the store on disk, including its log.', await this.#store.bytes()],
      ['cropframe_store_info', 'The store and its version, which changes with every import.', 1, store],
      ['cropframe_build_info', 'The program.', 1, build],
    ];
  }

  /**
   * Returns the event-loop delay since the last call, so that each stall is reported only once. The interval of the
   * timer that measures the delay is excluded.
   */
  #delayMetric(): Metric {
    const metric = new Metric(
      'gauge',
      'cropframe_event_loop_delay_seconds',
      'Delay of the event loop since these metrics were last read; quantile 1 is the longest.',
    );
    for (const quantile of [0.5, 0.99, 1]) {
      const nanoseconds = quantile === 1 ? this.#delay.max : this.#delay.percentile(quantile * 100);
      const seconds = Math.max(0, nanoseconds / 1e9 - DELAY_RESOLUTION_MS / 1000);
      metric.add(seconds, { quantile: String(quantile) });
    }
    this.#delay.reset();
    return metric;
  }
}

type Labels = Readonly<Record<string, string>>;

/** A metric with one sample per combination of labels. `text` returns it in the Prometheus text format 0.0.4. */
class Metric {
  readonly #figures = new Map<string, number>();
  readonly #name: string;
  readonly #head: string;

  constructor(type: 'counter' | 'gauge' | 'histogram', name: string, help: string) {
    this.#name = name;
    this.#head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  }

  /** Adds to the sample with these labels. @param suffix appended to the metric's name, such as `_sum` */
  add(amount: number, labels: Labels = {}, suffix = ''): this {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}=${JSON.stringify(text)}`);
    const figure = `${this.#name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`}`;
    this.#figures.set(figure, (this.#figures.get(figure) ?? 0) + amount);
    return this;
  }

  text(): string {
    const samples = Array.from(this.#figures, ([figure, value]) => `${figure} ${numberText(value)}\n`);
    return this.#head + samples.join('');
  }
}

function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
