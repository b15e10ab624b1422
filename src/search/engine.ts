import type { TimeRange } from '../lib/time/date-range.ts';
import engines from './answers/engine-facts.json' with { type: 'json' };

/** A search as an engine receives it. Engines ignore filters that they do not support. */
export interface SearchQuery {
  readonly text: string;
  /** Number of hits wanted, 1 to 10. */
  readonly limit: number;
  /** Language of the pages as ISO 639-1 code, for example `de`. */
  readonly language?: string;
  /** Country whose pages come first, as ISO 3166-1 alpha-2 code in capitals, for example `AT`. */
  readonly region?: string;
  readonly timeRange?: TimeRange;
  /** Hosts to search, with their subdomains. In lower case, without `www.`, for example `nodejs.org`. */
  readonly site?: readonly string[];
  readonly excludeSite?: readonly string[];
  /** Kind of the results. Default: guessed from the words of the question. */
  readonly category?: SearchCategory;
  /** Number of the result page, from 1. Engines that offer fewer pages are not asked. */
  readonly page?: number;
}

export interface SearchHit {
  readonly title: string;
  /** Absolute http(s) URL. */
  readonly url: string;
  readonly snippet: string;
  readonly text?: string;
  /** Milliseconds since 1970. */
  readonly published?: number;
  /** Host of the page, if `url` is only a redirect address of the search engine. */
  readonly host?: string;
  readonly author?: string;
  readonly site?: string;
  /** Absolute http(s) URL of an image. In the category `images`, `url` is the page with the image. */
  readonly image?: string;
}

export interface EngineRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Engines in `general` suit questions of any kind, other engines only questions of their category. */
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
export type SearchCategory = (typeof CATEGORIES)[number];
export type SearchTopic = Exclude<SearchCategory, 'images'>;
/** Filters that an engine can support. `sites` means that `site` may name several hosts. */
export type QueryFilter = 'language' | 'region' | 'timeRange' | 'site' | 'sites' | 'excludeSite';

export interface EngineDescription {
  readonly title: string;
  readonly website: string;
  readonly needsKey?: true;
  readonly categories: readonly SearchCategory[];
  readonly takes: readonly QueryFilter[];
  /** Number of result pages that the engine offers. Default: 1. */
  readonly pages?: number;
  /** Minimum time between two requests in milliseconds. 0 means no limit. */
  readonly pace: number;
  /** True if Magpie reads the engine's HTML pages instead of an API. */
  readonly resultPage?: true;
  /** True if the user runs the engine. A search then always asks it at once, not only as a reserve. */
  readonly own?: true;
  /** True if the engine often refuses programs. Other result pages are then asked first. */
  readonly lastResort?: true;
  /** Search index that the engine uses. In the ranking, a second engine with the same index counts less. */
  readonly source?: 'bing' | 'google';
  readonly terms?: string;
  readonly facts: EngineFacts;
}

/** What an engine stores: nothing, the question, or `unsaid` if its privacy terms are silent. */
export type QueryRetention = 'nothing' | 'question' | 'unsaid';

/** Facts in plain sentences from an engine's own documents, as of the date `checked`. */
export interface EngineFacts {
  readonly limits: string;
  readonly atLimit?: string;
  readonly withKey?: string;
  readonly keeps: QueryRetention;
  readonly privacy: string;
  readonly sources: readonly string[];
  readonly checked: string;
}

/** A page that is fetched before the search, because it contains a token for the request. */
export interface FirstVisit {
  request(query: SearchQuery): EngineRequest | undefined;
  /** Reads the token from the page. Throws EngineError for a captcha or a page without token. */
  read(body: string): string;
  /** Milliseconds for which the token is valid for all questions. 0 if it is valid for a single question. */
  readonly lifetime: number;
}

export interface EngineOptions {
  /** Base address of a mirror or a test server, without a final slash. */
  readonly baseUrl?: string;
  /** API key, required if `about.needsKey` is set. A key often raises the limits of other engines. */
  readonly key?: string;
  /** E-mail address of the operator, for APIs that require contact details of the caller. */
  readonly contact?: string;
}

/** A search engine as two pure functions: `request` creates the request, `parse` reads the answer. */
export interface SearchEngine {
  readonly name: string;
  readonly about: EngineDescription;
  readonly refusals?: Readonly<Record<number, string>>;
  /** Further HTTP statuses, besides 429, by which the engine refuses requests for a while. */
  readonly pauses?: readonly number[];
  /** Returns the wait in milliseconds that the body of a refusal names, or 0. */
  readWait?(body: string): number;
  readonly worded?: readonly number[];
  readonly visit?: FirstVisit;
  readonly cookies?: true;
  readonly http2?: true;
  request(query: SearchQuery, token?: string): EngineRequest;
  /** Returns the hits of an answer, or [] if nothing was found. Throws EngineError for an unusable body. */
  parse(body: string, query: SearchQuery): SearchHit[];
}

export type EngineFactory = (options?: EngineOptions) => SearchEngine;

export type RefusalKind = 'captcha' | 'rate_limited' | 'changed' | 'unrelated' | 'refused';

export class EngineError extends Error {
  readonly kind: RefusalKind;
  /** Milliseconds until the engine may answer again, or 0 if the time is unknown. */
  readonly wait: number;

  constructor(kind: EngineError['kind'], message: string, wait = 0) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
    this.wait = wait;
  }
}

export function describeEngine(
  name: keyof typeof engines,
  more: Partial<EngineDescription> = {},
): Pick<SearchEngine, 'name' | 'about'> {
  return { name, about: { ...(engines[name] as EngineDescription), ...more } };
}
