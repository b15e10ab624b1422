import { AppError } from '../errors.ts';

/** Spans of traces, behind an interface that knows no library: where nothing is exported, work runs as if this were not there. */

/** Never texts of users, keys, queries of addresses, or names of files. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  /** A request that came in, one that goes out, or work within. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly facts?: SpanFacts;
  /** `traceparent` of the asker (W3C Trace Context). Left out, or wrong: the span that is open is the parent. */
  readonly parent?: unknown;
  /** Left out where no span is open: work of the background that nothing else shows. */
  readonly onlyWithin?: true;
}

export interface Span {
  set(facts: SpanFacts): void;
  rename(name: string): void;
  /** Marks it as failed; `type` is a word of ours, never a message. */
  fail(type: string): void;
  /** Notes the text of a statement, of which verb and table are kept. */
  note(statement: string): void;
}

/** What makes spans; one is set while a server exports them. */
export interface TraceSource {
  open<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  current(): Span | undefined;
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** The open span as `traceparent`. */
  parent(): string | undefined;
  /** Begins work that belongs to no open span. */
  apart<T>(work: () => T): T;
}

const NO_SPAN: Span = { set() {}, rename() {}, fail() {}, note() {} };
let source: TraceSource | undefined;

/** From here on spans are made by `next`; by nothing where it is undefined. */
export function traceWith(next: TraceSource | undefined): void {
  source = next;
}

/** Does work within a span, which fails where the work does. `start` is asked only where spans are made. */
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

/** Whether spans are made. */
export const isTraced = (): boolean => source !== undefined;

/** The span that is open; one that does nothing where there is none. */
export const currentSpan = (): Span => source?.current() ?? NO_SPAN;

/** What ties a line of the log to its trace; undefined where there is none. */
export const traceIds = () => source?.ids();

/** What passes the trace on to a service of the operator; sites of the web get no such mark. */
export function traceHeaders(): Record<string, string> {
  const parent = source?.parent();
  return parent === undefined ? {} : { traceparent: parent };
}

export function apartFromTraces<T>(work: () => T): T {
  return source ? source.apart(work) : work();
}
