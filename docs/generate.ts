import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prompts } from '../prompts/index.ts';
import { AGENT_RULES } from '../src/security/scanners/agents/rules.ts';
import { operations } from '../tools/index.ts';
import { engineBullets, engineDocument, engineSettingProblem, loadEngines } from './engines.ts';
import { installBlock } from './install/buttons.ts';
import { pluginFiles } from './install/plugin.ts';
import { serverJson } from './install/server-json.ts';
import { manPage } from './man-page.ts';
import { mappingReference } from './mapping-reference.ts';
import { policyIds, policyReference } from './policy-reference.ts';
import { questionsBlock } from './questions-block.ts';
import { operationReference, replaceBlock, settingTable, shortSettingTable, toolTable } from './reference.ts';
import { generatedRules, readSourceRules, ruleReference } from './source-rules.ts';
import { standardsTable } from './standards-table.ts';

/** `npm run docs` writes the generated parts of docs/, and what registries read; with --check it fails when they differ. */

const catalog = { operations, prompts };
const engines = await loadEngines();
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => {
  try {
    return readFileSync(`${root}${path}`, 'utf8');
  } catch {
    return '';
  }
};
const NOTE = 'Written by `npm run docs` from the declarations.';
const OPERATIONS_NOTE =
  'A parameter that an operation does not have is an error over MCP and in the terminal; over REST it is ignored, and named in the header ' +
  '`Warning` and in `rules`, since clients add their own to an address.';

const ruleFiles = readSourceRules();
const rules = generatedRules(ruleFiles);
const RULES_NOTE =
  'Written by `npm run docs` from `src/security/scanners/source/rules/`. [scanning.md](scanning.md#own-rules) says how rules are written; ' +
  'the calls that each knows are in its file there, which the npm package holds too (`dist/src/security/scanners/source/rules/`).';
const AGENTS_NOTE =
  'From `src/security/scanners/agents/rules.json`; [scanning.md](scanning.md#what-assistants-run) says what is read. A place can lower or raise a severity.';
const POLICIES_NOTE =
  'Written by `npm run docs` from `src/security/scanners/infrastructure/policies/`. Findings have `infrastructure/` before the name; a ' +
  'comment or `.magpieignore` suppresses them by that, or by the id that checkov has for the same.';
const MAPPINGS_NOTE =
  'Written by `npm run docs` from the tables of `src/compliance/mappings/`. A row of a table says which check speaks of which control, how much ' +
  'of the control it sees (`whole`, `part`, or `none` for a pair that looks right and is not), why, who read it first, and what a second ' +
  'reader said without that reason. `node docs/second-reading.ts` prints a table for a second reader, and takes in what they wrote.';
const RULES = 'src/security/scanners/source/rules/';

/** The rules for what assistants run, as a table. */
function agentRuleReference(): string {
  const rows = Object.entries(AGENT_RULES).map(
    ([name, { title, severity, cwe, danger, fix }]) =>
      `| \`agents/${name}\` | ${title} | ${severity} | ${cwe} | ${danger}. ${fix} |`,
  );
  const head = [
    '| rule | finds | severity | weakness | why, and what to do |',
    '| --- | --- | --- | --- | --- |',
  ];
  return ['## What assistants run', '', AGENTS_NOTE, '', ...head, ...rows].join('\n');
}

const questions = await questionsBlock();
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const generated: Readonly<Record<string, string>> = {
  'docs/compliance.md': replaceBlock(read('docs/compliance.md'), 'standards', await standardsTable()),
  'docs/engines.md': `# Search engines\n\n${NOTE} Beside them, \`local\` searches the pages that you have read or indexed.\n\n${engineDocument(engines)}\n`,
  'docs/mappings.md': `# Controls and checks\n\n${MAPPINGS_NOTE}\n\n${mappingReference()}\n`,
  'docs/operations.md': `# Operations\n\n${NOTE} ${OPERATIONS_NOTE}\n\n${toolTable(catalog)}\n\n${operationReference(catalog)}\n`,
  [`${RULES}catalogue.json`]: rules.catalogue,
  [`${RULES}rules.json`]: rules.rules,
  'src/security/scanners/infrastructure/policies/ids.json': policyIds(),
  'docs/policies.md': `# Policies of infrastructure\n\n${POLICIES_NOTE}\n\n${policyReference()}\n`,
  'docs/rules.md': `# Rules of the source scanner\n\n${RULES_NOTE}\n\n${ruleReference(ruleFiles)}\n\n${agentRuleReference()}\n`,
  'docs/searching.md': replaceBlock(read('docs/searching.md'), 'engines', engineBullets(engines)),
  'docs/first-search.md': replaceBlock(read('docs/first-search.md'), 'questions', questions),
  'README.md': replaceBlock(
    replaceBlock(read('README.md'), 'install', installBlock()),
    'questions',
    questions,
  ),
  'man/magpie.1': manPage(),
  'server.json': json(serverJson()),
  ...pluginFiles(),
  'docs/settings.md': `# Settings\n\n${NOTE} A flag wins over the environment, the environment over the settings file, the file over the default.\n\nThose most people touch:\n\n${shortSettingTable()}\n\nAll of them:\n\n${settingTable()}\n`,
};

const stale = Object.entries(generated).filter(([path, text]) => read(path) !== text);
const problem = engineSettingProblem(engines);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is not what \`npm run docs\` writes\n`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(`${root}${path}`), { recursive: true });
    writeFileSync(`${root}${path}`, text);
  }
}
