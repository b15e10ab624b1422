import { escapeInvisible, escapeInvisibleLine } from '../../src/lib/text/escape-invisible.ts';
import { formatCount } from '../../src/lib/text/format-count.ts';
import type { AnswerReaderKind, IsOffered } from '../../src/operation.ts';
import type { ScanAnswer } from './scan.ts';

type ScanData = ScanAnswer['data'];

const MAX_OMISSIONS = 10;
const MAX_STEPS = 6;

/** Writes a scan as text. Quoted text from a repository is escaped, so it cannot add lines. */
export function scanText({ data }: ScanAnswer, _reader: AnswerReaderKind, offers: IsOffered): string {
  const { scan_id, status, repository, branch, commit, reason, progress, vulnerabilities } = data;
  const assistants = (data.assistants ?? []).map((one) => `\n- ${escapeInvisibleLine(one)}`);
  const what = [repository, branch && `at ${branch}`, commit && `(${commit.slice(0, 12)})`].filter(Boolean);
  const head = `# Scan ${scan_id} of ${escapeInvisibleLine(what.join(' '))}: ${status}`;
  if (status === 'failed') return `${head}\n\n${reason ?? ''}`;
  if (status !== 'completed') {
    const next = offers('getScan') ? ' Ask getScan with this scan_id a little later.' : '';
    return `${head}\n\n${progress ?? 'It waits.'}${next}`;
  }
  const parts = [head, `${summaryText(data)}${assistants.join('')}${troubleText(data)}`];
  for (const one of vulnerabilities) parts.push(findingText(one));
  if (data.next_offset !== undefined) {
    const next = offers('getScan') ? `: getScan with offset ${data.next_offset}, or with a severity` : '';
    parts.push(`There are more${next}.`);
  }
  return parts.join('\n\n');
}

function summaryText({ summary, files = 0, scanners = [], gaps = [] }: ScanData): string {
  if (!summary) return '';
  const { suppressed, ...severities } = summary;
  const named = Object.entries(severities)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  const kept = suppressed > 0 ? `; ${suppressed} suppressed` : '';
  const whole = scanners.every(({ ok }) => ok) && gaps.length === 0;
  const nothing = whole ? 'Nothing was found' : 'Nothing was found, but not everything was scanned';
  const read = files > 0 ? ` (${formatCount(files, 'file')})` : '';
  return `${named.join(', ') || nothing}${kept}${read}.`;
}

function troubleText({ scanners = [], left = [], gaps = [] }: ScanData): string {
  const failed = scanners
    .filter(({ ok }) => !ok)
    .map(({ name, reason }) => `${name} failed: ${escapeInvisibleLine(reason ?? '')}`);
  const known = new Set(gaps.map(({ what }) => what));
  const omitted = [
    ...gaps.map(({ what, fix }) => `not scanned: ${escapeInvisibleLine(what)} (${escapeInvisibleLine(fix)})`),
    ...left.filter((what) => !known.has(what)).map((what) => `left out: ${escapeInvisibleLine(what)}`),
  ];
  const missed = omitted.slice(0, MAX_OMISSIONS);
  const more = omitted.length > MAX_OMISSIONS ? [`and ${omitted.length - MAX_OMISSIONS} more`] : [];
  return [...failed, ...missed, ...more].map((line) => `\n- ${line}`).join('');
}

type ScanFindingData = ScanData['vulnerabilities'][number];
type RepeatPlace = Omit<NonNullable<ScanFindingData['also']>[number], 'patch'>;

function findingText(one: ScanFindingData): string {
  const { id, severity, title, description, fix, cwe, suppressed, also = [] } = one;
  const rule = [id, ...(cwe ?? [])].map(escapeInvisibleLine).join(', ');
  const head = `## ${severity}: ${escapeInvisibleLine(title)} (${rule})`;
  const lines = [
    also.length === 0 ? `${head} at ${placeOf(one)}` : `${head} at ${also.length + 1} places`,
    ...(suppressed ? [`Suppressed by ${suppressed.by}: ${escapeInvisibleLine(suppressed.reason)}`] : []),
    escapeInvisibleLine(description),
    ...(also.length === 0
      ? codeLines(one)
      : [one, ...also].map((place) => [`- ${placeOf(place)}`, ...codeLines(place)].join('\n  '))),
    `Fix: ${escapeInvisibleLine(fix)}`,
  ];
  return lines.join('\n');
}

const placeOf = ({ location, commit }: RepeatPlace): string =>
  `${escapeInvisible(location)}${commit ? ` in commit ${commit.slice(0, 12)}` : ''}`;

function codeLines({ location, excerpt, trace = [] }: RepeatPlace): string[] {
  const steps = trace.slice(0, MAX_STEPS).map(({ path, line, note }) => {
    const place = location.startsWith(`${path}:`) ? `line ${line}` : `${escapeInvisible(path)}:${line}`;
    return `${place} ${escapeInvisibleLine(note)}`;
  });
  return [
    ...(excerpt ? [`Code: ${escapeInvisibleLine(excerpt)}`] : []),
    ...(steps.length > 0 ? [`Data flow: ${steps.join(' -> ')}`] : []),
  ];
}
