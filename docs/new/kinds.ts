import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { tableOf } from '../mapping-table.ts';
import { addEntry, addImport, addToSentence, camel, pascal, singular, words } from './edit.ts';

/** What `npm run new` does for one kind: files that it writes, and files that it edits. */
export interface Kind {
  /** What the name is, for the help. */
  readonly name: string;
  /** What may stand before the slash of a name in this checkout. Names of other kinds have no slash. */
  readonly places?: (root: string) => string[];
  /** Text by path, for new files. */
  files(name: string): Readonly<Record<string, string>>;
  /** New text by path, for files that are there. */
  edits(name: string): Readonly<Record<string, (text: string) => string>>;
  /** What to do next. */
  readonly next: string;
}

const operation: Kind = {
  name: 'the operationId in kebab-case',
  files: (name) => ({
    [`tools/${name}.ts`]: `import { z } from 'zod';
import { AppError } from '../src/errors.ts';
import { defineOperation } from '../src/operation.ts';

export const ${camel(name)} = defineOperation({
  name: '${camel(name)}',
  title: '${words(name)}',
  description: 'Say what it does, what comes back, and when another tool fits better.',
  toolset: 'web',
  routes: ['GET /${camel(name)}'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input: z.object({ q: z.string().trim().min(1).max(2000).describe('What it takes') }),
  output: z.object({ answer: z.string() }),
  example: { q: 'magpies' },
  async run({ q }) {
    throw new AppError('unavailable', \`${camel(name)} does not answer yet: \${q}\`);
  },
});
`,
    [`test/tools/${name}.test.ts`]: `import { expect, test } from 'vitest';
import { ${camel(name)} } from '../../tools/${name}.ts';

test('its example has an answer', async () => {
  const answer = await ${camel(name)}.run(${camel(name)}.input.parse(${camel(name)}.example), {} as never);
  expect(${camel(name)}.output.parse(answer).answer).toMatch(/magpies/);
});
`,
  }),
  edits: (name) => ({
    'tools/index.ts': (text) =>
      addEntry(
        addImport(text, `import { ${camel(name)} } from './${name}.ts';`),
        'export const operations: readonly Operation[] = [',
        '];',
        `  ${camel(name)},\n`,
      ),
  }),
  next: 'Write `run`, then `npm run docs` and `npx vitest run -u test/server` for its snapshot; read the difference.',
};

const engine: Kind = {
  name: "the engine's name in kebab-case",
  files: (name) => ({
    [`src/search/engines/${name}.ts`]: `import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest } from '../answers/engine-requests.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

/** Characters of a question that it accepts. */
const MAX_QUESTION_CHARS = 500;

/** ${words(name)}: say where its API or its result page is described. */
export const ${camel(name)}: EngineFactory = ({ baseUrl = 'https://${name}.example' } = {}) => ({
  ...describeEngine('${name}'),
  request: ({ text }) =>
    createGetRequest(\`\${baseUrl}/search\`, { q: takeCharacters(text, MAX_QUESTION_CHARS) }),
  parse() {
    throw new EngineError('changed', 'its answer cannot be read yet');
  },
});
`,
    [`test/search/engines/${name}.test.ts`]: `import { expect } from 'vitest';
import { ${camel(name)} } from '../../../src/search/engines/${name}.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

describeSearchEngine('${name}', {
  make: ${camel(name)},
  found: {
    body: 'A page of results of its real shape, made up: advertisements and odd rows included',
    hits: [{ title: 'Magpies', url: 'https://birds.example/magpie', snippet: 'Magpies recognise themselves.' }],
  },
  nothing: { body: 'Its own words for no results' },
  paused: { '429': { status: 429, body: '' } },
  changed: { 'an empty body': { body: '' } },
  checkRequest({ url }) {
    expect(url.searchParams.get('q')).toContain('magpie');
  },
});
`,
  }),
  edits: (name) => ({
    'src/search/answers/engine-facts.json': (text) =>
      addEntry(
        text,
        '{',
        '\n}\n',
        `,
  "${name}": {
    "title": "${words(name)}",
    "website": "https://${name}.example",
    "categories": ["general"],
    "takes": [],
    "pace": 1000,
    "facts": {
      "limits": "How much it answers for nothing, by its own documents.",
      "keeps": "unsaid",
      "privacy": "What it keeps of a question, by its own terms.",
      "sources": ["https://${name}.example"],
      "checked": "${new Date().toISOString().slice(0, 10)}"
    }
  }`,
      ),
    'src/wiring/engines.ts': (text) =>
      addEntry(
        text,
        'export const ENGINES: Readonly<Record<string, EngineEntry>> = {',
        '\n};',
        `\n  '${name}': { load: async () => (await import('../search/engines/${name}.ts')).${camel(name)} },`,
      ),
    'src/config/settings.ts': (text) =>
      addToSentence(text, 'named engines are asked every question. Also ', name),
  }),
  next: 'Put real answers into the test, then write `request` and `parse` (src/search/README.md), and `npm run docs`.',
};

