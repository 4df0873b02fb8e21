/** Loaded into a process before its program: its wall clock is as many milliseconds off as the last message said. */
let offsetMs = 0;
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offsetMs);
    else super(...given);
  }
  static now() {
    return Real.now() + offsetMs;
  }
};
process.on('message', (message) => {
  offsetMs = Number(message);
});
// The channel alone does not keep the process alive.
process.channel?.unref();
