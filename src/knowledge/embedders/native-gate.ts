import { isMainThread } from 'node:worker_threads';

/**
 * Shared flags that let the process end safely while worker threads run native code. onnxruntime aborts the whole process if its
 * thread is ended during a call, as process.exit() does with every thread. So the main thread first shuts the gate and waits for
 * the current call.
 */
export type Gate = Int32Array<SharedArrayBuffer>;

const INSIDE = 0;
const SHUT = 1;
/** Maximum time that an exit waits for the workers, in milliseconds. */
const EXIT_WAIT_MS = 1500;

export function createGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** Runs native work in a worker thread. Rejects without starting it if the gate is shut. */
export async function inside<T>(gate: Gate, work: () => Promise<T>): Promise<T> {
  Atomics.store(gate, INSIDE, 1);
  try {
    // The flag is read after entering, so that the worker or the main thread always sees the other.
    if (Atomics.load(gate, SHUT) === 1) throw new Error('the process is ending');
    return await work();
  } finally {
    leave(gate);
  }
}

/**
 * Shuts the gates and blocks until the current native calls end, for the `exit` event of the process. If a call is still running
 * after the timeout, it would abort the process; the process is then replaced by another program that ends with the same exit
 * code.
 */
export function shut(gates: readonly Gate[], exitCode: number): void {
  for (const gate of gates) Atomics.store(gate, SHUT, 1);
  const end = performance.now() + EXIT_WAIT_MS;
  for (const gate of gates) Atomics.wait(gate, INSIDE, 1, Math.max(0, end - performance.now()));
  if (gates.some((gate) => Atomics.load(gate, INSIDE) === 1)) replaceProcess(exitCode);
}

/**
 * Ends the process by replacing it with a shell that exits at once, so that threads in native code are not stopped one by one.
 * For the `exit` event. Does nothing on Windows or in a worker thread, where this is not possible.
 */
export function replaceProcess(exitCode: number): void {
  if (isMainThread && process.platform !== 'win32')
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
}

function leave(gate: Gate): void {
  Atomics.store(gate, INSIDE, 0);
  Atomics.notify(gate, INSIDE);
}
