import type { Finding } from '../../security/types.ts';
import { type McpAppHost, makeButton, markup } from './bridge.ts';

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
function findingItem(one: VulnerabilityView): HTMLElement | null {
  const facts = [
    one.id,
    one.scanner,
    ...(one.cwe ?? []),
    one.cvss ? `CVSS ${one.cvss.score}` : '',
    one.fixedIn ? `fixed in ${one.fixedIn}` : '',
  ].filter((fact) => fact !== '');
  const places: readonly FindingPlace[] = [one, ...(one.also ?? [])];
  const where = places.length === 1 ? one.location : `${places.length} places`;
  const shown = places.map(
    ({ location, excerpt }) =>
      markup`${places.length > 1 && markup`<p class="place"><bdi>${location}</bdi></p>`}${excerpt && markup`<pre tabindex="0">${excerpt}</pre>`}`,
  );
  const { suppressed } = one;
  return markup`<details class="finding"><summary><span class="tag ${one.severity}">${one.severity}</span> <bdi class="title">${one.title}</bdi><span class="place"><bdi>${where}</bdi></span></summary>
<p>${one.description}</p>${shown}${one.fix && markup`<p><strong>To do: </strong>${one.fix}</p>`}
${suppressed && markup`<p class="quiet">Accepted by ${suppressed.by}: ${suppressed.reason}</p>`}<p class="quiet">${facts.join(' · ')}</p></details>`.querySelector(
    'details',
  );
}

function severityChoice(
  items: readonly { readonly severity: string; readonly item: HTMLElement | null }[],
  counts: Readonly<Record<string, number>>,
): Node {
  const wanted = ['critical', 'high', 'medium', 'low', 'info'].filter((one) => (counts[one] ?? 0) > 0);
  const buttons = wanted.map((severity) => {
    const count = counts[severity];
    const button = makeButton(`${count} ${severity}`, () => {
      const shown = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(shown));
      for (const { item, ...one } of items) if (one.severity === severity && item) item.hidden = !shown;
    });
    button.className = `chip ${severity}`;
    button.setAttribute('aria-pressed', 'true');
    return button;
  });
  return markup`<div class="chips" role="group" aria-label="Severities that are shown">${buttons}</div>`;
}

export function drawFindings(data: unknown, _beside: unknown, { ask }: McpAppHost): Node {
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
  const head = markup`<h1>Findings</h1><p class="quiet"><bdi>${scan.repository ?? ''}</bdi> · ${about.join(' · ')}</p>`;
  if (scan.status !== 'completed') {
    const words = `${scan.status}: ${scan.reason ?? scan.progress ?? 'It is starting.'}`;
    return markup`${head}<p class="${scan.status === 'failed' ? 'alert' : 'said'}">${words}</p>${again('Refresh', {})}`;
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
  const left = gaps.map(({ what, fix }) => markup`<li>${what}. ${fix}</li>`);
  return markup`${head}${items.length === 0 ? markup`<p class="said">Nothing was found.</p>` : severityChoice(items, shown)}
${total > here && markup`<p class="quiet">${here} of ${total} are shown.</p>`}<div class="list">${items.map(({ item }) => item ?? '')}</div>
${next !== undefined && again('Show the next', { offset: next })}${left.length > 0 && markup`<section><h2>Not covered</h2><ul class="plain">${left}</ul></section>`}`;
}

export const FINDINGS_VIEW_FUNCTIONS = [findingItem, severityChoice, drawFindings];
