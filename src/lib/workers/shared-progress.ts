export type SharedProgress = Int32Array<SharedArrayBuffer>;

export const createSharedProgress = (): SharedProgress => new Int32Array(new SharedArrayBuffer(8));

export function setSharedProgress(gauge: SharedProgress, done: number, of: number): void {
  Atomics.store(gauge, 1, of);
  Atomics.store(gauge, 0, done);
}

export function readSharedProgress(gauge: SharedProgress): { readonly done: number; readonly of: number } {
  return { done: Atomics.load(gauge, 0), of: Atomics.load(gauge, 1) };
}
