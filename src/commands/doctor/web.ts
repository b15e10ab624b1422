import type { Environment } from '../../config/config.ts';
import { describeQuestionReceivers } from '../../lib/describe-engines.ts';
import { CHECK_NETWORK } from '../../lib/network/network-failure.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { type DoctorCheck, good, left, note, problem } from './finding.ts';

const SHOWN = 4;

export const questionReceiversCheck: DoctorCheck = {
  what: 'questions',
  async run({ services }) {
    return describeQuestionReceivers(await services.maintenance.listEngines()).map((words) => good(words));
  },
};

export const searchEnginesCheck: DoctorCheck = {
  what: 'engines',
  online: true,
  async run({ services, machine, signal, progress }) {
    const { tried, isOffline, remedies } = await services.maintenance.testEngines(
      { names: [], all: false },
      { signal, tried: (_, count, of) => progress(`${count} of ${of} engines asked`) },
    );
    const failed = tried.filter(({ ok }) => !ok);
    if (isOffline)
      return problem(
        `none of the ${formatCount(tried.length, 'search engine')} can be reached: this machine has no way to the internet now, or its name service does not answer`,
        `${CHECK_NETWORK} ${describeProxy(machine.env)}`.trimEnd(),
      );
    const count = `${tried.length - failed.length} of ${formatCount(tried.length, 'engine')} answered`;
    if (tried.length === 0)
      return note('no search engine of the web is asked: a search finds what is kept on this machine');
    if (failed.length === 0) return good(count);
    const says = `${count}; ${groupByReason(failed).slice(0, SHOWN).join('; ')}`;
    return failed.length === tried.length
      ? problem(says, [...remedies, 'docs/engines.md says more.'].join(' '))
      : note(says, 'magpie engines test shows all of them');
  },
};

/** Groups failed engines by reason. The first word of a reason does not count, because it may be a host. */
function groupByReason(failed: readonly { readonly name: string; readonly reason?: string }[]): string[] {
  const groups = new Map<string, { readonly names: string[]; readonly reason: string }>();
  for (const { name, reason = 'no answer' } of failed) {
    const key = reason.replace(/^\S+ /, '');
    const group = groups.get(key) ?? { names: [], reason };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ names, reason }) => {
    const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
    return `${names.slice(0, SHOWN).join(', ')}${more}: ${reason}`;
  });
}

function describeProxy(env: Environment): string {
  const name = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'].find((one) => env[one]);
  return name === undefined ? '' : `Magpie does not use the proxy in ${name}: it needs a direct way out.`;
}

export const browserCheck: DoctorCheck = {
  what: 'browser',
  async run({ config, services }) {
    if (config.browser === 'off')
      return left(
        'no browser is used: pages that show nothing without their scripts stay empty',
        'set MAGPIE_BROWSER=auto, which takes a browser of this machine',
      );
    return good(`${await services.maintenance.browserPath()} runs scripts of pages`);
  },
};
