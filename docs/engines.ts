import type { Config } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';
import type { EngineDescription, QueryRetention } from '../src/search/engine.ts';
import { ENGINES } from '../src/wiring/engines.ts';

/** What the documents say about the search engines, from the list of src/wiring/engines.ts. */

export interface ListedEngine {
  readonly name: string;
  readonly about: EngineDescription;
  /** Asked when nothing is configured. */
  readonly standard: boolean;
  /** The setting that holds its key or address. */
  readonly setting?: keyof Config & keyof typeof SETTINGS;
  /** It can be asked while that is not set. */
  readonly settingIsOptional: boolean;
  /** It is the operator's own. */
  readonly isOwn: boolean;
}

/** Every engine of the list, loaded. */
export function loadEngines(): Promise<ListedEngine[]> {
  return Promise.all(
    Object.entries(ENGINES).map(
      async ([name, { load, standard = false, key, url, keyIsOptional = false }]) => {
        const { about } = (await load())({ baseUrl: url && 'https://engine.example' });
        const setting = key ?? url;
        const settingIsOptional = keyIsOptional || !setting;
        return { name, about, standard, setting, settingIsOptional, isOwn: url !== undefined };
      },
    ),
  );
}

/** The bullets of docs/searching.md on engines and keys. */
export function engineBullets(engines: readonly ListedEngine[]): string {
  const free = engines.filter(({ standard }) => standard);
  const general = free.filter(({ about }) => about.categories.includes('general'));
  const titles = (pages: boolean) =>
    listed(
      general.filter(({ about }) => (about.resultPage ?? false) === pages).map(({ about }) => about.title),
    );
  const keys = (optional: boolean) =>
    engines
      .filter(({ setting, settingIsOptional, isOwn }) => setting && !isOwn && settingIsOptional === optional)
      .flatMap(({ setting }) => (setting ? [env(setting)] : []));
  return [
    `- **Engines.** Without a key a question goes to ${titles(false)}, which answer programs, to those of ` +
      `${free.length - general.length} services for news, code, packages, papers, places and definitions that fit it, ` +
      `and to result pages: ${titles(true)}. Any three may fail: what refuses rests, and another takes its place. No ` +
      'network was there to try them live: `magpie engines test` shows who answers you. What each one limits and ' +
      'keeps, and what to do when they refuse: [engines.md](engines.md).',
    '- **Privacy.** `MAGPIE_SEARCH_PRIVACY=keeps-nothing` asks only those whose own terms say that they keep nothing of ' +
      'a question, `own` only your SearXNG, your YaCy and the pages kept here; `MAGPIE_ENGINES` names single ones.',
    `- **Keys.** ${keys(false).join(', ')}: each one that is set adds its engine. ${keys(true).join(', ')}: each raises ` +
      'the limits of one that is asked without it too.',
  ]
    .map(wrapped)
    .join('\n');
}

/** docs/engines.md: one line an engine. */
export function engineTable(engines: readonly ListedEngine[]): string {
  return table(
    ['name', 'engine', 'read as', 'good for', 'filters', 'pages', 'asked', 'pause between requests'],
    engines.map(({ name, about, standard, setting, settingIsOptional }) => [
      `\`${name}\``,
      `[${about.title}](${about.website})`,
      about.resultPage ? 'page' : 'official API',
      about.categories.join(', '),
      about.takes.join(', '),
      `${about.pages ?? 1}`,
      [
        standard ? 'by default' : '',
        !standard && setting ? `with ${env(setting)}` : '',
        !standard && settingIsOptional ? 'when named' : '',
      ]
        .filter(Boolean)
        .join(' or '),
      about.pace > 0 ? `${about.pace / 1000} s` : '',
    ]),
  );
}

/** docs/engines.md: how much each engine answers, and what raises it. */
export function limitTable(engines: readonly ListedEngine[]): string {
  return table(
    ['name', 'limit without a key', 'at the limit it answers', 'with a key', 'terms'],
    engines.map(({ name, about, setting, isOwn }) => [
      `\`${name}\``,
      about.facts.limits,
      about.facts.atLimit ?? '',
      [setting && !isOwn ? `${env(setting)}.` : '', about.facts.withKey ?? ''].filter(Boolean).join(' '),
      about.terms ?? '',
    ]),
  );
}

const KEPT: Readonly<Record<QueryRetention, string>> = {
  nothing: '**nothing**',
  question: 'yes',
  unsaid: 'not known',
};

/** docs/engines.md: what becomes of a question. */
export function privacyTable(engines: readonly ListedEngine[]): string {
  return table(
    ['name', 'keeps the question', 'what is kept', 'sources', 'as of'],
    engines.map(({ name, about: { facts }, isOwn }) => [
      `\`${name}\``,
      isOwn ? '**yours**' : KEPT[facts.keeps],
      facts.privacy,
      facts.sources.map((source, i) => `[${i + 1}](${source})`).join(' '),
      facts.checked,
    ]),
  );
}

/** The whole of docs/engines.md below its first lines. */
export function engineDocument(engines: readonly ListedEngine[]): string {
  return [
    engineTable(engines),
    ORDER,
    `## Limits\n\n${limitTable(engines)}`,
    `## Who gets the question, and what it keeps\n\n${PRIVACY}\n\n${privacyTable(engines)}`,
    NOTES,
  ].join('\n\n');
}

