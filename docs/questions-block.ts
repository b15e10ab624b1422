import { loadConfig } from '../src/config/config.ts';
import { describeQuestionReceivers } from '../src/lib/describe-engines.ts';
import { wrapWords } from '../src/lib/text/wrap-words.ts';
import { profileEngine } from '../src/search/asking/engine-profile.ts';
import { chooseEngines } from '../src/wiring/engines.ts';

const WIDTH = 120;
const HEADS = ['Who gets it.', 'What it costs.', 'How to change it.'];

/** What README and first-search.md say of a question without any setting: the words of doctor, setup and the console. */
export async function questionsBlock(): Promise<string> {
  const engines = await chooseEngines(loadConfig({}, {}));
  return describeQuestionReceivers(engines.map((engine) => ({ about: profileEngine(engine) })))
    .map((words, index) => {
      const named = words.replaceAll(/\b[A-Z]+_[A-Z_]+(?:=[a-z-]+)?/g, '`$&`');
      const [first = '', ...more] = wrapWords(`**${HEADS[index]}** ${named}`, WIDTH - 2);
      return [`- ${first}`, ...more.map((line) => `  ${line}`)].join('\n');
    })
    .join('\n');
}
