import type { Config } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';
import type { EngineAbout } from '../src/search/engine.ts';
import { ENGINES } from '../src/wiring/engines.ts';

/** What the documents say about the search engines, from the list of src/wiring/engines.ts. */

export interface ListedEngine {
  readonly name: string;
  readonly about: EngineAbout;
  /** Asked when nothing is configured. */
  readonly standard: boolean;
  /** The setting that holds its key or address. */
  readonly setting?: keyof Config & keyof typeof SETTINGS;
}

/** Every engine of the list, loaded. */
export function loadEngines(): Promise<ListedEngine[]> {
  return Promise.all(
    Object.entries(ENGINES).map(async ([name, { load, standard = false, key, url }]) => {
      // Google's key is two in one.
      const { about } = (await load())({ key: 'id:key', baseUrl: url && 'https://engine.example' });
      return { name, about, standard, setting: key ?? url };
    }),
  );
}

/** The bullets of README on engines and keys. */
export function engineBullets(engines: readonly ListedEngine[]): string {
  const free = engines.filter(({ standard }) => standard);
  const general = free.filter(({ about }) => about.categories.includes('general'));
  const titles = general.map(({ about }) => about.title);
  const keys = engines.flatMap(({ about, setting }) => (about.needsKey && setting ? [env(setting)] : []));
  return [
    `- **Engines.** ${listed(titles)}, and ${free.length - general.length} services for news, code, packages, papers, ` +
      'places and definitions are asked without a key, as a question needs them. Any two of the pages may fail: what wants a ' +
      'captcha rests, and another takes its place. No network was there to try them live: `magpie engines test` shows ' +
      'who answers you. When they refuse: [engines.md](engines.md).',
    `- **Keys.** ${keys.join(', ')}: each one that is set adds its engine.`,
  ]
    .map(wrapped)
    .join('\n');
}

/** docs/engines.md: one line an engine. */
export function engineTable(engines: readonly ListedEngine[]): string {
  const rows = engines.map(({ name, about, standard, setting }) => {
    const asked = standard ? 'by default' : setting ? `with ${env(setting)}` : 'when named';
    const pace = about.pace > 0 ? `${about.pace / 1000} s` : '';
    const as = about.resultPage ? 'page' : 'API';
    const cells = [
      as,
      about.categories.join(', '),
      about.takes.join(', '),
      `${about.pages ?? 1}`,
      asked,
      pace,
      about.terms ?? '',
    ];
    return `| \`${name}\` | [${about.title}](${about.website}) | ${cells.join(' | ')} |`;
  });
  return [
    '| name | engine | read as | good for | filters | pages | asked | pause between requests | terms |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** docs/engines.md beside its table: what a reader must know who depends on these sites. */
export const ENGINE_NOTES = `## What was tried, and what was not

Magpie was built on a machine without a network. Every engine is tested against answers in the shape that its service
documents, or that SearXNG and ddgs read in 2026; **none was asked live**. A page can have changed since, and a site can
refuse an address that it takes for a robot's. \`magpie engines test\` asks each engine once and says who answers, how
fast and why not; \`.github/workflows/engines.yml\` does so every night for maintainers.

## Who is asked

- Of the result pages ("page") a search asks five at once, those whose turn is soonest; the others are in reserve, and
  one is asked for each that fails. Services for a category take part where the question is about it.
- An engine that answers 403, 429, its captcha or unreadable markup is left alone for 30 s, doubled each time up to an
  hour, over restarts too. The answer of a search says which did not answer, and why.
- Result pages get the headers of a current browser, with the cookies that they set (in memory, an hour at most) and the
  code of their start page where they want one (Startpage, DuckDuckGo). Services get \`Magpie/<version>\` with its address, and
  \`MAGPIE_CONTACT\` where they ask for one; ordinary sites and robots.txt get that name too.
- They are asked over HTTP/2 where they speak it. What Node cannot imitate is a browser's TLS greeting: sites behind Cloudflare or
  DataDome may refuse for it. [engine-requests.md](engine-requests.md) compares each request with SearXNG's and ddgs'.

## When engines refuse

1. An own SearXNG, in one command: \`docker run -d -p 8888:8080 -v ./searxng:/etc/searxng searxng/searxng\`; add \`json\` under
   \`search: formats:\` in \`searxng/settings.yml\`, start it again, and set \`MAGPIE_SEARXNG_URL=http://127.0.0.1:8888\`.
2. A key that is free for small use: \`TAVILY_API_KEY\`, \`EXA_API_KEY\`, \`JINA_API_KEY\` or \`GOOGLE_SEARCH_KEY\`.
3. \`MAGPIE_ENGINES\` names the engines that answer you; every one that is named is asked every question.

## Terms

Each site's terms are between it and who runs Magpie; most result pages allow a person's use and no automatic one. These
are asked only when named, and why: \`mojeek\`, \`startpage\` and \`qwant\` (since 2026 they have every program prove that it is a
browser, see [engine-requests.md](engine-requests.md)), \`google-page\` (its terms forbid automatic use, and a refusal is felt by everyone
behind the same address; it is Google's page for phones without scripts), \`ecosia\` (its guard lets hardly any program in),
\`yandex\` and \`baidu\` (questions would go to Russia or China unasked), \`marginalia\` (without a key of your own its
users share one, for trying it out and non-commercial use). Nominatim is asked at most once in 1.5 s by our own name.`;

/** What is wrong with the sentence of MAGPIE_ENGINES, which names the engines by hand; undefined when nothing is. */
export function engineSettingProblem(engines: readonly ListedEngine[]): string | undefined {
  const names = (of: (engine: ListedEngine) => boolean) => engines.filter(of).map(({ name }) => name);
  const parts = [
    `Default: ${names(({ standard }) => standard).join(', ')} and local, and those whose key or address is set`,
    `Also ${listed(names(({ standard, setting }) => !standard && !setting))}.`,
  ];
  const missing = parts.filter((part) => !SETTINGS.engines.about.includes(part));
  if (missing.length === 0) return undefined;
  return `the text of MAGPIE_ENGINES in src/config/settings.ts does not say: ${missing.join(' ... ')}`;
}

function env(setting: keyof typeof SETTINGS): string {
  return `\`${SETTINGS[setting].env}\``;
}

function listed(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}

/** Lines of at most 118 characters, those after the first under the bullet's text. */
function wrapped(bullet: string): string {
  const lines = [''];
  for (const word of bullet.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > 118) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