const reader: Kind = {
  name: 'the file format in kebab-case',
  files: (name) => ({
    [`src/browse/readers/${name}.ts`]: `import { AppError } from '../../errors.ts';
import type { PageContent } from '../reading/page.ts';

/** ${words(name)} as Markdown. AppError \`unsupported\` for a broken file. */
export function read${pascal(name)}(body: Uint8Array, url: string): PageContent {
  throw new AppError('unsupported', \`\${url} cannot be read yet: \${body.length} bytes\`);
}
`,
    [`test/browse/readers/${name}.test.ts`]: `import { expect, test } from 'vitest';
import { readDocument } from '../../../src/browse/readers/document.ts';

const read = (text: string) =>
  readDocument('${name}', { url: 'https://a.example/file.${name}', contentType: '', body: Buffer.from(text) });

test('its text comes as Markdown', async () => {
  expect((await read('A real file of this format')).markdown).toContain('its text');
});
`,
  }),
  edits: (name) => ({
    'src/browse/reading/page.ts': (text) =>
      addEntry(text, 'export const PAGE_KINDS = [', '\n]', `\n  '${name}',`),
    'test/helpers/kinds.ts': (text) =>
      addEntry(
        text,
        'export const SAMPLES: Readonly<',
        '\n};',
        `\n  '${name}': { body: 'A real file of this format' },`,
      ),
    'test/server/app/app-kinds.test.ts': (text) =>
      addEntry(text, 'const NAMES = {', '\n} as const', `\n  '${name}': 'file.${name}',`),
    'src/browse/readers/document.ts': (text) =>
      text.replace(
        /( {4}case 'rtf':)/,
        `    case '${name}':\n      return (await import('./${name}.ts')).read${pascal(name)}(body, url);\n$1`,
      ),
  }),
  next: 'Recognise its bytes in src/browse/fetching/page-kind.ts, then write the reader (src/browse/README.md).',
};

/** What tokens of the rule `acme-token` begin with: `acme_`. */
function tokenPrefix(name: string): string {
  return `${name.replace(/-(?:token|key|secret)$/, '').replaceAll('-', '_')}_`;
}

const secretRule: Kind = {
  name: 'the rule, such as `acme-token`',
  files: () => ({}),
  edits: (name) => ({
    'src/security/scanners/secrets/token-rules.json': (text) =>
      `${JSON.stringify(
        [
          ...(JSON.parse(text) as object[]),
          {
            id: name,
            title: words(name),
            keywords: [tokenPrefix(name)],
            pattern: `(?<![A-Za-z0-9_-])(${tokenPrefix(name)}[A-Za-z0-9]{32})(?![A-Za-z0-9_-])`,
            revoke: 'Say where this token is revoked',
          },
        ],
        null,
        2,
      )}\n`,
    'test/security/secrets/token-samples.ts': (text) =>
      addEntry(
        text,
        'export const TOKEN_SAMPLES: Readonly<Record<string, TokenSample>> = {',
        '\n};',
        `\n  '${name}': sample('a made-up token, its random part by draw(WORD, 32)', 'one that only resembles it'),`,
      ),
  }),
  next: 'Write the documented form into the rule, and both samples into token-samples.ts.',
};

