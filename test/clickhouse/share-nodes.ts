import type { TestProject } from 'vitest/node';
import { Nodes } from './nodes.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** `host:port` of the nodes that all tests share. Tests that end nodes start their own. */
    clickhouseHosts: readonly string[];
  }
}

/** Starts the nodes of a project. Returns what ends them after its last test. */
export async function shareNodes(project: TestProject, count: number): Promise<() => Promise<void>> {
  const nodes = await Nodes.start(count);
  project.provide('clickhouseHosts', nodes.hosts);
  return () => nodes.stop();
}
