import { type Reading, readAll } from './reading.js';

/** A client in a process of its own, so that its work is not counted to the service's: reads what it is told to. */
process.on('message', async (reading: Reading) => {
  process.send!(await readAll(reading));
});
