import { type McpAppHost, makeButton, makeSvg, markup } from './bridge.ts';

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
  const box = `0 0 ${Math.max(1, total)} 10`;
  const items = states.map(
    ([status, name]) => markup`<li><span class="mark ${status}"></span>${counts[status]} ${name}</li>`,
  );
  return markup`<div><svg class="stack" role="img" aria-label="${`${title}: ${words}`}" viewBox="${box}" preserveAspectRatio="none">${bars}</svg><ul class="legend">${items}</ul></div>`;
}

function controlItem({ id, title, status, reason, evidence }: ControlView): Node {
  const words = controlStates().find(([name]) => name === status)?.[1] ?? status;
  const kind = status === 'fail' ? 'bad' : status === 'pass' || status === 'attested' ? 'good' : '';
  const checks =
    evidence &&
    evidence.checks.length > 0 &&
    markup`<p class="quiet">Findings: ${evidence.found}. Checks: ${someOf(evidence.checks)}</p>`;
  return markup`<details class="finding"><summary><span class="tag ${kind}">${words}</span> <bdi class="title">${id} ${title}</bdi></summary><p>${reason}</p>${checks}</details>`;
}

function someOf(names: readonly string[]): string {
  const more = names.length - 6;
  return names.slice(0, 6).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function standardSection(standard: Standard): Node {
  const { title, edition, controls, total, coverage, more } = standard;
  const about = `${edition} · ${total} controls, ${Math.round(coverage * 100)}% of them judged by checks`;
  return markup`<section class="panel"><h2><bdi>${title}</bdi></h2><p class="quiet">${about}</p>${coverageBar(standard)}
<div class="list">${controls.map(controlItem)}</div>${more && markup`<p class="quiet">and ${more} more: the report has all of them</p>`}</section>`;
}

export function drawCompliance(data: unknown, _beside: unknown, { ask }: McpAppHost): Node {
  const check = data as {
    readonly check_id: string;
    readonly status: string;
    readonly scope: string;
    readonly created_at: string;
    readonly standards: readonly Standard[];
    readonly progress?: string;
    readonly reason?: string;
  };
  const { check_id, status, scope, created_at: at } = check;
  const head = markup`<h1>Compliance</h1><p class="quiet"><bdi>${scope}</bdi> · ${at.slice(0, 10)} · check ${check_id}</p>`;
  if (status !== 'completed') {
    const refresh = makeButton('Refresh', () => void ask?.('getComplianceCheck', { check_id }));
    const words = `${status}: ${check.reason ?? check.progress ?? 'it is starting'}`;
    return markup`${head}<p class="${status === 'failed' ? 'alert' : 'said'}">${words}</p>${ask && refresh}`;
  }
  return markup`${head}${check.standards.map(standardSection)}<p class="quiet">Controls for a person to judge and controls not assessed do not count as passed.</p>`;
}

export const COMPLIANCE_VIEW_FUNCTIONS = [
  controlStates,
  coverageBar,
  someOf,
  controlItem,
  standardSection,
  drawCompliance,
];
