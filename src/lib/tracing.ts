import { AppError } from '../errors.ts';

/** Attributes of a span. They must never contain user text, keys or file names. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly facts?: SpanFacts;
  /** `traceparent` header of the request (W3C Trace Context). Default: the current span. */
  readonly parent?: unknown;
  /** True to create the span only inside another span, never as the first span of a trace. */
  readonly onlyWithin?: true;
}

export interface Span {
  set(facts: SpanFacts): void;
  rename(name: string): void;
  /** Marks the span as failed. `type` is an error code, never a message with user data. */
  fail(type: string): void;
  note(statement: string): void;
}

export interface TraceSource {
  open<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  current(): Span | undefined;
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined;
  parent(): string | undefined;
  apart<T>(work: () => T): T;
}

const NO_SPAN: Span = { set() {}, rename() {}, fail() {}, note() {} };
let source: TraceSource | undefined;

export function setTraceSource(next: TraceSource | undefined): void {
  source = next;
}

export function runInSpan<T>(start: () => SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
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

export const isTracingEnabled = (): boolean => source !== undefined;

export const currentSpan = (): Span => source?.current() ?? NO_SPAN;

export const traceIds = () => source?.ids();

/** Returns headers that continue the trace in the operator's own services. Not for other websites. */
export function traceHeaders(): Record<string, string> {
  const parent = source?.parent();
  return parent === undefined ? {} : { traceparent: parent };
}

export const runOutsideTraces = <T>(work: () => T): T => (source ? source.apart(work) : work());
