import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type * as Prom from 'prom-client';
import { VERSION } from '../../contract/wire-names.js';
import type { Store } from '../../store/store.js';
import { turns } from '../../store/turns.js';
import type { FairQueue } from '../access/fair-queue.js';
import { passwordChecks } from '../access/password-hash.js';
import type { Backups } from '../upkeep/backups.js';
import type { Imports } from '../upkeep/imports.js';

/** The upper bounds of the histogram's buckets, in seconds. */
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

type Reading = readonly [name: string, help: string, value: number, labels?: Record<string, string>];

/** The metrics of a service. Each label has only a few distinct values, and none identifies a caller or a query. */
export class ServiceMetrics {
  /** The metrics library, loaded only if metrics are collected. The service inside an embedded client collects none. */
  readonly #prom: typeof Prom = createRequire(import.meta.url)('prom-client');
  readonly #counted = new this.#prom.Registry();
  readonly #requests = new this.#prom.Counter({
    name: 'cropframe_requests_total',
    help: 'Responses by method, path and status; 499 means that the client disconnected before its response.',
    labelNames: ['method', 'path', 'status'],
    registers: [this.#counted],
  });
  readonly #durations = new this.#prom.Histogram({
    name: 'cropframe_request_duration_seconds',
    help: 'Time from the arrival of a request until its response began.',
    labelNames: ['path'],
    buckets: DURATIONS,
    registers: [this.#counted],
  });
  readonly #bytes = new this.#prom.Counter({
    name: 'cropframe_response_bytes_total',
    help: 'Bytes in responses by path, before compression.',
    labelNames: ['path'],
    registers: [this.#counted],
  });
  readonly #points = new this.#prom.Counter({
    name: 'cropframe_points_served_total',
    help: 'Points in responses, including points that fill gaps.',
    registers: [this.#counted],
  });
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
    this.#points.inc(count);
  }

  /** Records a response. @returns a function to call with the number of bytes once the body has been sent */
  answered({ method, path, status, seconds }: Answered): (bytes: number) => void {
    this.#count(method, path, status);
    this.#durations.observe({ path }, seconds);
    this.#openBodies++;
    return (bytes) => {
      this.#openBodies--;
      this.#bytes.inc({ path }, bytes);
    };
  }

  refused(method: string, status: number): void {
    this.#count(method, 'other', status);
  }

  #count(method: string, path: string, status: number): void {
    this.#requests.inc({ method: METHODS.includes(method) ? method : 'other', path, status });
  }

  /** Returns the metrics in the Prometheus text format 0.0.4. */
  async text(): Promise<string> {
    const { Counter, Gauge, Registry } = this.#prom;
    const { user, system } = process.cpuUsage();
    const read = new Registry();
    for (const [name, help, value, labels = {}] of await this.#gauges())
      new Gauge({ name, help, labelNames: Object.keys(labels), registers: [read] }).set(labels, value);
    const cpu = { name: 'process_cpu_seconds_total', help: 'Processor time of all threads.' };
    new Counter({ ...cpu, registers: [read] }).inc((user + system) / 1e6);
    this.#addDelay(read);
    return Registry.merge([this.#counted, read]).metrics();
  }

  async #gauges(): Promise<readonly Reading[]> {
    const { queue, imports, backups } = this.#load;
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
      ['cropframe_imports_arriving', 'Imports whose files are arriving.', imports?.arriving ?? 0],
      ['cropframe_imports_running', 'Imports that are running.', imports?.running ?? 0],
      ['cropframe_backups', 'Backups that are being made or fetched.', backups.count],
      ['process_resident_memory_bytes', 'Memory of the whole process, including the engine.', rss],
      ['nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed],
      ['nodejs_external_memory_bytes', 'Memory of typed arrays and buffers.', external],
      ['process_start_time_seconds', 'When the process started, in Unix seconds.', startSeconds],
      ['cropframe_store_info', 'The store and its version, which changes with every import.', 1, store],
      ['cropframe_build_info', 'The program.', 1, build],
    ];
  }

  /**
   * Adds the event-loop delay since the last call, so that each stall is reported only once. The interval of the timer
   * that measures the delay is excluded.
   */
  #addDelay(registry: Prom.Registry): void {
    const delay = new this.#prom.Gauge({
      name: 'cropframe_event_loop_delay_seconds',
      help: 'Delay of the event loop since these metrics were last read; quantile 1 is the longest.',
      labelNames: ['quantile'],
      registers: [registry],
    });
    for (const quantile of [0.5, 0.99, 1]) {
      const nanoseconds = quantile === 1 ? this.#delay.max : this.#delay.percentile(quantile * 100);
      delay.set({ quantile }, Math.max(0, nanoseconds / 1e9 - DELAY_RESOLUTION_MS / 1000));
    }
    this.#delay.reset();
  }
}
