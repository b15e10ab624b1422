import refusals from './engine-refusals.json' with { type: 'json' };
import { formatCount } from './text/format-count.ts';

const REFUSALS: Readonly<Record<string, string>> = refusals;

export function describeEngineRefusal(kind: string | undefined): string {
  return REFUSALS[kind ?? ''] ?? 'no answer';
}

interface EngineTerms {
  readonly title: string;
  readonly host: string;
  readonly access: 'official' | 'page';
  readonly keeps?: 'nothing' | 'question' | 'unsaid';
  readonly limits?: string;
  readonly atLimit?: string;
  readonly withKey?: string;
  readonly privacy?: string;
}

export function describeEngineAccess({ access }: Pick<EngineTerms, 'access'>): string {
  return access === 'page' ? 'Its result page for browsers is read.' : 'It has an interface for programs.';
}

const KEEPS = {
  nothing: 'It says that it keeps nothing of it.',
  question: 'It may keep it.',
  unsaid: 'What it keeps of it is not known.',
} as const;

export function describeQuestionReceiver({ title, host, keeps = 'unsaid' }: EngineTerms): string {
  return `${title}${host && ` (${host})`} gets the question. ${KEEPS[keeps]}`;
}

export function describeEngineTerms({ limits, atLimit, withKey, privacy }: EngineTerms): string[] {
  const lines = [
    ['Without a key', limits],
    ['At that limit', atLimit],
    ['With a key', withKey],
    ['What it keeps', privacy],
  ];
  return lines.flatMap(([about, words]) => (words ? [`${about}: ${words.replace(/\.$/, '')}.`] : []));
}

export function describeQuestionReceivers(
  engines: readonly { readonly about: EngineTerms & { readonly general: boolean } }[],
): string[] {
  const general = engines.filter(({ about }) => about.general);
  const titles = (access: EngineTerms['access']) =>
    general.flatMap(({ about }) => (about.access === access ? [about.title] : []));
  const [services, pages] = [titles('official'), titles('page')];
  const fields = engines.length - general.length;
  if (engines.length === 0)
    return ['A question goes to no search engine: a search finds pages that are kept on this machine.'];
  const first = services.length > 0 ? `A question goes to ${listed(services)}.` : '';
  const then =
    pages.length > 0
      ? `${first ? 'Where that is not enough, it' : 'A question'} goes to ${listed(pages)}, whose result pages are read as a browser does.`
      : '';
  const field =
    fields > 0
      ? `A question about code, papers, news or places ${general.length > 0 ? 'also goes' : 'goes'} to those of ${formatCount(fields, 'service')} that fit it.`
      : '';
  const takesKeys = general.some(({ about }) => about.withKey !== undefined);
  return [
    [first, then, field].filter(Boolean).join(' '),
    takesKeys
      ? 'Without a key all of it costs nothing and needs no account. A key of a service raises its limit: TAVILY_API_KEY is free without a card, and docs/engines.md has the others with their prices.'
      : 'All of it costs nothing and needs no account.',
    'MAGPIE_SEARCH_PRIVACY=keeps-nothing asks only engines that say that they keep nothing of a question: today Startpage alone, which often refuses programs, and a SearXNG of your own. MAGPIE_SEARCH_PRIVACY=own asks only a SearXNG or YaCy of your own and the pages that you have read.',
  ];
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