const catalogue: Kind = {
  name: "the standard's id",
  files: (name) => ({
    [`src/compliance/catalogues/controls/${name}.txt`]: '# The first group\n1.1 The first control\n',
    [`src/compliance/mappings/${name}.tsv`]: tableOf([]),
  }),
  edits: (name) => ({
    'src/compliance/catalogues/standards.json': (text) => {
      const entry = {
        id: name,
        title: words(name),
        edition: '1.0',
        source: `https://${name}.example`,
        license: 'Wording by Magpie',
        file: `${name}.txt`,
        spellings: [],
      };
      return addEntry(text, '[', '\n]\n', `,\n  ${JSON.stringify(entry, null, 2).replaceAll('\n', '\n  ')}`);
    },
    'test/compliance/catalogues.test.ts': (text) =>
      addEntry(
        text,
        'const SIZES: Readonly<Record<string, number>> = {',
        '\n};',
        `\n  // How many controls its publisher counts.\n  '${name}': 0,`,
      ),
  }),
  next: 'Write the controls and their number (src/compliance/README.md), then `npm run docs`.',
};

const store: Kind = {
  name: '<room>/<what it keeps>, such as knowledge/trash',
  places: (root) => globSync('src/*/types.ts', { cwd: root }).map((path) => basename(dirname(path))),
  files(name) {
    const [room = '', what = ''] = name.split('/');
    const [one, table] = [singular(what), `${room}_${what.replaceAll('-', '_')}`];
    const Store = `${pascal(one)}Store`;
    return {
      [`src/${room}/${one}-store.ts`]: `/** ${words(what)}, by owner. */
export interface ${Store} {
  /** Replaces the text of an id that is there, in its place. Durable when it resolves. */
  save${pascal(one)}(owner: string, id: string, text: string): Promise<void>;
  /** In the order in which they were first saved. */
  list${pascal(what)}(owner: string): Promise<readonly { readonly id: string; readonly text: string }[]>;
}
`,
      [`src/${room}/stores/${what}.ts`]: `import { toAnyDatabase, type StoreDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import type { ${Store} } from '../${one}-store.ts';

/** \`seq\` is the primary key of \`${table}\` and gives the order; an owner has an id once. */
export function create${Store}(of: StoreDatabase): ${Store} {
  const db = toAnyDatabase(of);
  return {
    async save${pascal(one)}(owner, id, text) {
      await db.write(
        (sql) => sql.run\`INSERT INTO ${table} (owner, id, text)
          VALUES (\${checkOwnerName(owner)}, \${id}, \${text})
          ON CONFLICT (owner, id) DO UPDATE SET text = excluded.text\`,
      );
    },
    list${pascal(what)}: (owner) =>
      db.read(
        (sql) => sql.all\`SELECT id, text FROM ${table} WHERE owner = \${checkOwnerName(owner)} ORDER BY seq\`,
      ),
  };
}
`,
      [`test/contracts/${one}-store.ts`]: `import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ${Store} } from '../../src/${room}/${one}-store.ts';

/** An empty store, and further openers of its data. */
export interface Opened${Store} {
  readonly store: ${Store};
  /** As another process opens it, while the first is open or after it was dropped without being closed. */
  openAnother(): Promise<${Store}>;
  close(): Promise<void>;
}

/** What every driver of ${Store} does. */
export function describe${Store}(name: string, makeEmpty: () => Promise<Opened${Store}>): void {
  describe(\`\${name} as ${Store}\`, () => {
    let opened: Opened${Store};
    beforeEach(async () => {
      opened = await makeEmpty();
    });
    afterEach(() => opened.close());

    test('keeps the order, and each owner apart', async () => {
      const { store } = opened;
      await store.save${pascal(one)}('ann', 'b', 'first');
      await store.save${pascal(one)}('ann', 'a', 'second');
      await store.save${pascal(one)}('bob', 'a', 'his');
      expect(await store.list${pascal(what)}('ann')).toEqual([
        { id: 'b', text: 'first' },
        { id: 'a', text: 'second' },
      ]);
    });

    test('replaces the text of an id, in its place', async () => {
      const { store } = opened;
      await store.save${pascal(one)}('ann', 'a', 'old');
      await store.save${pascal(one)}('ann', 'b', 'text');
      await store.save${pascal(one)}('ann', 'a', 'new');
      expect(await store.list${pascal(what)}('ann')).toEqual([
        { id: 'a', text: 'new' },
        { id: 'b', text: 'text' },
      ]);
    });

    test('two openers at once lose nothing; a later one finds what a dropped one saved', async () => {
      const both = [opened.store, await opened.openAnother()];
      const ids = Array.from({ length: 20 }, (_, at) => \`id\${at}\`);
      await Promise.all(ids.flatMap((id) => both.map((store) => store.save${pascal(one)}('ann', id, 'text'))));
      for (const store of [...both, await opened.openAnother()]) {
        expect((await store.list${pascal(what)}('ann')).map(({ id }) => id).sort()).toEqual([...ids].sort());
      }
    });
  });
}
`,
      [`test/${room}/stores/${what}.test.ts`]: `import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create${Store} } from '../../../src/${room}/stores/${what}.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { describe${Store} } from '../../contracts/${one}-store.ts';

describe${Store}('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-${what}-'));
  const databases = [await openDatabase({ folder })];
  return {
    store: create${Store}(databases[0] as (typeof databases)[number]),
    async openAnother() {
      const db = await openDatabase({ folder });
      databases.push(db);
      return create${Store}(db);
    },
    async close() {
      for (const db of databases) db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
`,
    };
  },
  edits(name) {
    const [room = '', what = ''] = name.split('/');
    const one = singular(what);
    const Store = `${pascal(one)}Store`;
    const opened = `    ${camel(what)}: onDatabase(async (db) =>\n      (await import('../${room}/stores/${what}.ts')).create${Store}(db),\n    ),\n`;
    return {
      'src/wiring/stores.ts': (text) =>
        addEntry(
          addImport(text, `import type { ${Store} } from '../${room}/${one}-store.ts';`),
          'export interface Stores {',
          '  ready(): Promise<void>;',
          `  ${camel(what)}(): Promise<${Store}>;\n`,
        ),
      'src/wiring/sqlite-stores.ts': (text) => addEntry(text, '  return {', '    secret,', opened),
      'src/wiring/postgres-stores.ts': (text) => addEntry(text, '  return {', '    secret,', opened),
    };
  },
  next: 'Write its table as a new migration for both databases (at the end of src/storage/migrations/schema.sql and of src/storage/postgres/schema/schema.sql), name it in src/storage/user/tables.json and src/storage/move/tables.json, and run the suite in test/real/postgres/ too. Then fit interface, suite and driver to what it keeps (CONTRIBUTING.md).',
};

