import type { Citation } from '../connector/citation.ts';

export interface SearchItem {
  title: string;
  link: string;
  summary?: string;
  full_content?: string;
  snippet?: string;
  /** Passages that answer the question, best first, each with the heading of its section. */
  highlights?: { text: string; section?: string }[];
  copies?: string[];
  part?: number;
  parts?: number;
  section?: string;
  /** Headings of a text in parts. A section can be requested by its `number`. */
  outline?: { number: number; level: number; title: string; part: number }[];
  links?: { title: string; url: string; lastModified?: string }[];
  linkCount?: number;
  author?: string;
  published?: string;
  language?: string;
  site?: string;
  canonical?: string;
  image?: string;
  next?: string;
  /** Changes since an earlier version, which was read at `since` (ISO 8601). */
  changes?: {
    since: string;
    added: number;
    removed: number;
    changed: number;
    list: { kind: 'added' | 'removed' | 'changed'; section?: string; text: string; before?: string }[];
  };
  /** State of a site's crawl. Times are ISO 8601. */
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
  data?: unknown;
  shortened?: string;
  reduced?: string;
  citation?: Citation;
  weak?: boolean;
  replaces?: string[];
  supersededBy?: string;
  error?: string;
}

export interface EngineStatus {
  name: string;
  ok: boolean;
  reason?: string;
  ms: number;
}

export interface SearchBody {
  results: SearchItem[];
  rules: string;
  engines?: EngineStatus[];
  /** Set if most search engines failed, or if only one engine had results, which `alone` names. */
  fewAnswered?: { failed: number; asked: number; alone?: string };
  /** Reason of each failed search, followed by remedies, one per line. */
  failures?: { web?: string; notes?: string };
  /** Set if no entry of the knowledge base is close to the question. */
  note?: string;
}
