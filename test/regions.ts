import { runOnce } from './built.js';

/** Builds the file of regions when it is out of date, before tests of the sources, which read it. */
export const setup = (): void => runOnce('build:regions');
