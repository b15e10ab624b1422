/** How far a piece of work is: two numbers that its worker writes, and that anyone may read at any time. */
export type Gauge = Int32Array<SharedArrayBuffer>;

/** At nought of nought; it can be sent to a worker. */
export function createGauge(): Gauge {
  return new Int32Array(new SharedArrayBuffer(8));
}

export function setGauge(gauge: Gauge, done: number, of: number): void {
  Atomics.store(gauge, 1, of);
  Atomics.store(gauge, 0, done);
}

export function readGauge(gauge: Gauge): { readonly done: number; readonly of: number } {
  return { done: Atomics.load(gauge, 0), of: Atomics.load(gauge, 1) };
}
