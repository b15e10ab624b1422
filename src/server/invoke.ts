import type { CallAccounting } from '../access/types.ts';
import type { AccessScope, Caller, ToolSelection } from '../caller.ts';
import { AppError, asAppError, forbiddenError, notFoundError, tooLargeError } from '../errors.ts';
import { runWithCallSignal } from '../lib/concurrency/call-signal.ts';
import { type StopSubscriber, withDeadline } from '../lib/concurrency/deadline.ts';
import { createContentMask } from '../lib/secrets/content-mask.ts';
import { createSecretMask, withoutSecrets } from '../lib/secrets/known-secrets.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import { runInSpan, type SpanStart } from '../lib/tracing.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type {
  AnswerPreferences,
  AnswerReaderKind,
  FormattedAnswer,
  Operation,
  OperationCatalog,
  OperationContext,
  UserConsent,
} from '../operation.ts';
import type { Services } from '../wiring/services.ts';
import type { CredentialPages } from './credential-pages.ts';
import type { CredentialWatch } from './credential-watch.ts';
import { parseInput } from './input.ts';

export interface OperationPipeline {
  readonly catalog: OperationCatalog;
  readonly services: Services;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly callTimeout: number;
  readonly responseBytes: number;
  readonly saveAdvice?: boolean;
  readonly running: Set<Promise<unknown>>;
  readonly accounting?: CallAccounting;
  readonly credentials?: Pick<CredentialWatch, 'watchCaller'>;
  readonly desk?: CredentialPages;
}

export interface OperationCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly unknown: 'ignore' | 'reject';
  readonly progress?: (message: string) => void;
  readonly consent?: UserConsent;
  /** Preferences for the answer. Default: one page of the result, without `respond-async`. */
  readonly wishes?: AnswerPreferences;
  readonly folders?: readonly string[];
  readonly type?: string;
  readonly viewed?: boolean;
  readonly shown?: ReadonlySet<string>;
}

export interface OperationAnswer {
  readonly operation: Operation;
  readonly output: Record<string, unknown>;
  readonly json: string;
  readonly written?: FormattedAnswer;
  readonly viewData?: Readonly<Record<string, unknown>>;
  text(reader: AnswerReaderKind): string;
}

/** Runs an operation for any interface, with checks of scope, input and output. Throws only AppError. */
export function invokeOperation(pipe: OperationPipeline, call: OperationCall): Promise<OperationAnswer> {
  const work = runInSpan(
    () => spanOf(pipe, call),
    () => invokeNow(pipe, call),
  );
  pipe.running.add(work);
  const ended = () => pipe.running.delete(work);
  work.then(ended, ended);
  return work;
}

/** Describes a call for tracing. The name of an unknown operation is left out, because it may be any text. */
function spanOf({ catalog }: OperationPipeline, { operation, caller }: OperationCall): SpanStart {
  const name = operationNamed(catalog, operation)?.name ?? 'unknown';
  return {
    name: `invoke ${name}`,
    kind: 'internal',
    facts: { 'magpie.operation': name, 'magpie.via': caller.via },
  };
}

async function invokeNow(pipe: OperationPipeline, call: OperationCall): Promise<OperationAnswer> {
  const started = performance.now();
  let outcome = 'ok';
  try {
    return await run(pipe, call);
  } catch (thrown) {
    const error = call.signal.aborted
      ? new AppError('cancelled', 'the call was cancelled', { cause: thrown })
      : withoutCredentials(asAppError(thrown), pipe, call);
    outcome = error.code;
    logFailure(pipe, call, error);
    throw error;
  } finally {
    const seconds = (performance.now() - started) / 1000;
    const name = operationNamed(pipe.catalog, call.operation)?.name ?? 'unknown';
    pipe.metrics.observe(name, call.caller.via, outcome, seconds);
    pipe.accounting?.recordCall(call.caller, name, outcome, seconds * 1000);
  }
}

export function findScopeError(pipe: OperationPipeline, name: string, caller: Caller): AppError | undefined {
  const operation = operationNamed(pipe.catalog, name);
  if (!operation) return undefined;
  try {
    checkScope(operation, caller);
    return undefined;
  } catch (thrown) {
    const error = asAppError(thrown);
    pipe.metrics.observe(name, caller.via, error.code, 0);
    pipe.accounting?.recordCall(caller, name, error.code, 0);
    return error;
  }
}

