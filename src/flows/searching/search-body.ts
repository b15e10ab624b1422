/** The contract's search response body, as the flows compose it. */

import type { Citation } from '../connector/citation.ts';

/** One result: a page, a part of a page, or a match of the knowledge base. */
export interface SearchItem {
  title: string;
  link: string;
  summary?: string;
  /** Markdown. */
  full_content?: string;
  /** The search engine's own extract. */
  snippet?: string;
  /** The passages that answer the question, best first, each with the heading that it stands under. */
  highlights?: { text: string; section?: string }[];
  /** Addresses of pages with the same text, which stand in this one's place. */
  copies?: string[];
  part?: number;
  parts?: number;
  /** The heading of the section that was asked for. */
  section?: string;
  /** Headings of a text in several parts; a number names a section. */
  outline?: { number: number; level: number; title: string; part: number }[];
  links?: { title: string; url: string; lastModified?: string }[];
  /** How many links there are in all. */
  linkCount?: number;
  author?: string;
  published?: string;
  language?: string;
  site?: string;
  canonical?: string;
  /** Address of the picture that the page shows. */
  image?: string;
  /** The next page, post or chapter, as the page names it. */
  next?: string;
  /** What has changed on the page, with when the earlier version was read (ISO 8601). */
  changes?: {
    since: string;
    added: number;
    removed: number;
    changed: number;
    list: { kind: 'added' | 'removed' | 'changed'; section?: string; text: string; before?: string }[];
  };
  /** A crawl of the site into the local index; times are ISO 8601. */
  crawl?: {
    state: 'running' | 'interrupted' | 'finished' | 'limit' | 'stopped' | 'failed';
    depth?: number;
    indexed: number;
    unchanged: number;
    forgotten: number;
    failed: number;
    skipped: Record<string, number>;
    failures: { url: string; why: string }[];
    waiting: number;
    started: string;
    ended?: string;
    bound?: 'pages' | 'bytes' | 'time';
    why?: string;
  };
  /** What the page has of what a schema asked for. */
  data?: unknown;
  /** What is left out of a text for the length of the answer, and how it is read. */
  shortened?: string;
  /** In what way less was read than the page has; the same page always comes the same way. */
  reduced?: string;
  /** Of a match of the knowledge base. */
  citation?: Citation;
  /** Of such a match: it has little to do with the question. */
  weak?: boolean;
  /** Why this page could not be read. */
  error?: string;
}

/** How one engine answered; `ms` are milliseconds. */
export interface EngineReport {
  name: string;
  ok: boolean;
  reason?: string;
  ms: number;
}

export interface SearchBody {
  results: SearchItem[];
  rules: string;
  engines?: EngineReport[];
  /** Most of the search engines that were asked refused or did not answer, or all but one (`alone`) of those with pages. */
  fewAnswered?: { failed: number; asked: number; alone?: string };
  /** What could not be searched, and why: what happened, then a line for each thing to do. */
  failures?: { web?: string; notes?: string };
}
