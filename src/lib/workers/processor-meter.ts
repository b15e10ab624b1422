import { AsyncLocalStorage } from 'node:async_hooks';

/** Takes the milliseconds of processor time that a worker has used for a request, and the bytes of memory it held for that. */
export type ProcessorMeter = (processorMs: number, heldBytes?: number) => void;

const meters = new AsyncLocalStorage<ProcessorMeter>();

/** Runs work whose jobs in workers are counted by `meter`, as long as they go on. */
export function withProcessorMeter<T>(meter: ProcessorMeter, work: () => T): T {
  return meters.run(meter, work);
}

/** The meter of the request under way; undefined without one, as at the terminal. */
export function processorMeter(): ProcessorMeter | undefined {
  return meters.getStore();
}