const sourceRule: Kind = {
  name: '<language>/<rule>, such as python/unsafe-yaml',
  places: (root) =>
    globSync('src/security/scanners/source/rules/languages/*.yaml', { cwd: root }).map((path) =>
      basename(path, '.yaml'),
    ),
  files(name) {
    const [language = '', rule = ''] = name.split('/');
    return {
      [`src/security/scanners/source/rules/${rule}.yaml`]: `id: ${rule}
title: ${words(rule)}
severity: high
cwe: [CWE-20]
description: Say what is wrong, and what an attacker can do with it.
fix: Say what to write instead.
harm: code
languages:
  ${language}:
    sinks:
      - pattern: library.call
        args: [0]
    samples:
      must-match:
        - |
          code that shows it
      must-not-match:
        - |
          code of the same shape that does not
`,
    };
  },
  edits: () => ({}),
  next: 'Say in it which calls show it, and write both samples (docs/scanning.md#own-rules has the words); name it in src/compliance/mappings/check-groups.json; then `npm run docs`.',
};

const check: Kind = {
  name: "the check's name",
  files: (name) => ({
    [`src/monitor/checks/${name}.ts`]: `import { type MonitorCheck, defineRules, isInconclusiveResult } from '../probing/check.ts';
import { toReadablePage } from '../probing/to-readable-page.ts';

/** ${words(name)}: say what is checked, and by which standard. */

const RULES = defineRules('${name}', {
  wrong: {
    score: 5,
    title: 'Say what is wrong',
    fix: 'Say what to do about it.',
  },
});

export const ${camel(name)}: MonitorCheck = {
  name: '${name}',
  version: 1,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => target.kind === 'url',
  async run(target, probe) {
    const page = toReadablePage(await probe.page(target.name));
    if (isInconclusiveResult(page)) return page;
    return { problems: [] };
  },
};
`,
  }),
  edits: (name) => ({
    'src/monitor/checks/list.ts': (text) =>
      addEntry(
        addImport(text, `import { ${camel(name)} } from './${name}.ts';`),
        'export const checks: readonly MonitorCheck[] = [',
        '\n];',
        `\n  ${camel(name)},`,
      ),
    'test/monitor/check-samples.ts': (text) =>
      addEntry(
        text,
        'export const SAMPLES: Readonly<Record<string, CheckSamples>> = {',
        '\n};',
        `
  '${name}': {
    good: () => page({ certificate: 'good' }),
    bad: () => bad(page({ certificate: 'good' }), '${name}/wrong'),
    gone: dead,
  },`,
      ),
    'docs/monitoring.md': (text) =>
      addEntry(text, '| check | how often |', '\n\n', `\n| \`${name}\` | survey | say what it checks |`),
  }),
  next: 'Write the rules and the probe, and the samples in test/monitor/check-samples.ts (src/monitor/README.md); name the rules in src/compliance/mappings/check-groups.json, and say in docs/monitoring.md what it checks; then `npm run docs`.',
};

