/** A search as an engine receives it. Engines ignore filters that they do not support. */
export interface SearchQuery {
  readonly text: string;
  /** Number of hits wanted, 1 to 10. */
  readonly limit: number;
  /** Language of the pages as ISO 639-1 code, such as `de`. */
  readonly language?: string;
  /** Country whose pages come first, as ISO 3166-1 alpha-2 code in capitals, such as `AT`. */
  readonly region?: string;
  readonly timeRange?: TimeRange;
  /** Hosts to which results are limited, with their subdomains. In lower case and without `www.`, such as `nodejs.org`. */
  readonly site?: readonly string[];
  readonly excludeSite?: readonly string[];
  /** Kind of the results. Default: guessed from the words of the question. */
  readonly category?: Category;
  /** Number of the result page, from 1. Engines that offer fewer pages are not asked. */
  readonly page?: number;
}

export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

export interface SearchHit {
  readonly title: string;
  /** Absolute http(s) URL. */
  readonly url: string;
  readonly snippet: string;
  readonly text?: string;
  /** Milliseconds since 1970. */
  readonly published?: number;
  /** Host of the page if `url` is a redirect address of the search engine. */
  readonly host?: string;
  readonly author?: string;
  readonly site?: string;
  /** Absolute http(s) URL of an image, for the category `images`. `url` is then the page with the image. */
  readonly image?: string;
}

export interface EngineRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `general` engines are asked every question, engines of other categories only if the question belongs to the category. */
export const CATEGORIES = [
  'general',
  'news',
  'images',
  'code',
  'packages',
  'papers',
  'definitions',
  'discussions',
  'places',
] as const;
export type Category = (typeof CATEGORIES)[number];
export type Topic = Exclude<Category, 'images'>;
/** Filters of a query that an engine supports. `sites` means several hosts in `site`. */
export type QueryFilter = 'language' | 'region' | 'timeRange' | 'site' | 'sites' | 'excludeSite';

export interface EngineAbout {
  readonly title: string;
  readonly website: string;
  readonly needsKey?: true;
  readonly categories: readonly Category[];
  readonly takes: readonly QueryFilter[];
  /** Number of result pages that the engine offers. Default: 1. */
  readonly pages?: number;
  /** Minimum time between two requests in milliseconds. 0 means no limit. */
  readonly pace: number;
  /** True if Magpie reads HTML result pages instead of an API. Such engines get a browser's headers. */
  readonly resultPage?: true;
  /** True if the user runs this engine. It is then asked every question. */
  readonly own?: true;
  /** True if the engine often refuses programs. Other result pages are asked first. */
  readonly lastResort?: true;
  /** Search index behind the engine. The second engine with the same index counts less. */
  readonly source?: 'bing' | 'google';
  readonly terms?: string;
  readonly facts: EngineFacts;
}

/** What an engine stores: nothing, the question, or `unsaid` if its privacy terms do not say. */
export type Retention = 'nothing' | 'question' | 'unsaid';

/** Facts from an engine's own documents, in plain sentences, as of the date `checked`. */
export interface EngineFacts {
  readonly limits: string;
  readonly atLimit?: string;
  readonly withKey?: string;
  readonly keeps: Retention;
  readonly privacy: string;
  readonly sources: readonly string[];
  readonly checked: string;
}

/** A page of the engine that is fetched first, because it has the token for the next request. */
export interface FirstVisit {
  request(query: SearchQuery): EngineRequest | undefined;
  /** Reads the token from the page's body. Throws EngineError for a captcha and for a page without token. */
  read(body: string): string;
  /** Milliseconds for which the token serves all questions. 0 if it serves only one. */
  readonly lifetime: number;
}

export interface EngineOptions {
  /** Base address without a final slash, for a mirror or a test server. */
  readonly baseUrl?: string;
  /** API key. Required if `about.needsKey` is set. Otherwise it raises the limits. */
  readonly key?: string;
  /** E-mail address of the operator. It is sent to APIs that ask who calls them. */
  readonly contact?: string;
}

/** A search engine as two pure functions: `request` creates the request, `parse` reads the answer. */
export interface SearchEngine {
  readonly name: string;
  readonly about: EngineAbout;
  readonly refusals?: Readonly<Record<number, string>>;
  /** HTTP statuses besides 429 with which the engine refuses requests for a while. */
  readonly pauses?: readonly number[];
  /** Returns the wait in milliseconds that a refusal names in its body. 0 if the body names no wait. */
  readWait?(body: string): number;
  readonly worded?: readonly number[];
  readonly visit?: FirstVisit;
  readonly cookies?: true;
  readonly http2?: true;
  request(query: SearchQuery, token?: string): EngineRequest;
  /** Converts the body of an answer to hits. An empty list means that the engine found nothing. Throws EngineError. */
  parse(body: string, query: SearchQuery): SearchHit[];
}

export type EngineFactory = (options?: EngineOptions) => SearchEngine;

export type RefusalKind = 'captcha' | 'rate_limited' | 'changed' | 'unrelated' | 'refused';

export class EngineError extends Error {
  readonly kind: RefusalKind;
  /** Milliseconds for which the engine says that it will not answer. 0 if it does not say. */
  readonly wait: number;

  constructor(kind: EngineError['kind'], message: string, wait = 0) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
    this.wait = wait;
  }
}
