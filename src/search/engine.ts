/** What is asked of an engine. */
export interface SearchQuery {
  readonly text: string;
  /** How many hits are wanted, 1 to 10. */
  readonly limit: number;
}

/** One line of an engine's answer, in its own order of relevance. */
export interface SearchHit {
  readonly title: string;
  /** Absolute http(s) URL. */
  readonly url: string;
  /** Plain text; may be empty. */
  readonly snippet: string;
}

/** The HTTP request that puts a query to an engine. */
export interface EngineRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * A search engine is two pure functions; network, deadline, suspension and merging are the caller's.
 * `parse` throws EngineError for a captcha, a refusal or markup that no longer fits: an empty list
 * means that the engine itself said that it found nothing.
 */
export interface SearchEngine {
  readonly name: string;
  readonly about: { readonly website: string; readonly needsKey: boolean };
  /** What an HTTP status means at this engine and what to do, where the number alone does not say it. */
  readonly refusals?: Readonly<Record<number, string>>;
  request(query: SearchQuery): EngineRequest;
  parse(body: string, query: SearchQuery): SearchHit[];
}

/** Why an engine's answer could not be used; the caller decides how long to leave it alone. */
export class EngineError extends Error {
  readonly kind: 'captcha' | 'rate_limited' | 'changed' | 'refused';

  constructor(kind: EngineError['kind'], message: string) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}