const platform: Kind = {
  name: "the platform's name in small letters",
  files: (name) => ({
    [`src/automation/platforms/${name}.ts`]: `import { AppError } from '../../errors.ts';
import type { AutomationPlatform } from '../platform.ts';

/** ${words(name)}: say where its API is described. */
export function create${pascal(name)}Platform(url: string): AutomationPlatform {
  const unwritten = () => new AppError('unavailable', \`automations at \${url} cannot be created yet\`);
  return {
    name: '${name}',
    title: '${words(name)}',
    api: '/api',
    rights: 'say which rights a key needs',
    authorize: (key) => ({ authorization: \`Bearer \${key}\` }),
    reason: () => undefined,
    team: 'say what a team is there',
    isTeam: (text) => /^[\\w-]{1,100}$/.test(text),
    placeholderTeam: 'me',
    compile() {
      throw unwritten();
    },
    async findAutomation() {
      throw unwritten();
    },
    async createAutomation() {
      throw unwritten();
    },
    async finishAutomation() {
      throw unwritten();
    },
  };
}
`,
  }),
  edits: (name) => ({
    'src/config/automation-settings.ts': (text) =>
      addEntry(text, 'export const AUTOMATION_PLATFORMS = [', '] as const', `, '${name}'`),
    'src/wiring/open/open-automation.ts': (text) =>
      addEntry(
        addImport(
          text,
          `import { create${pascal(name)}Platform } from '../../automation/platforms/${name}.ts';`,
        ),
        'const platforms: Readonly<Record<PlatformName, ConfiguredPlatform>> = {',
        '\n  };',
        `\n    '${name}': { platform: create${pascal(name)}Platform(set.get('${name}') ?? ''), baseUrl: set.get('${name}') },`,
      ),
    'src/server/console/automations.ts': (text) =>
      addEntry(
        text,
        'const PLATFORMS: Readonly<Record<PlatformName, string>> = {',
        ' };',
        `, '${name}': '${words(name)}'`,
      ),
  }),
  next: 'Write a local server that keeps to its documentation, and its entry in UNDER_TEST of test/automation/platforms/platforms.test.ts, which fails until then (src/automation/README.md).',
};

export const KINDS: Readonly<Record<string, Kind>> = {
  operation,
  engine,
  reader,
  'source-rule': sourceRule,
  'secret-rule': secretRule,
  check,
  catalogue,
  store,
  platform,
};
