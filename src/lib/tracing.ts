import { AppError } from '../errors.ts';

/** Tracing behind an interface that is independent of any library. If no traces are exported, work runs without overhead. */

/** Attributes of a span. They must never contain texts of users, keys, query strings or names of files. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  /** Incoming request, outgoing request, or internal work. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly facts?: SpanFacts;
  /** `traceparent` header of the caller (W3C Trace Context). If it is missing or invalid, the current span is the parent. */
  readonly parent?: unknown;
  /** If true, no span is created without a current span. Used for background work that would otherwise form traces of its own. */
  readonly onlyWithin?: true;
}

export interface Span {
  set(facts: SpanFacts): void;
  rename(name: string): void;
  /** Marks the span as failed. `type` is one of our own words, never an error message. */
  fail(type: string): void;
  /** Records an SQL statement; only its verb and its table are kept. */
  note(statement: string): void;
}

/** Creates spans. A source is set while a server exports traces. */
export interface TraceSource {
  open<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  current(): Span | undefined;
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Returns the current span as the value of a `traceparent` header. */
  parent(): string | undefined;
  /** Runs work outside of the current span. */
  apart<T>(work: () => T): T;
}

const NO_SPAN: Span = { set() {}, rename() {}, fail() {}, note() {} };
let source: TraceSource | undefined;

/** Sets the source that creates spans from now on. With undefined, no spans are created. */
export function traceWith(next: TraceSource | undefined): void {
  source = next;
}

/** Runs work within a span, which fails if the work fails. `start` is called only if spans are created. */
export function traced<T>(start: () => SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  if (!source) return work(NO_SPAN);
  return source.open(start(), async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(error instanceof AppError ? error.code : 'error');
      throw error;
    }
  });
}

/** True if spans are created. */
export const isTraced = (): boolean => source !== undefined;

/** Returns the current span, or one that does nothing if there is none. */
export const currentSpan = (): Span => source?.current() ?? NO_SPAN;

/** Returns the ids that link a log line to its trace. Undefined if there is no current span. */
export const traceIds = () => source?.ids();

/** Returns the headers that continue the trace in a service of the operator. They are not sent to web sites. */
export function traceHeaders(): Record<string, string> {
  const parent = source?.parent();
  return parent === undefined ? {} : { traceparent: parent };
}

export function apartFromTraces<T>(work: () => T): T {
  return source ? source.apart(work) : work();
}
