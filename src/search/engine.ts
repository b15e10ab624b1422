/** What is asked of an engine. An engine leaves out what it has no words for; the caller sees `about.takes`. */
export interface SearchQuery {
  readonly text: string;
  /** How many hits are wanted, 1 to 10. */
  readonly limit: number;
  /** Language of the pages: ISO 639-1, such as `de`. */
  readonly language?: string;
  /** Country whose pages come first: ISO 3166-1 alpha-2 in capitals, such as `AT`. */
  readonly region?: string;
  /** Only pages of the last day, week, month or year. */
  readonly timeRange?: TimeRange;
  /** Only pages of this host and those under it, such as `nodejs.org`. */
  readonly site?: string;
}

export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

/** One line of an engine's answer, in its own order of relevance. */
export interface SearchHit {
  readonly title: string;
  /** Absolute http(s) URL. */
  readonly url: string;
  /** Plain text; may be empty. */
  readonly snippet: string;
  /** When the page was published, as the engine says: milliseconds since 1970. */
  readonly published?: number;
}

/** The HTTP request that puts a query to an engine. */
export interface EngineRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Questions that an engine is good for; `general` engines take every question. */
export const SUBJECTS = ['general', 'news', 'code', 'papers', 'definitions', 'discussions'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Optional parts of a query that an engine can act on. */
export type Filter = 'language' | 'region' | 'timeRange' | 'site';

/** What an engine is, for the choice of engines and for the docs. */
export interface EngineAbout {
  /** The engine's name as people write it. */
  readonly title: string;
  readonly website: string;
  readonly needsKey: boolean;
  readonly subjects: readonly Subject[];
  readonly takes: readonly Filter[];
  /** Least milliseconds between two requests from one address that the engine tolerates; 0 for no such rule. */
  readonly pace: number;
}

/** How an engine is reached; each engine's factory takes this. */
export interface EngineOptions {
  /** Base address in place of the engine's own, without a last slash: a mirror, an own instance, a test's server. */
  readonly baseUrl?: string;
  /** The account's key, where `about.needsKey`. */
  readonly key?: string;
}

/**
 * A search engine is two pure functions; network, deadline, suspension and merging are the caller's.
 * `parse` throws EngineError for a captcha, a refusal or markup that no longer fits: an empty list
 * means that the engine itself said that it found nothing.
 */
export interface SearchEngine {
  readonly name: string;
  readonly about: EngineAbout;
  /** What an HTTP status means at this engine and what to do, where the number alone does not say it. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Statuses besides 429 that mean "asked too often" or "prove that you are human" here, whatever the body says. */
  readonly pauses?: readonly number[];
  /** Statuses besides 200 and 202 whose body `parse` reads: those of an API that words its own refusals. */
  readonly worded?: readonly number[];
  request(query: SearchQuery): EngineRequest;
  /** The body of an answer with status 200, 202 or one of `worded`, decoded as UTF-8. */
  parse(body: string, query: SearchQuery): SearchHit[];
}

/** Why an engine's answer could not be used; the caller decides how long to leave it alone. */
export class EngineError extends Error {
  readonly kind: 'captcha' | 'rate_limited' | 'changed' | 'refused';
  /** Milliseconds for which the engine says that it will not answer; 0 where it names no time. */
  readonly wait: number;

  constructor(kind: EngineError['kind'], message: string, wait = 0) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
    this.wait = wait;
  }
}
