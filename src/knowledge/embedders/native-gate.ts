import { isMainThread } from 'node:worker_threads';

/** Two flags that threads share. They prevent an exit during a native call, which would crash the process. */
export type NativeCallGate = Int32Array<SharedArrayBuffer>;
const INSIDE = 0;
const SHUT = 1;
const EXIT_WAIT_MS = 1500;

export function createNativeCallGate(): NativeCallGate {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

export async function runNativeCall<T>(gate: NativeCallGate, work: () => Promise<T>): Promise<T> {
  Atomics.store(gate, INSIDE, 1);
  try {
    // Each thread sets its own flag before it reads the other flag. So at least one thread sees both flags set.
    if (Atomics.load(gate, SHUT) === 1) throw new Error('the process is ending');
    return await work();
  } finally {
    Atomics.store(gate, INSIDE, 0);
    Atomics.notify(gate, INSIDE);
  }
}

/** Blocks new native calls. If a call still runs after 1.5 s, replaces the process by a shell that exits. */
export function shutNativeCallGates(gates: readonly NativeCallGate[], exitCode: number): void {
  for (const gate of gates) Atomics.store(gate, SHUT, 1);
  const end = performance.now() + EXIT_WAIT_MS;
  for (const gate of gates) Atomics.wait(gate, INSIDE, 1, Math.max(0, end - performance.now()));
  if (gates.some((gate) => Atomics.load(gate, INSIDE) === 1)) exitWithoutStoppingThreads(exitCode);
}

export function exitWithoutStoppingThreads(exitCode: number): void {
  if (isMainThread && process.platform !== 'win32')
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
}
