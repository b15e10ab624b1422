import { AsyncLocalStorage } from 'node:async_hooks';

/** Receives the processor time (ms) and memory (bytes) that a worker has used for a request. */
export type ProcessorMeter = (processorMs: number, heldBytes?: number) => void;

const meters = new AsyncLocalStorage<ProcessorMeter>();

export function withProcessorMeter<T>(meter: ProcessorMeter, work: () => T): T {
  return meters.run(meter, work);
}

export const processorMeter = (): ProcessorMeter | undefined => meters.getStore();
