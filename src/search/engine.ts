/** A search as an engine receives it. Filters that the engine does not support (see `about.takes`) are ignored. */
export interface SearchQuery {
  readonly text: string;
  /** Number of hits wanted, 1 to 10. */
  readonly limit: number;
  /** Language of the pages as ISO 639-1 code, such as `de`. */
  readonly language?: string;
  /** Country whose pages come first, as ISO 3166-1 alpha-2 code in capitals, such as `AT`. */
  readonly region?: string;
  readonly timeRange?: TimeRange;
  /** Limits results to these hosts and their subdomains, such as `nodejs.org`: lower case, without `www.`. */
  readonly site?: readonly string[];
  readonly excludeSite?: readonly string[];
  /** Kind of results that the caller asks for. If it is missing, the words of the question select the engines. */
  readonly category?: Category;
  /** Page of results, from 1. Engines whose `about.pages` is lower are not asked. */
  readonly page?: number;
}

export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

/** One result of an engine. Results keep the engine's order of relevance. */
export interface SearchHit {
  readonly title: string;
  /** Absolute http(s) URL. */
  readonly url: string;
  /** Excerpt as plain text; may be empty. For pages of the local index it is computed on access. */
  readonly snippet: string;
  readonly text?: string;
  /** Date of publication that the engine names, in milliseconds since 1970. */
  readonly published?: number;
  /** Host of the page, if `url` is an address of the engine that leads to the page. */
  readonly host?: string;
  readonly author?: string;
  readonly site?: string;
  /** Absolute http(s) URL of the image, for results of the category `images`. `url` is then the page that shows it. */
  readonly image?: string;
}

export interface EngineRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Kinds of results. An engine with `general` is asked every question. Words of a question never select `images`. */
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

/** Categories that a caller can name: all whose results are pages to read. */
export type Topic = Exclude<Category, 'images'>;

/** Optional parts of a query that an engine supports; `sites` means a `site` list of several hosts. */
export type QueryFilter = 'language' | 'region' | 'timeRange' | 'site' | 'sites' | 'excludeSite';

export interface EngineAbout {
  readonly title: string;
  readonly website: string;
  /** Set if the engine answers only with an API key. */
  readonly needsKey?: true;
  readonly categories: readonly Category[];
  readonly takes: readonly QueryFilter[];
  /** Number of result pages that can be requested. Default 1. */
  readonly pages?: number;
  /** Minimum time between two requests from one address, in milliseconds; 0 for no limit. */
  readonly pace: number;
  /** Set if Magpie reads result pages for browsers. Such engines get a browser's headers, and few are asked at once. */
  readonly resultPage?: true;
  /** Set for an instance that the user runs. This engine is asked every question. */
  readonly own?: true;
  /** Set if the engine mostly answers programs with captchas or unrelated results. Other result pages are asked first. */
  readonly lastResort?: true;
  /** Search index from which the engine takes most results. Agreement between engines with the same index counts less. */
  readonly source?: 'bing' | 'google';
  /** Short summary of what the engine's terms of use require, for the documentation. */
  readonly terms?: string;
  /** Limits and privacy terms, for users who choose engines. */
  readonly facts: EngineFacts;
}

/** What an engine stores of a question by its privacy terms; `unsaid` if the terms do not say. */
export type Retention = 'nothing' | 'question' | 'unsaid';

/** Facts from an engine's own documents, in plain sentences, as of the date `checked`. */
export interface EngineFacts {
  /** Limits without a key, such as "1,000 questions an hour from one address". */
  readonly limits: string;
  /** Reply when the limit is reached, such as "429 with Retry-After". */
  readonly atLimit?: string;
  /** What an API key adds, and what the key costs. */
  readonly withKey?: string;
  readonly keeps: Retention;
  /** What the engine stores of a question, and for how long. */
  readonly privacy: string;
  readonly sources: readonly string[];
  /** Date on which the documents were read, such as `2026-11-27`. */
  readonly checked: string;
}

/** A page that must be fetched before the results, and how the token for the next request is read from this page. */
export interface FirstVisit {
  /** Creates the request for the page; undefined if this query needs no token. */
  request(query: SearchQuery): EngineRequest | undefined;
  /** Reads the token from the page's body. Throws EngineError for a captcha and for a page without token. */
  read(body: string): string;
  /** Time in milliseconds for which the token serves all questions; 0 if it serves only one question. */
  readonly lifetime: number;
}

export interface EngineOptions {
  /** Base address of a mirror, an own instance or a test server, without a final slash. It replaces the engine's own address. */
  readonly baseUrl?: string;
  /** API key, required if `about.needsKey`; for other engines a key raises the limits. */
  readonly key?: string;
  /** E-mail address of the operator, for APIs that ask who calls them. */
  readonly contact?: string;
}

/** A search engine as two pure functions. `parse` throws EngineError; an empty list means that the engine found nothing. */
export interface SearchEngine {
  readonly name: string;
  readonly about: EngineAbout;
  /** Messages for HTTP statuses of this engine that need an explanation, such as what the user can do. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** HTTP statuses besides 429 that mean "asked too often" or "prove that you are human", whatever the body says. */
  readonly pauses?: readonly number[];
  /** Returns the wait in ms that the body names, for status 429 or one of `pauses`; 0 if the body names none. */
  readWait?(body: string): number;
  /** HTTP statuses besides 200 and 202 whose body is passed to `parse`, for APIs that explain refusals in the body. */
  readonly worded?: readonly number[];
  readonly visit?: FirstVisit;
  /** Set if cookies from answers and redirects are sent with later requests, as a browser does. */
  readonly cookies?: true;
  /** Set if the engine is asked over HTTP/2 where its server supports it, as a browser does. */
  readonly http2?: true;
  request(query: SearchQuery, token?: string): EngineRequest;
  /** Converts an answer's body, decoded as UTF-8, to hits. The answer's status was 200, 202 or one of `worded`. */
  parse(body: string, query: SearchQuery): SearchHit[];
}

export type EngineFactory = (options?: EngineOptions) => SearchEngine;

export type RefusalKind = 'captcha' | 'rate_limited' | 'changed' | 'unrelated' | 'refused';

/** The reason why an engine's answer cannot be used. The caller decides how long to suspend the engine. */
export class EngineError extends Error {
  readonly kind: RefusalKind;
  /** Time in milliseconds for which the engine says that it will not answer; 0 if the engine names none. */
  readonly wait: number;

  constructor(kind: EngineError['kind'], message: string, wait = 0) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
    this.wait = wait;
  }
}
