import { parseInstant } from '../../lib/time/written-date.ts';
import { type CheckResult, defineRules, isInconclusiveResult, type MonitorCheck } from '../probing/check.ts';
import { toReadablePage } from '../probing/to-readable-page.ts';
import rules from './rules.json' with { type: 'json' };

/** Checks `/.well-known/security.txt`, which says where to report a vulnerability (RFC 9116). */

const RULES = defineRules('security-txt', rules['security-txt']);

const MAX_LINES = 500;

export const securityTxt: MonitorCheck = {
  name: 'security-txt',
  version: 1,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => target.kind === 'url' && target.name.startsWith('https:'),
  async run(target, probe) {
    const address = new URL('/.well-known/security.txt', target.name).href;
    const page = toReadablePage(await probe.requestPage(address, { headers: { accept: 'text/plain' } }));
    if (isInconclusiveResult(page)) return page;
    const type = page.header('content-type')[0]?.split(';')[0]?.trim().toLowerCase();
    if (page.status !== 200 || type === 'text/html') {
      return {
        problems: [{ rule: RULES.missing, description: `${address} answers ${page.status} ${type ?? ''}` }],
      };
    }
    return read(page.body, type, probe.now());
  },
};

function read(text: string, type: string | undefined, now: number): CheckResult {
  const fields = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const at = line.indexOf(':');
    if (at <= 0 || line.startsWith('#')) continue;
    const name = line.slice(0, at).trim().toLowerCase();
    fields.set(name, [...(fields.get(name) ?? []), line.slice(at + 1).trim()]);
  }
  const expires = fields.get('expires') ?? [];
  const until = parseInstant(expires[0]) ?? Number.NaN;
  const wrong = [
    ...(type === 'text/plain' ? [] : [`it is ${type ?? 'of no type'} instead of text/plain`]),
    ...(fields.get('contact')?.some((one) => /^(?:https|mailto|tel):/i.test(one))
      ? []
      : ['it has no Contact']),
    ...(expires.length === 1 && !Number.isNaN(until)
      ? []
      : ['it does not have exactly one Expires with a time']),
  ];
  if (wrong.length > 0) return { problems: [{ rule: RULES.invalid, description: wrong.join('; ') }] };
  if (until > now) return { problems: [] };
  return { problems: [{ rule: RULES.expired, description: `it expired on ${expires[0]?.slice(0, 40)}` }] };
}