const ORDER = `## In which order they are asked

1. An own SearXNG or YaCy whose address is set, and \`local\`, the pages that were read or indexed here.
2. Services that officially answer programs ("official API"): those whose key is set and, without a key, the general ones
   (\`tavily\`, \`exa\`, \`firecrawl\`, \`keenable\`, \`parallel\`, \`wikipedia\`). A search asks three of them, those whose turn
   is soonest, and the services of one field that fit the question. The others are in reserve.
3. Result pages ("page") come after the services in that reserve. A search takes from it for each engine that fails or is
   late, and where the answers are too few. With fewer than two services free it asks five pages at once. Pages get the
   headers of a current browser, with the cookies that they set (in memory, an hour at most) and the code of their start
   page where they want one, over HTTP/2 where they speak it. [engine-requests.md](engine-requests.md) compares each
   request with those of SearXNG and ddgs.
4. The browser of this machine opens two result pages at most where all of them have refused and \`MAGPIE_BROWSER\` is on.

An engine that answers 403, 429, its limit, its captcha or unreadable markup is left alone for 30 s, doubled each time up to
an hour, or for as long as it says, over restarts too. The answer of a search says which did not answer, and why. Services
get \`Magpie/<version>\` with its address, and \`MAGPIE_CONTACT\` where they ask for one.

When all of them refuse, in this order:

1. The browser of this machine: start Magpie with \`MAGPIE_BROWSER=auto\`.
2. An own SearXNG: \`magpie add searxng\` prepares its settings and says the one command that starts it.
3. A key that is free for small use, and raises a limit: \`TAVILY_API_KEY\`, \`EXA_API_KEY\`, \`FIRECRAWL_API_KEY\`,
   \`KEENABLE_API_KEY\`, \`OPENALEX_API_KEY\`, \`JINA_API_KEY\`.
4. \`MAGPIE_ENGINES\` names the engines that answer you; every one that is named is asked every question.`;

const PRIVACY = `Every engine that is asked gets the words of the question and the address of this machine. \`MAGPIE_SEARCH_PRIVACY\` decides
which may be asked at all, by whatever way: \`any\` (the default); \`keeps-nothing\`, those with **nothing** in the table and
your own; \`own\`, those with **yours** and \`local\`. An engine that \`MAGPIE_ENGINES\` names and that this leaves out stops the
start. A redirect that leads from an engine to another site is not followed, so that no other site gets the question. An own
SearXNG still asks the engines of its own settings, and a YaCy peer other peers.`;

const NOTES = `## What was tried, and what was not

Magpie was built on a machine without a network. Every engine is tested against answers in the shape that its service
documents, or that its clients, SearXNG and ddgs read in 2026; **none was asked live**. The tables say what stood in stored
copies of the sources on the day named, and "was not read" where there was no copy. Terms that could not be read to the
end are those of Tavily; those of Firecrawl, Keenable, Exa and Parallel could not be read at all, but their documentation
offers the use without a key to programs in so many words. \`magpie engines test\` asks each engine once and says who answers,
how fast and why not; \`.github/workflows/engines.yml\` does so every night for maintainers. What Node cannot imitate is a
browser's TLS greeting: sites behind Cloudflare or DataDome may refuse for it.

## What was left out, and why

Each site's terms are between it and who runs Magpie; most result pages allow a person's use and no automatic one. These are
asked only when named:

- \`anysearch\`: it offers use without a key, but neither its terms nor its privacy policy could be read, who runs it is not
  said where it was read, and it passes a question on to sources that it does not name. With \`ANYSEARCH_API_KEY\` it is asked.
- \`startpage\`: since 2026 it has every program prove that it is a browser, see
  [engine-requests.md](engine-requests.md). With \`MAGPIE_SEARCH_PRIVACY=keeps-nothing\` it is asked all the same.
- \`yandex\` and \`baidu\`: questions would go to Russia or China unasked.

These are no longer there, as of 2026-11-27: Google's Programmable Search takes no new customers and
[ends on 2027-01-01](https://developers.google.com/custom-search/v1/overview); Marginalia's key \`public\` is for trying it
out, so that \`marginalia\` wants a key of your own. The result pages of Mojeek, Qwant, Ecosia and Google refuse every program
([engine-requests.md](engine-requests.md)), as of 2026-12-01.`;

/** What is wrong with the sentence of MAGPIE_ENGINES, which names the engines by hand; undefined when nothing is. */
export function engineSettingProblem(engines: readonly ListedEngine[]): string | undefined {
  const names = (of: (engine: ListedEngine) => boolean) => engines.filter(of).map(({ name }) => name);
  const parts = [
    `Default: ${names(({ standard }) => standard).join(', ')} and local, and those whose key or address is set`,
    `Also ${listed(names(({ standard, settingIsOptional }) => !standard && settingIsOptional))}.`,
  ];
  const missing = parts.filter((part) => !SETTINGS.engines.about.includes(part));
  if (missing.length === 0) return undefined;
  return `the text of MAGPIE_ENGINES in src/config/settings.ts should read: ${missing.join(' ... ')}`;
}

function env(setting: keyof typeof SETTINGS): string {
  return `\`${SETTINGS[setting].env}\``;
}

function listed(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
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
