import type { Finding } from '../../security/types.ts';
import { type McpAppHost, makeButton, makeElement } from './bridge.ts';

interface FindingPlace {
  readonly location: string;
  readonly excerpt?: string;
}
interface VulnerabilityView
  extends FindingPlace,
    Pick<
      Finding,
      'id' | 'severity' | 'title' | 'description' | 'fix' | 'cwe' | 'cvss' | 'fixedIn' | 'suppressed'
    > {
  readonly scanner: string;
  readonly also?: readonly FindingPlace[];
}
function findingItem(one: VulnerabilityView): HTMLElement {
  const facts = [
    one.id,
    one.scanner,
    ...(one.cwe ?? []),
    one.cvss ? `CVSS ${one.cvss.score}` : '',
    one.fixedIn ? `fixed in ${one.fixedIn}` : '',
  ].filter((fact) => fact !== '');
  const places: readonly FindingPlace[] = [one, ...(one.also ?? [])];
  const where = places.length === 1 ? one.location : `${places.length} places`;
  const item = makeElement(
    'details',
    'finding',
    makeElement(
      'summary',
      '',
      makeElement('span', `tag ${one.severity}`, one.severity),
      ' ',
      makeElement('bdi', 'title', one.title),
      makeElement('span', 'place', makeElement('bdi', '', where)),
    ),
    makeElement('p', '', one.description),
    ...places.flatMap(({ location, excerpt }) => [
      places.length > 1 ? makeElement('p', 'place', makeElement('bdi', '', location)) : undefined,
      excerpt ? makeElement('pre', '', excerpt) : undefined,
    ]),
    one.fix ? makeElement('p', '', makeElement('strong', '', 'To do: '), one.fix) : undefined,
    one.suppressed
      ? makeElement('p', 'quiet', `Accepted by ${one.suppressed.by}: ${one.suppressed.reason}`)
      : undefined,
    makeElement('p', 'quiet', facts.join(' · ')),
  );
  // Makes code focusable, so that the keyboard can scroll long lines.
  for (const code of item.querySelectorAll('pre')) code.setAttribute('tabindex', '0');
  return item;
}

function severityChoice(
  items: readonly { readonly severity: string; readonly item: HTMLElement }[],
  counts: Readonly<Record<string, number>>,
): Node {
  const choice = makeElement('div', 'chips');
  choice.setAttribute('role', 'group');
  choice.setAttribute('aria-label', 'Severities that are shown');
  for (const severity of ['critical', 'high', 'medium', 'low', 'info']) {
    const count = counts[severity] ?? 0;
    if (count === 0) continue;
    const button = makeButton(`${count} ${severity}`, () => {
      const shown = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(shown));
      for (const one of items) if (one.severity === severity) one.item.hidden = !shown;
    });
    button.className = `chip ${severity}`;
    button.setAttribute('aria-pressed', 'true');
    choice.append(button);
  }
  return choice;
}

export function drawFindings(data: unknown, _beside: unknown, { ask }: McpAppHost): (Node | undefined)[] {
  const scan = data as {
    readonly scan_id: string;
    readonly status: string;
    readonly repository?: string;
    readonly commit?: string;
    readonly files?: number;
    readonly progress?: string;
    readonly reason?: string;
    readonly vulnerabilities: readonly VulnerabilityView[];
    readonly next_offset?: number;
    readonly summary?: Readonly<Record<string, number>>;
    readonly gaps?: readonly { readonly what: string; readonly fix: string }[];
  };
  const { vulnerabilities = [], summary, next_offset: next, gaps = [] } = scan;
  const again = (label: string, input: Readonly<Record<string, unknown>>) =>
    ask && makeButton(label, () => void ask('getScan', { scan_id: scan.scan_id, ...input }));
  const about = [
    scan.commit ? `commit ${scan.commit.slice(0, 12)}` : '',
    scan.files === undefined ? '' : `${scan.files} files`,
    `scan ${scan.scan_id}`,
  ].filter((fact) => fact !== '');
  const head = [
    makeElement('h1', '', 'Findings'),
    makeElement('p', 'quiet', makeElement('bdi', '', scan.repository ?? ''), ` · ${about.join(' · ')}`),
  ];
  if (scan.status !== 'completed') {
    const words = scan.reason ?? scan.progress ?? 'It is starting.';
    return [
      ...head,
      makeElement('p', scan.status === 'failed' ? 'alert' : 'said', `${scan.status}: ${words}`),
      again('Refresh', {}),
    ];
  }
  const items = vulnerabilities.map((one) => ({ severity: one.severity, item: findingItem(one) }));
  const shown: Record<string, number> = {};
  for (const { severity, also = [] } of vulnerabilities)
    shown[severity] = (shown[severity] ?? 0) + 1 + also.length;
  const here = Object.values(shown).reduce((sum, count) => sum + count, 0);
  const total = Object.entries(summary ?? shown).reduce(
    (sum, [name, count]) => (name === 'suppressed' ? sum : sum + count),
    0,
  );
  return [
    ...head,
    items.length === 0 ? makeElement('p', 'said', 'Nothing was found.') : severityChoice(items, shown),
    total > here ? makeElement('p', 'quiet', `${here} of ${total} are shown.`) : undefined,
    makeElement('div', 'list', ...items.map(({ item }) => item)),
    next === undefined ? undefined : again('Show the next', { offset: next }),
    gaps.length > 0
      ? makeElement(
          'section',
          '',
          makeElement('h2', '', 'Not covered'),
          makeElement(
            'ul',
            'plain',
            ...gaps.map(({ what, fix }) => makeElement('li', '', `${what}. ${fix}`)),
          ),
        )
      : undefined,
  ];
}

export const FINDINGS_VIEW_FUNCTIONS = [findingItem, severityChoice, drawFindings];
