import { type McpAppHost, makeBarChart, makeButton, makeElement, makeSvg } from './bridge.ts';

interface ControlView {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly reason: string;
  readonly evidence?: { readonly found: number; readonly checks: readonly string[] };
}
interface Standard {
  readonly id: string;
  readonly title: string;
  readonly edition: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly total: number;
  readonly coverage: number;
  readonly controls: readonly ControlView[];
  readonly more?: number;
}
function controlStates(): readonly (readonly [status: string, words: string])[] {
  return [
    ['fail', 'failed'],
    ['pass', 'passed'],
    ['attested', 'passed by a person'],
    ['exception', 'excepted until a day'],
    ['no_findings', 'no findings'],
    ['manual', 'for a person to judge'],
    ['not_assessed', 'not assessed'],
    ['not_applicable', 'does not apply'],
  ];
}

function coverageBar({ title, counts, total }: Standard): Node {
  const states = controlStates().filter(([status]) => (counts[status] ?? 0) > 0);
  const words = states.map(([status, name]) => `${counts[status]} ${name}`).join(', ');
  let to = 0;
  const bars = states.map(([status]) => {
    const [x, width] = [to, counts[status] ?? 0];
    to += width;
    return makeSvg('rect', { class: status, x, width, height: 10 });
  });
  const svg = makeBarChart('stack', `${title}: ${words}`, [Math.max(1, total), 10], bars);
  const items = states.map(([status, name]) =>
    makeElement('li', '', makeElement('span', `mark ${status}`), `${counts[status]} ${name}`),
  );
  return makeElement('div', '', svg, makeElement('ul', 'legend', ...items));
}

function controlItem({ id, title, status, reason, evidence }: ControlView): HTMLElement {
  const words = controlStates().find(([name]) => name === status)?.[1] ?? status;
  const kind = status === 'fail' ? 'bad' : status === 'pass' || status === 'attested' ? 'good' : '';
  return makeElement(
    'details',
    'finding',
    makeElement(
      'summary',
      '',
      makeElement('span', `tag ${kind}`, words),
      ' ',
      makeElement('bdi', 'title', `${id} ${title}`),
    ),
    makeElement('p', '', reason),
    evidence && evidence.checks.length > 0
      ? makeElement('p', 'quiet', `Findings: ${evidence.found}. Checks: ${someOf(evidence.checks)}`)
      : undefined,
  );
}

function someOf(names: readonly string[]): string {
  const more = names.length - 6;
  return names.slice(0, 6).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function standardSection(standard: Standard): HTMLElement {
  const { title, edition, controls, total, coverage, more } = standard;
  return makeElement(
    'section',
    'panel',
    makeElement('h2', '', makeElement('bdi', '', title)),
    makeElement(
      'p',
      'quiet',
      `${edition} · ${total} controls, ${Math.round(coverage * 100)}% of them judged by checks`,
    ),
    coverageBar(standard),
    makeElement('div', 'list', ...controls.map(controlItem)),
    more ? makeElement('p', 'quiet', `and ${more} more: the report has all of them`) : undefined,
  );
}

export function drawCompliance(data: unknown, _beside: unknown, { ask }: McpAppHost): (Node | undefined)[] {
  const check = data as {
    readonly check_id: string;
    readonly status: string;
    readonly scope: string;
    readonly created_at: string;
    readonly standards: readonly Standard[];
    readonly progress?: string;
    readonly reason?: string;
  };
  const head = [
    makeElement('h1', '', 'Compliance'),
    makeElement(
      'p',
      'quiet',
      makeElement('bdi', '', check.scope),
      ` · ${check.created_at.slice(0, 10)} · check ${check.check_id}`,
    ),
  ];
  if (check.status !== 'completed') {
    const refresh = makeButton(
      'Refresh',
      () => void ask?.('getComplianceCheck', { check_id: check.check_id }),
    );
    const words = `${check.status}: ${check.reason ?? check.progress ?? 'it is starting'}`;
    return [...head, makeElement('p', check.status === 'failed' ? 'alert' : 'said', words), ask && refresh];
  }
  return [
    ...head,
    ...check.standards.map(standardSection),
    makeElement(
      'p',
      'quiet',
      'Controls for a person to judge and controls not assessed do not count as passed.',
    ),
  ];
}

export const COMPLIANCE_VIEW_FUNCTIONS = [
  controlStates,
  coverageBar,
  someOf,
  controlItem,
  standardSection,
  drawCompliance,
];
