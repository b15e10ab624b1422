import { defineRules, isInconclusiveResult, type MonitorCheck } from '../probing/check.ts';
import { isConnectionFailure } from '../probing/connection-failure.ts';
import { toReadablePage } from '../probing/to-readable-page.ts';
import rules from './rules.json' with { type: 'json' };

const RULES = defineRules('cors', rules.cors);

/** `Origin` of the test request. No page would allow this origin on purpose. */
const ORIGIN = 'https://magpie-monitor.example';

export const cors: MonitorCheck = {
  name: 'cors',
  version: 1,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: ({ kind }) => kind === 'url',
  async run(target, probe) {
    const found = toReadablePage(await probe.page(target.name));
    if (isInconclusiveResult(found)) return found;
    const page = await probe.requestPage(found.url, {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
    });
    // Error pages are checked too, because they also have headers.
    if (isConnectionFailure(page)) return { unseen: `the page ${page.reason}` };
    const [allowed] = page.header('access-control-allow-origin');
    const credentials = page.header('access-control-allow-credentials')[0]?.trim().toLowerCase();
    if (allowed?.trim() !== ORIGIN || credentials !== 'true') {
      return { problems: [], points: { 'cross-origin-resource-sharing': 0 } };
    }
    const description = `${page.url} allows ${ORIGIN} with credentials`;
    return {
      problems: [{ rule: RULES['open-to-all'], description }],
      points: { 'cross-origin-resource-sharing': -50 },
    };
  },
};
