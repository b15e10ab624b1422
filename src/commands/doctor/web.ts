import { questionWords } from '../../lib/engine-words.ts';
import { counted } from '../../lib/text/counted.ts';
import { type Examination, findingsOf } from './finding.ts';

const SHOWN = 4;

/** Reports who receives questions, the cost, and how to change it. */
export const questions: Examination = {
  what: 'questions',
  async run({ services }) {
    return questionWords(await services.listEngines()).map((words) => findingsOf('questions').good(words));
  },
};

export const engines: Examination = {
  what: 'engines',
  online: true,
  async run({ services, signal, progress }) {
    const { good, note, problem } = findingsOf('engines');
    const { tried, remedies } = await services.testEngines(
      { names: [], all: false },
      { signal, tried: (_, count, of) => progress(`${count} of ${of} engines asked`) },
    );
    const failed = tried.filter(({ ok }) => !ok);
    const count = `${tried.length - failed.length} of ${counted(tried.length, 'engine')} answered`;
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

/** Checks the browser that runs scripts of pages, if it is enabled. */
export const browser: Examination = {
  what: 'browser',
  async run({ config, services }) {
    const { good, left } = findingsOf('browser');
    if (config.browser === 'off')
      return [
        left('none is switched on: pages that show nothing without scripts stay empty (MAGPIE_BROWSER=auto)'),
      ];
    return [good(`${await services.browserPath()} runs scripts of pages`)];
  },
};
