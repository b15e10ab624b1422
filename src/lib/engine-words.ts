/** What is said of a search engine to a person, at the terminal and in the console. */

/** Kinds of refusal. */
const REFUSALS: Readonly<Record<string, string>> = {
  captcha: 'captcha',
  rate_limited: 'limit reached',
  changed: 'changed answer',
  refused: 'refused',
  slow: 'too slow',
  network: 'not reached',
  nothing: 'found nothing',
};

/** The kind of a refusal in a word or two; `no answer` where none is known. */
export function refusalWords(kind: string | undefined): string {
  return REFUSALS[kind ?? ''] ?? 'no answer';
}

/** What is told of an engine's maker. */
interface Asked {
  readonly title: string;
  readonly host: string;
  readonly access: 'official' | 'page';
  readonly keeps?: 'nothing' | 'question' | 'unsaid';
  readonly limits?: string;
}

export function accessWords({ access }: Pick<Asked, 'access'>): string {
  return access === 'page' ? 'Its result page for browsers is read.' : 'It has an interface for programs.';
}

const KEEPS = {
  nothing: 'says that it keeps nothing of it',
  question: 'says that it keeps it',
  unsaid: 'does not say what it keeps of it',
} as const;

/** `Tavily (api.tavily.com) gets the question and says that it keeps it.` */
export function receiverWords({ title, host, keeps = 'unsaid' }: Asked): string {
  return `${title}${host && ` (${host})`} gets the question and ${KEEPS[keeps]}.`;
}
