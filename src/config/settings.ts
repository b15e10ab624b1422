import { resolve } from 'node:path';
import { z } from 'zod';
import { ACCESS_SCOPES } from '../caller.ts';
import { isAllowEntry } from '../lib/network/address.ts';
import {
  addPostgresHost,
  isPostgresAddress,
  POSTGRES_ADDRESS_FORMAT,
} from '../lib/network/postgres-address.ts';
import { LOG_LEVELS } from '../log.ts';
import { AUTOMATION_SETTINGS } from './automation-settings.ts';
import { BLOB_SETTINGS } from './blob-settings.ts';
import { KNOWLEDGE_SETTINGS } from './knowledge-settings.ts';
import { MONITOR_SETTINGS } from './monitor-settings.ts';
import { SECURITY_SETTINGS } from './security-settings.ts';
import {
  listSetting,
  namesSetting,
  optionalUrlSetting,
  type Setting,
  secretSetting,
  switchSetting,
  wholeNumberSetting,
} from './setting.ts';

const engineKey = (env: string, service: string, engine: string) => ({
  ...secretSetting(env),
  about: `Key for ${service}; the engine \`${engine}\` is asked when it is set.`,
});
const optionalKey = (env: string, service: string, engine: string) => ({
  ...secretSetting(env),
  about: `Key for ${service}, which raises the limits of the engine \`${engine}\`.`,
});
/** URL of an issuer. It is compared character by character, so it is not normalized. */
const issuerUrl = z.url({ protocol: /^https?$/ }).refine((url) => !/[?#@]/.test(url));

export const SETTINGS = {
  host: {
    env: 'MAGPIE_HOST',
    schema: z.string().min(1).default('127.0.0.1'),
    takes: 'an address or host name to listen on',
    about: 'Address that `serve` listens on.',
  },
  port: {
    ...wholeNumberSetting('MAGPIE_PORT', 0, 65535, 8787),
    about: 'Port of `serve`; 0 takes any free one and prints it.',
  },
  data: {
    env: 'MAGPIE_DATA',
    schema: z
      .string()
      .min(1)
      .transform((folder) => resolve(folder))
      .optional(),
    takes: 'the path of a folder',
    about: "Data folder. Default: the operating system's place for application data.",
  },
  database: {
    env: 'DATABASE_URL',
    schema: z
      .string()
      .transform(addPostgresHost)
      .refine((address) => address === 'sqlite:' || isPostgresAddress(address))
      .default('sqlite:'),
    takes: `sqlite: or ${POSTGRES_ADDRESS_FORMAT}`,
    holdsPassword: true,
    about:
      'Database that holds everything durable: `sqlite:` is the one in the data folder, `postgres://` a PostgreSQL 16 or newer, which several nodes share.',
  },
  ...BLOB_SETTINGS,
  user: {
    env: 'MAGPIE_USER',
    schema: z.string().min(1).max(200).optional(),
    takes: 'a name of 1 to 200 characters',
    about:
      "Name of the one local user of stdio, the CLI and an open server. Default: the operating system's.",
  },
  publicUrl: {
    ...optionalUrlSetting('MAGPIE_PUBLIC_URL'),
    about:
      'Address under which others reach the server; its host joins the accepted Host and Origin headers.',
  },
  proxies: {
    env: 'MAGPIE_PROXIES',
    schema: z.array(z.string().refine((entry) => entry.includes('/') && isAllowEntry(entry))).default([]),
    takes: 'CIDRs such as 10.0.0.0/8 or 127.0.0.1/32, separated by commas',
    about:
      'Reverse proxies in front of the server: from them the address of a client is taken out of X-Forwarded-For.',
  },
  corsOrigins: {
    ...listSetting('MAGPIE_CORS_ORIGINS', 'origins such as https://app.example, separated by commas'),
    about: 'Web origins that may call the server from a browser.',
  },
  oauth: {
    env: 'MAGPIE_OAUTH',
    schema: z.enum(['off', 'builtin']).default('off'),
    takes: 'builtin or off',
    about:
      'With `builtin` assistants that take no key, such as claude.ai and ChatGPT, sign in at Magpie itself (OAuth): their user allows it with a key on a page of Magpie. Needs an https address in `MAGPIE_PUBLIC_URL`.',
  },
  oauthIssuer: {
    env: 'MAGPIE_OAUTH_ISSUER',
    schema: issuerUrl.optional(),
    takes: 'an http or https URL without query, as the authorization server writes it in its metadata',
    about:
      'Authorization server whose JWT access tokens are taken besides keys; may be on a private network.',
  },
  oauthAudience: {
    env: 'MAGPIE_OAUTH_AUDIENCE',
    schema: z.string().trim().min(1).max(1000).optional(),
    takes: 'a text of 1 to 1000 characters',
    about: "What `aud` of those tokens has to name. Default: the server's public address and `/mcp`.",
  },
  oidcClientId: {
    env: 'MAGPIE_OIDC_CLIENT_ID',
    schema: z.string().trim().min(1).max(500).optional(),
    takes: 'a text of 1 to 500 characters',
    about:
      'Id that `MAGPIE_OAUTH_ISSUER` gave to Magpie as a client of OpenID Connect; people then sign in there to open the console.',
  },
  oidcClientSecret: {
    ...secretSetting('MAGPIE_OIDC_CLIENT_SECRET'),
    about: 'Secret of that client; none where it is a public client.',
  },
  oidcScopes: {
    ...namesSetting('MAGPIE_OIDC_SCOPES', ACCESS_SCOPES),
    about:
      'What everyone who signs in there may do, for an issuer that cannot grant these scopes itself. Default: the scopes of these names that it grants each person.',
  },
  rateRequests: {
    ...wholeNumberSetting('MAGPIE_RATE_REQUESTS', 0, 10_000_000, 3000),
    about:
      'Most requests a minute with one key or access token; a user may make four times as many with all keys, and so may an address without a valid key. A request counts as one more for each 100 kB and each 1,000 members of its body, and for the processor time that pages, files, scans and embedding take, the more the more memory they need: half of the processors for a minute use the limit up, or a quarter of them with 250 MB each. 0 sets no limit, here and below; an open server has none.',
  },
  rateConcurrent: {
    ...wholeNumberSetting('MAGPIE_RATE_CONCURRENT', 0, 100_000, 64),
    about: 'Most calls at once with one key; four times as many for one user.',
  },
  dayFetches: {
    ...wholeNumberSetting('MAGPIE_DAY_FETCHES', 0, 1_000_000_000, 50_000),
    about: 'Most calls a day (in UTC) with one key that fetch from the web; four times as many for one user.',
  },
  dayInserts: {
    ...wholeNumberSetting('MAGPIE_DAY_INSERTS', 0, 1_000_000_000, 100_000),
    about: 'Most calls a day with one key that store something; four times as many for one user.',
  },
  storedBytes: {
    ...wholeNumberSetting('MAGPIE_STORED_BYTES', 0, 1_000_000_000_000_000, 10_000_000_000),
    about: 'Most bytes of knowledge base and uploaded files of one user, for calls with a key.',
  },
  usageDays: {
    ...wholeNumberSetting('MAGPIE_USAGE_DAYS', 1, 3650, 90),
    about:
      'Days for which it is kept who called what with a key, when and from where; never what was asked or answered.',
  },
  alertWebhook: {
    env: 'MAGPIE_ALERT_WEBHOOK',
    schema: z.url({ protocol: /^https?$/ }).optional(),
    takes: 'an http or https URL',
    about:
      'Address that alerts about keys are posted to as JSON (bursts of refusals, a new network, use after rotation, age); may be on a private network.',
    secret: true,
  },
  toolsets: {
    ...namesSetting('MAGPIE_TOOLSETS', [
      'web',
      'knowledge',
      'documents',
      'automation',
      'security',
      'essential',
    ]),
    about:
      'Tools that MCP clients see; all when empty. `essential` keeps one name a family, and what undoes it.',
  },
  tools: {
    ...listSetting('MAGPIE_TOOLS', 'names of tools, separated by commas'),
    about: 'Tools that MCP clients see besides those of the toolsets; without toolsets only these.',
  },
  readOnly: {
    ...switchSetting('MAGPIE_READ_ONLY', false),
    about: 'Offers only operations that change nothing, on every surface.',
  },
  engines: {
    ...listSetting('MAGPIE_ENGINES', 'engine names, separated by commas'),
    about:
      'Search engines to ask. Default: tavily, exa, firecrawl, keenable, parallel, wikipedia, hackernews, stackexchange, arxiv, github, google-news, gdelt, wikidata, wiktionary, dictionary, openalex, semantic-scholar, pubmed, crossref, npm, pypi, crates, mdn, openstreetmap, duckduckgo, brave, yahoo, bing and local, and those whose key or address is set, chosen by what a question is about; named engines are asked every question. Also anysearch, startpage, yandex and baidu.',
  },
  searchPrivacy: {
    env: 'MAGPIE_SEARCH_PRIVACY',
    schema: z.enum(['any', 'keeps-nothing', 'own']).default('any'),
    takes: 'any, keeps-nothing or own',
    about:
      'Which engines may get a question: `any`; `keeps-nothing`, those whose own terms say that they keep nothing of it, and your own; or `own`, which are searxng, yacy and local. docs/engines.md says what each keeps.',
  },
  engineUrls: {
    ...listSetting('MAGPIE_ENGINE_URLS', 'name=URL pairs, separated by commas'),
    about: 'Other base addresses for engines, such as a mirror: `wikipedia=https://de.wikipedia.org`.',
  },
  contact: {
    env: 'MAGPIE_CONTACT',
    schema: z.email().max(200).optional(),
    takes: 'an e-mail address',
    about:
      'Who runs this Magpie: sent to OpenAlex, Crossref, PubMed and Nominatim, which ask for it and then answer sooner.',
  },
  searxngUrl: {
    ...optionalUrlSetting('MAGPIE_SEARXNG_URL'),
    about: 'Base address of a SearXNG instance with its JSON format enabled; may be on a private network.',
  },
  yacyUrl: {
    ...optionalUrlSetting('MAGPIE_YACY_URL'),
    about: 'Base address of a YaCy peer; may be on a private network.',
  },
  braveKey: engineKey('BRAVE_API_KEY', 'Brave Search API', 'brave-api'),
  tavilyKey: optionalKey('TAVILY_API_KEY', 'Tavily', 'tavily'),
  exaKey: optionalKey('EXA_API_KEY', 'Exa', 'exa'),
  serperKey: engineKey('SERPER_API_KEY', 'Serper', 'serper'),
  kagiKey: engineKey('KAGI_API_KEY', 'Kagi', 'kagi'),
  jinaKey: engineKey('JINA_API_KEY', 'Jina', 'jina'),
  perplexityKey: engineKey('PERPLEXITY_API_KEY', 'Perplexity', 'perplexity'),
  marginaliaKey: engineKey('MARGINALIA_API_KEY', 'Marginalia', 'marginalia'),
  firecrawlKey: optionalKey('FIRECRAWL_API_KEY', 'Firecrawl', 'firecrawl'),
  keenableKey: optionalKey('KEENABLE_API_KEY', 'Keenable', 'keenable'),
  parallelKey: optionalKey('PARALLEL_API_KEY', 'Parallel', 'parallel'),
  anysearchKey: {
    ...optionalKey('ANYSEARCH_API_KEY', 'AnySearch', 'anysearch'),
    about:
      'Key for AnySearch; the engine `anysearch` is asked when it is set, and without it when it is named.',
  },
  openalexKey: optionalKey('OPENALEX_API_KEY', 'OpenAlex', 'openalex'),
  allowHosts: {
    env: 'MAGPIE_ALLOW_HOSTS',
    schema: z.array(z.string().refine(isAllowEntry)).default([]),
    takes: 'hosts, host:port or CIDRs such as wiki.home:8080 or 10.0.0.0/8, separated by commas',
    about: 'Addresses besides public ones that pages may be fetched from.',
  },
  localIndex: {
    ...switchSetting('MAGPIE_LOCAL_INDEX', true),
    about: 'Keeps the pages each user has read, so that the `local` engine can find them again.',
  },
  localPages: {
    ...wholeNumberSetting('MAGPIE_LOCAL_PAGES', 1, 10_000_000, 100_000),
    about: 'Most pages kept for one user; the oldest are dropped.',
  },
  localBytes: {
    ...wholeNumberSetting('MAGPIE_LOCAL_BYTES', 1_000_000, 1_000_000_000_000, 2_000_000_000),
    about:
      'Most bytes of text kept for one user; the oldest pages are dropped. Earlier versions of pages may take a quarter of it more. The disk takes about as much.',
  },
  diskReserve: {
    ...switchSetting('MAGPIE_DISK_RESERVE', true),
    about:
      'Sets 8 MB of the disk aside in the data folder, so that something can be deleted once the disk is full.',
  },
  searchTimeout: {
    ...wholeNumberSetting('MAGPIE_SEARCH_TIMEOUT', 100, 60_000, 4000),
    about:
      'Milliseconds that the engines have together; result pages that are asked once more in a browser have as many.',
  },
  pageTimeout: {
    ...wholeNumberSetting('MAGPIE_PAGE_TIMEOUT', 100, 120_000, 15_000),
    about: 'Milliseconds that fetching one page may take.',
  },
  pageBytes: {
    ...wholeNumberSetting('MAGPIE_PAGE_BYTES', 1000, 200_000_000, 10_000_000),
    about: 'Most bytes of one fetched page, unpacked.',
  },
  cacheBytes: {
    ...wholeNumberSetting('MAGPIE_CACHE_BYTES', 0, 1_000_000_000_000, 256_000_000),
    about:
      'Most bytes of pages kept on disk by the rules of HTTP caching, for each user apart, in `cache.sqlite`; 0 keeps none.',
  },
  siteRequests: {
    ...wholeNumberSetting('MAGPIE_SITE_REQUESTS', 1, 256, 6),
    about: 'Most requests at once to one site, over all users; the others wait their turn.',
  },
  readerBytes: {
    env: 'MAGPIE_READER_BYTES',
    schema: z.int().min(150_000_000).max(1_000_000_000_000).optional(),
    takes: 'a whole number from 150000000 to 1000000000000',
    about:
      'Most bytes of memory of one of the processes that read pages and files; there are 4 to 9 of them, one more than there are processor cores where the memory is there. Default: their share of 60% of the memory of the machine or container, from 220 MB to 1 GB.',
  },
  documentBytes: {
    ...wholeNumberSetting('MAGPIE_DOCUMENT_BYTES', 1000, 2_000_000_000, 100_000_000),
    about: 'Most bytes of one uploaded file.',
  },
  pdfPassword: {
    env: 'MAGPIE_PDF_PASSWORD',
    schema: z.string().min(1).max(500).optional(),
    takes: 'a password',
    secret: true,
    about:
      'Password of the encrypted PDF files that `magpie upload`, `magpie kb import`, `magpie kb sync` and `path` of `upsert` read; `magpie upload` asks for it without.',
  },
  documentQuota: {
    ...wholeNumberSetting('MAGPIE_DOCUMENT_QUOTA', 1000, 1_000_000_000_000, 2_000_000_000),
    about: 'Most bytes of all uploaded files of one user.',
  },
  ocr: {
    env: 'MAGPIE_OCR',
    schema: z
      .string()
      .trim()
      .regex(/^[a-z]{3}(?:_[a-z]{2,8}){0,2}$/)
      .default('off'),
    takes: 'off, or the code of a language as Tesseract has it, such as eng',
    about:
      'Language that uploaded pictures, and pages of PDF files which are pictures, as scanned ones are, are read in by OCR; `off` refuses files without text. Takes the packages `tesseract.js`, `@tesseract.js-data/eng` (or another language) and `@embedpdf/pdfium`, and some seconds a page.',
  },
  browser: {
    env: 'MAGPIE_BROWSER',
    schema: z.string().trim().min(1).max(1000).default('off'),
    takes: 'off, auto, or the path of a Chromium or Chrome',
    about:
      'Browser that runs the scripts of pages which show nothing without them, and asks search engines that refuse a program: such a question goes to their site through this browser of yours, in a window of its own without your cookies and logins. `auto` searches the usual places. Takes the package `playwright-core`.',
  },
  ...KNOWLEDGE_SETTINGS,
  ...SECURITY_SETTINGS,
  ...MONITOR_SETTINGS,
  ...AUTOMATION_SETTINGS,
  callTimeout: {
    ...wholeNumberSetting('MAGPIE_CALL_TIMEOUT', 100, 3_600_000, 60_000),
    about: 'Milliseconds that one call may take.',
  },
  saveAdvice: {
    ...switchSetting('MAGPIE_SAVE_ADVICE', true),
    about:
      'Answers of searches and pages advise assistants to save their previous answer to the knowledge base before each response, ' +
      "as the service's interface asks; false leaves that to the assistant and its user.",
  },
  responseBytes: {
    ...wholeNumberSetting('MAGPIE_RESPONSE_BYTES', 1000, 200_000_000, 4_000_000),
    about: 'Most bytes of one answer; beyond it the answer is 413 `ResponseTooLarge`.',
  },
  logLevel: {
    env: 'MAGPIE_LOG_LEVEL',
    schema: z.enum(LOG_LEVELS).default('info'),
    takes: `one of ${LOG_LEVELS.join(', ')}`,
    about: 'Least severe entry that is logged; lines of JSON on stderr.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