export async function findConsentQuestion(
  pipe: OperationPipeline,
  call: OperationCall,
): Promise<string | undefined> {
  try {
    const operation = findOperation(pipe.catalog, call.operation);
    if (!operation.question) return undefined;
    checkScope(operation, call.caller);
    const input = parseInput(operation, call.input, call.unknown);
    return await withDeadline(
      call.signal,
      pipe.callTimeout,
      async (signal) => await operation.question?.(contextOf(pipe, call, signal), input),
    );
  } catch (thrown) {
    throw withoutCredentials(asAppError(thrown), pipe, call);
  }
}

function withoutCredentials(error: AppError, pipe: OperationPipeline, call: OperationCall): AppError {
  const message = withoutSecrets(error.message, credentialsIn(pipe, call));
  if (message === error.message) return error;
  const { code, cause, retryAfter, scope } = error;
  return new AppError(code, message, { cause, retryAfter, scope });
}

function credentialsIn({ catalog }: OperationPipeline, { operation, input }: OperationCall): string[] {
  const { secret = [] } = operationNamed(catalog, operation) ?? {};
  return secret.map((name) => input[name]).filter((value) => typeof value === 'string');
}

function logFailure(pipe: OperationPipeline, call: OperationCall, error: AppError): void {
  const { code, status } = error;
  const log = callLog(pipe, call);
  if (status < 500 && log.level !== 'debug') return;
  const ours = Object.keys(operationNamed(pipe.catalog, call.operation)?.input.shape ?? {});
  const words = createContentMask(call.input, ours);
  const secrets = createSecretMask(credentialsIn(pipe, call));
  const masked = (text: string) => words(secrets(text));
  const message = masked(error.message);
  if (code === 'internal')
    log.error({ code, cause: traceOf(error.cause).replace(NO_FRAME, masked) }, message);
  else if (status >= 500) log.warn({ code, cause: masked(reasonOf(error.cause)) || undefined }, message);
  else log.debug({ code }, message);
}

/** Returns the reason without a stack, because a stack does not help with errors of remote servers. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : '';
}

const NO_FRAME = /^(?! {4}at ).*$/gm;

function traceOf(thrown: unknown): string {
  const traces: string[] = [];
  for (let at = thrown; at !== undefined && traces.length < 5; ) {
    traces.push(at instanceof Error ? (at.stack ?? reasonOf(at)) : String(at));
    at = at instanceof Error ? at.cause : undefined;
  }
  return traces.join('\ncaused by: ');
}

function callLog(pipe: OperationPipeline, { operation, caller }: OperationCall): Logger {
  return pipe.log.child({ operation, via: caller.via });
}

const named = new WeakMap<OperationCatalog, ReadonlyMap<string, Operation>>();

function operationNamed(catalog: OperationCatalog, name: string): Operation | undefined {
  let operations = named.get(catalog);
  if (!operations) {
    operations = new Map(catalog.operations.map((operation) => [operation.name, operation]));
    named.set(catalog, operations);
  }
  return operations.get(name);
}

export function findOperation(catalog: OperationCatalog, name: string): Operation {
  const operation = operationNamed(catalog, name);
  if (operation) return operation;
  if (catalog.withheld?.some((candidate) => candidate.name === name)) throw readOnlyError(name, catalog);
  const names = catalog.operations.map((candidate) => candidate.name).join(', ');
  const meant = didYouMean(
    name,
    catalog.operations.map((candidate) => candidate.name),
  );
  throw notFoundError(
    `there is no operation ${JSON.stringify(name)}${meant || `; this server has ${names}`}`,
  );
}

async function run(pipe: OperationPipeline, call: OperationCall): Promise<OperationAnswer> {
  const operation = findOperation(pipe.catalog, call.operation);
  checkScope(operation, call.caller);
  const input = parseInput(operation, call.input, call.unknown);
  if (operation.writes?.(input)) checkWriting(pipe, operation, call.caller);
  call.signal.throwIfAborted();
  const leave = await pipe.accounting?.enterCall(call.caller, operation, call.signal);
  const limit = isLongCall(operation, input) ? Number.POSITIVE_INFINITY : pipe.callTimeout;
  const endsAt = performance.now() + limit;
  const work = async (signal: AbortSignal) => {
    const ctx = Object.assign(contextOf(pipe, call, signal), { endsAt });
    const checked = operation.output.parse(await operation.run(input, ctx));
    const written = call.type === undefined ? undefined : await operation.write?.(call.type, checked, ctx);
    const viewData = call.viewed ? await viewDataOf(operation, checked, ctx) : undefined;
    return { checked, written, viewData, offers: ctx.offers };
  };
  const followed = (signal: AbortSignal) => runWithCallSignal(signal, () => work(signal));
  const { checked, written, viewData, offers } = await withDeadline(call.signal, limit, followed, {
    ender: enderOf(pipe, call),
    timeout: 'the call took too long',
  }).finally(leave);
  const json = JSON.stringify(checked);
  if (typeof written !== 'object') checkSize(written ?? json, pipe.responseBytes);
  return {
    operation,
    output: checked,
    json,
    written,
    viewData,
    text: (reader) => operation.render?.(checked, reader, offers) ?? json,
  };
}

async function viewDataOf(operation: Operation, output: Record<string, unknown>, ctx: OperationContext) {
  try {
    return await operation.viewData?.(output, ctx);
  } catch (err) {
    ctx.signal.throwIfAborted();
    ctx.log.warn({ err }, 'what the view of an answer draws could not be read');
    return undefined;
  }
}

function enderOf({ credentials }: OperationPipeline, { caller }: OperationCall): StopSubscriber | undefined {
  if (!credentials || caller.credential === undefined) return undefined;
  return (end) =>
    credentials.watchCaller(caller, 'revoked', () =>
      end(new AppError('unauthenticated', 'the credential of this call was revoked while it ran')),
    );
}

/** Returns true if the operation has its own time limit for this parsed input. */
export function isLongCall({ long }: Operation, input: Readonly<Record<string, unknown>>): boolean {
  return typeof long === 'function' ? long(input) : long === true;
}

