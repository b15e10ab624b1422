import { isMainThread } from 'node:worker_threads';

/**
 * Native work in worker threads, and the end of the process: onnxruntime aborts the whole process when its
 * thread is ended amid a call, as process.exit() does with every thread. The main thread shuts the gate
 * first, and waits for the call that is inside.
 */
export type Gate = Int32Array<SharedArrayBuffer>;

const INSIDE = 0;
const SHUT = 1;
/** Milliseconds that an exit waits for the workers, at most. */
const EXIT_WAIT_MS = 1500;

export function createGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** Does native work, in the worker; rejects without beginning once the gate is shut. */
export async function inside<T>(gate: Gate, work: () => Promise<T>): Promise<T> {
  Atomics.store(gate, INSIDE, 1);
  try {
    // Read after entering, so that at least one side sees the other.
    if (Atomics.load(gate, SHUT) === 1) throw new Error('the process is ending');
    return await work();
  } finally {
    leave(gate);
  }
}

/**
 * Shuts the gates and waits, without a turn of the event loop: for the `exit` event of the process. Work that is still
 * inside then would abort the process; another program takes its place, which ends with the same exit code.
 */
export function shut(gates: readonly Gate[], exitCode: number): void {
  for (const gate of gates) Atomics.store(gate, SHUT, 1);
  const end = performance.now() + EXIT_WAIT_MS;
  for (const gate of gates) Atomics.wait(gate, INSIDE, 1, Math.max(0, end - performance.now()));
  if (gates.some((gate) => Atomics.load(gate, INSIDE) === 1)) replaceProcess(exitCode);
}

/**
 * For the `exit` event of a process with a thread amid native work: threads are not ended one by one, but gone at once.
 * Windows has nothing like it, and a thread cannot do it.
 */
export function replaceProcess(exitCode: number): void {
  if (isMainThread && process.platform !== 'win32')
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
}

function leave(gate: Gate): void {
  Atomics.store(gate, INSIDE, 0);
  Atomics.notify(gate, INSIDE);
}
