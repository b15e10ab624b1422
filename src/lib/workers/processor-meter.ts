import { AsyncLocalStorage } from 'node:async_hooks';

/** Callback that gets the processor time in milliseconds and the bytes of memory that a worker used for a request. */
export type ProcessorMeter = (processorMs: number, heldBytes?: number) => void;

const meters = new AsyncLocalStorage<ProcessorMeter>();

export function withProcessorMeter<T>(meter: ProcessorMeter, work: () => T): T {
  return meters.run(meter, work);
}

/** Returns the meter of the current request. Undefined outside of requests, as in commands at the terminal. */
export function processorMeter(): ProcessorMeter | undefined {
  return meters.getStore();
}
