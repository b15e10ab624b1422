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
  /** Only pages of these hosts and those under them, such as `nodejs.org`: in small letters, without `www.`. */
  readonly site?: readonly string[];
  /** No pages of these hosts and those under them. */
  readonly excludeSite?: readonly string[];
  /** What kind of results the caller named; left out, the question's words choose among the engines. */
  readonly category?: Category;
  /** Which page of results, from 1 on; engines with fewer `about.pages` are left out. */
  readonly page?: number;
}

export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

/** One line of an engine's answer, in its own order of relevance. */
export interface SearchHit {
  readonly title: string;
  /** Absolute http(s) URL. */
  readonly url: string;
  /** Plain text; may be empty. Of a page that is kept here it is worked out when it is read. */
  readonly snippet: string;
  /** The whole text of a page that is kept here. */
  readonly text?: string;
  /** When the page was published, as the engine says: milliseconds since 1970. */
  readonly published?: number;
  /** The page's host, where `url` leads there by a page of the engine's own. */
  readonly host?: string;
  /** Who wrote it, as the engine says. */
  readonly author?: string;
  /** The journal, paper or site that it is from, as the engine names it. */
  readonly site?: string;
  /** Absolute http(s) URL of the picture, in results of `images`; `url` is the page that shows it. */
  readonly image?: string;
}

/** The HTTP request that puts a query to an engine. */
export interface EngineRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * What an engine is good for. `general` engines take every question; with another category among theirs they ask
 * that part of their site when the caller names it. `images` is never chosen by a question's words.
 */
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

/** What a caller of a search may name: the categories whose results are pages to read. */
export type Topic = Exclude<Category, 'images'>;

/** Optional parts of a query that an engine can act on; `sites` is a `site` of several hosts. */
export type Filter = 'language' | 'region' | 'timeRange' | 'site' | 'sites' | 'excludeSite';

/** What an engine is, for the choice of engines and for the docs. */
export interface EngineAbout {
  /** The engine's name as people write it. */
  readonly title: string;
  readonly website: string;
  readonly needsKey: boolean;
  readonly categories: readonly Category[];
  readonly takes: readonly Filter[];
  /** Most pages of results that can be asked for. Default 1. */
  readonly pages?: number;
  /** Least milliseconds between two requests from one address that the engine tolerates; 0 for no such rule. */
  readonly pace: number;
  /** It is read from result pages made for browsers, and no API: it gets a browser's headers, and a few of them are asked at once. */
  readonly resultPage?: true;
  /** It is an instance of the user's own: it is asked every question. */
  readonly own?: true;
  /** It mostly answers programs with captchas or unrelated results: other result pages are asked before it. */
  readonly lastResort?: true;
  /** Whose index its results are from, in whole or for the most part: what engines of one index agree on is said once. */
  readonly source?: 'bing' | 'google';
  /** What its terms ask of who uses it, in a few words, for the docs. */
  readonly terms?: string;
  /** Its limits and what it keeps of a question, for everyone who chooses engines. */
  readonly facts: EngineFacts;
}

/** What an engine keeps of a question by its own privacy terms; `unsaid` where they do not say. */
export type Retention = 'nothing' | 'question' | 'unsaid';

/** What an engine's own documents say of its use: plain sentences, as they stood on the day `checked`. */
export interface EngineFacts {
  /** How much it answers without a key, such as "1,000 questions an hour from one address". */
  readonly limits: string;
  /** What it answers at that limit, such as "429 with Retry-After". */
  readonly atLimit?: string;
  /** What a key of one's own adds, and what it costs. */
  readonly withKey?: string;
  readonly keeps: Retention;
  /** What is kept of a question and for how long. */
  readonly privacy: string;
  /** Addresses of the documents that say all this. */
  readonly sources: readonly string[];
  /** The day on which these were read: `2026-11-27`. */
  readonly checked: string;
}

/** A page of the engine's site that a visitor sees before the results, with what its next request has to carry. */
export interface FirstVisit {
  /** Undefined where this query needs no visit. */
  request(query: SearchQuery): EngineRequest | undefined;
  /** The token in the page's body. EngineError for a captcha, and for a page without one. */
  read(body: string): string;
  /** Milliseconds for which the token serves every question; 0 for a token of this one question. */
  readonly lifetime: number;
}

/** How an engine is reached; each engine's factory takes this. */
export interface EngineOptions {
  /** Base address in place of the engine's own, without a last slash: a mirror, an own instance, a test's server. */
  readonly baseUrl?: string;
  /** The account's key, where `about.needsKey`, or where a key raises the limits. */
  readonly key?: string;
  /** The operator's e-mail address, for APIs that ask who calls them. */
  readonly contact?: string;
}

/**
 * A search engine is two pure functions; network, deadline, cookies, suspension and merging are the caller's.
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
  /** Milliseconds that the body of an answer with 429 or one of `pauses` names as the time to wait; 0 where it names none. */
  readWait?(body: string): number;
  /** Statuses besides 200 and 202 whose body `parse` reads: those of an API that words its own refusals. */
  readonly worded?: readonly number[];
  /** Asked for its token before the question where that has none. */
  readonly visit?: FirstVisit;
  /** Cookies that its answers and redirects set go out with the next requests, as from a browser. */
  readonly cookies?: true;
  /** Asked over HTTP/2 where its server speaks it, as by a browser. */
  readonly http2?: true;
  /** `token` is what `visit` has read; empty without one. */
  request(query: SearchQuery, token?: string): EngineRequest;
  /** The body of an answer with status 200, 202 or one of `worded`, decoded as UTF-8. */
  parse(body: string, query: SearchQuery): SearchHit[];
}

/**
 * What kind of refusal an engine's answer is: a proof of being human, too many requests, markup that no longer fits,
 * results that have nothing to do with the question, or any other refusal.
 */
export type Refusal = 'captcha' | 'rate_limited' | 'changed' | 'unrelated' | 'refused';

/** Why an engine's answer could not be used; the caller decides how long to leave it alone. */
export class EngineError extends Error {
  readonly kind: Refusal;
  /** Milliseconds for which the engine says that it will not answer; 0 where it names no time. */
  readonly wait: number;

  constructor(kind: EngineError['kind'], message: string, wait = 0) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
    this.wait = wait;
  }
}