const DEFAULT_WISHES: AnswerPreferences = { whole: false, later: false };

function contextOf(pipe: OperationPipeline, call: OperationCall, signal: AbortSignal): OperationContext {
  return {
    caller: call.caller,
    services: pipe.services,
    catalog: pipe.catalog,
    offers(name) {
      const operation = operationNamed(pipe.catalog, name);
      return !!operation && call.caller.scopes.has(operation.scope) && (call.shown?.has(name) ?? true);
    },
    signal,
    responseBytes: pipe.responseBytes,
    saveAdvice: pipe.saveAdvice ?? true,
    consent: call.consent ?? 'unasked',
    wishes: call.wishes ?? DEFAULT_WISHES,
    folders: call.folders ?? [],
    countFetch: async () => (await pipe.accounting?.countFetch(call.caller)) ?? true,
    progress: call.progress ?? ignore,
    get log() {
      return callLog(pipe, call);
    },
  };
}

function ignore(): void {}

function checkScope(operation: Operation, caller: Caller): void {
  if (caller.scopes.has(operation.scope)) return;
  throw missingScopeError(operation.name, operation.scope, caller);
}

/** Checks a call that changes data. Throws `forbidden` if the server is read-only or the scope is missing. */
function checkWriting({ catalog }: OperationPipeline, { name }: Operation, caller: Caller): void {
  if (catalog.readOnly) throw readOnlyError(name, catalog);
  if (!caller.scopes.has('write')) throw missingScopeError(name, 'write', caller);
}

function checkSize(json: string, limit: number): void {
  const bytes = Buffer.byteLength(json);
  if (bytes <= limit) return;
  throw tooLargeError(
    `ResponseTooLarge: the answer has ${bytes} bytes and ${limit} may be sent; ask for less of it`,
  );
}

export function missingScopeError(what: string, scope: AccessScope, caller: Caller): AppError {
  const had = [...caller.scopes].join(', ') || 'none';
  return forbiddenError(
    `${what} needs the scope ${scope}, and this credential has ${had}: ask the operator of this server for one that has ${scope} too`,
    { scope },
  );
}

export function selectCatalog(
  catalog: OperationCatalog,
  { readOnly, toolsets, tools }: ToolSelection,
): OperationCatalog {
  const groups = toolsets.filter((name) => name !== 'essential');
  const isInToolsets = ({ toolset, essential }: Operation) =>
    (groups.length === 0 || groups.includes(toolset)) && (!toolsets.includes('essential') || essential);
  const hasSets = toolsets.length > 0 || tools.length === 0;
  return {
    ...catalog,
    readOnly,
    withheld: catalog.operations.filter(({ effect }) => readOnly && effect !== 'read'),
    operations: catalog.operations.filter(
      (operation) =>
        (!readOnly || operation.effect === 'read') &&
        ((hasSets && isInToolsets(operation)) || tools.includes(operation.name)),
    ),
  };
}

export function readOnlyError(name: string, { readOnly }: Partial<OperationCatalog> = {}): AppError {
  if (readOnly === 'connection') {
    return forbiddenError(
      `${name} changes stored data, and this connection is read-only: readonly in its address or X-MCP-Readonly asks for that`,
    );
  }
  return forbiddenError(
    `${name} changes stored data, and Magpie runs read-only here: --no-read-only, MAGPIE_READ_ONLY=false or ` +
      '"readOnly": false in the settings file switches that off',
  );
}
