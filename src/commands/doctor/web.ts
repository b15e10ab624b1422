import { describeQuestionReceivers } from '../../lib/describe-engines.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { createDoctorFindings, type DoctorCheck } from './finding.ts';

const SHOWN = 4;

/** Reports which services receive the user's questions, what the services cost, and how to choose others. */
export const questionsCheck: DoctorCheck = {
  what: 'questions',
  async run({ services }) {
    return describeQuestionReceivers(await services.maintenance.listEngines()).map((words) =>
      createDoctorFindings('questions').good(words),
    );
  },
};

export const enginesCheck: DoctorCheck = {
  what: 'engines',
  online: true,
  async run({ services, signal, progress }) {
    const { good, note, problem } = createDoctorFindings('engines');
    const { tried, remedies } = await services.maintenance.testEngines(
      { names: [], all: false },
      { signal, tried: (_, count, of) => progress(`${count} of ${of} engines asked`) },
    );
    const failed = tried.filter(({ ok }) => !ok);
    const count = `${tried.length - failed.length} of ${formatCount(tried.length, 'engine')} answered`;
    if (tried.length === 0)
      return [note('no engine of the web is in force: a search finds what is in the local index')];
    if (failed.length === 0) return [good(count)];
    const reasons = failed.slice(0, SHOWN).map(({ name, reason }) => `${name}: ${reason}`);
    const says = `${count}; ${reasons.join('; ')}`;
    return failed.length === tried.length
      ? [problem(says, [...remedies, 'docs/engines.md says more.'].join(' '))]
      : [note(says, 'magpie engines test shows all of them')];
  },
};

export const browserCheck: DoctorCheck = {
  what: 'browser',
  async run({ config, services }) {
    const { good, left } = createDoctorFindings('browser');
    if (config.browser === 'off')
      return [
        left('none is switched on: pages that show nothing without scripts stay empty (MAGPIE_BROWSER=auto)'),
      ];
    return [good(`${await services.maintenance.browserPath()} runs scripts of pages`)];
  },
};
