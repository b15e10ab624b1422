import type { Caller } from '../caller.ts';
import { AppError, asAppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Catalog, Operation } from '../operation.ts';
import type { Services } from '../services.ts';
import { parseInput } from './input.ts';

/** What every surface hands its calls to. */
export interface Pipe {
  readonly catalog: Catalog;
  readonly services: Services;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds that one call may take. */
  readonly callTimeout: number;
  /** Most bytes of one answer as JSON. */
  readonly responseBytes: number;
  /** Calls under way; a clean shutdown waits for them. */
  readonly running: Set<Promise<unknown>>;
}

export interface Call {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** What happens to parameters that the operation does not have: REST ignores them. */
  readonly unknown: 'ignore' | 'reject';
  readonly progress?: (message: string) => void;
}

/** An answer: the checked output, and its text for models and people. */
export interface Answer {
  readonly operation: Operation;
  readonly output: Record<string, unknown>;
  /** The output as JSON. */
  readonly json: string;
  text(): string;
}

/**
 * The one way through which every operation runs, whatever the surface:
 * find, scope, parse, run, check the output, log. Throws AppError only.
 */
export function invoke(pipe: Pipe, call: Call): Promise<Answer> {
  const work = invokeNow(pipe, call);
  pipe.running.add(work);
  const ended = () => pipe.running.delete(work);
  work.then(ended, ended);
  return work;
}

async function invokeNow(pipe: Pipe, call: Call): Promise<Answer> {
  const started = performance.now();
  const log = pipe.log.child({ operation: call.operation, via: call.caller.via });
  let outcome = 'ok';
  try {
    return await run(pipe, call, log);
  } catch (thrown) {
    const error = call.signal.aborted
      ? new AppError('cancelled', 'the call was cancelled', { cause: thrown })
      : asAppError(thrown);
    outcome = error.code;
    const level = error.status >= 500 && error.code === 'internal' ? 'error' : 'info';
    log[level]({ code: error.code, err: error, cause: error.cause }, error.message);
    throw error;
  } finally {
    const ms = performance.now() - started;
    const known = pipe.catalog.operations.some(({ name }) => name === call.operation);
    pipe.metrics.observe(known ? call.operation : 'unknown', call.caller.via, outcome, ms / 1000);
    log.debug({ outcome, ms: Math.round(ms) }, 'call ended');
  }
}

/** The operation of that name, or an AppError that lists what there is. */
export function findOperation(catalog: Catalog, name: string): Operation {
  const operation = catalog.operations.find((candidate) => candidate.name === name);
  if (operation) return operation;
  const names = catalog.operations.map((candidate) => candidate.name).join(', ');
  throw new AppError('not_found', `there is no operation ${JSON.stringify(name)}; this server has ${names}`);
}

async function run(pipe: Pipe, call: Call, log: Logger): Promise<Answer> {
  const operation = findOperation(pipe.catalog, call.operation);
  checkScope(operation, call.caller);
  const input = parseInput(operation, call.input, call.unknown);
  const timeout = AbortSignal.timeout(pipe.callTimeout);
  const signal = AbortSignal.any([call.signal, timeout]);
  signal.throwIfAborted();
  const output = await untilAborted(
    signal,
    operation.run(input, {
      caller: call.caller,
      services: pipe.services,
      catalog: pipe.catalog,
      log,
      signal,
      responseBytes: pipe.responseBytes,
      progress: call.progress ?? (() => {}),
    }),
  );
  const checked = operation.output.parse(output);
  const json = JSON.stringify(checked);
  checkSize(json, pipe.responseBytes);
  return {
    operation,
    output: checked,
    json,
    text: () => operation.render?.(checked) ?? JSON.stringify(checked, null, 2),
  };
}

function checkScope(operation: Operation, caller: Caller): void {
  if (caller.scopes.has(operation.scope)) return;
  throw new AppError(
    'forbidden',
    `${operation.name} needs the scope ${operation.scope}; this key has ${[...caller.scopes].join(', ') || 'none'}`,
  );
}

/** A call whose work does not heed its signal still ends when the signal says so. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function checkSize(json: string, limit: number): void {
  const bytes = Buffer.byteLength(json);
  if (bytes <= limit) return;
  throw new AppError(
    'too_large',
    `ResponseTooLarge: the answer has ${bytes} bytes and ${limit} may be sent; ask for less of it`,
  );
}
