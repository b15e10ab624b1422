// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflows are written so

import { describe, expect, test } from 'vitest';
import { withPatches } from '../../../src/security/findings/patches.ts';
import contexts from '../../../src/security/scanners/infrastructure/pipelines/contexts.json' with {
  type: 'json',
};
import {
  expressionContexts,
  findFencedExpressions,
  normalizeExpression,
  parseExpression,
} from '../../../src/security/scanners/infrastructure/pipelines/expression.ts';
import { createInfrastructureScanner } from '../../../src/security/scanners/infrastructure.ts';

const scanner = createInfrastructureScanner();

/** Findings above info, and those of info where `all` is given, as `line rule severity`. */
async function scan(text: string, path = '.github/workflows/a.yml', all = false): Promise<string[]> {
  const findings = await scanner.scan({ path, text }, { deep: false });
  return findings
    .filter(({ severity }) => all || severity !== 'info')
    .map(({ id, line, severity }) => `${line} ${id.replace('infrastructure/', '')} ${severity}`);
}

async function rulesIn(text: string, path?: string): Promise<string[]> {
  return (await scan(text, path, true)).map((one) => one.split(' ')[1] ?? '');
}

/** A workflow with one job. Its steps begin in line 8. */
function workflow(steps: string, on = 'pull_request_target', job = ''): string {
  return `name: a\non: ${on}\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${steps}\n${job}`;
}

/** Numbers between 0 and 1 that are the same in each run. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const SINKS: readonly ((expression: string) => string)[] = [
  (one) => `      - run: echo "${one}"`,
  (one) => `      - run: |\n          make\n          echo ${one} | cat`,
  (one) => `      - run: >-\n          make\n          '${one}'`,
  (one) => `      - {run: 'x ${one.replaceAll("'", "''")}', shell: pwsh}`,
  (one) =>
    `      - uses: actions/github-script@v8\n        with:\n          script: |\n            f("${one}")`,
  (one) => `      - uses: Actions/GitHub-Script@v8\n        with:\n          Script: f("${one}")`,
  (one) => `      - uses: azure/cli@v2\n        with:\n          inlineScript: az ${one}`,
];

/** Other ways to write a context, by dots, by indexes and in any case, and values that it is part of. */
function spellings(path: string, draw: () => number): string {
  const [first = '', ...rest] = path.replaceAll('.*', `[${Math.floor(draw() * 3)}]`).split('.');
  const cased = (name: string) => (draw() < 0.3 ? name.toUpperCase() : name);
  const inner = rest.map((name) => {
    const [, plain = '', index = ''] = /^(\w+)(.*)$/.exec(name) ?? [];
    return draw() < 0.4 ? `[ '${cased(plain)}' ]${index}` : `.${cased(plain)}${index}`;
  });
  const context = `${cased(first)}${inner.join('')}`;
  const wrapped = [
    context,
    `(${context})`,
    `format('{0}', ${context})`,
    `toJSON(${context})`,
    `github.ref == 'x' && ${context}`,
    `'a' || ${context}`,
    `case(true, ${context}, 'b')`,
    `fromJSON(toJSON(${context}))`,
  ];
  const space = ' '.repeat(Math.floor(draw() * 4));
  return `\${{${space}${wrapped[Math.floor(draw() * wrapped.length)]}${space}}}`;
}

test('each text that strangers write is found in each script, however it is spelled', async () => {
  const draw = draws(7);
  for (const path of contexts.anyone)
    for (const sink of SINKS) {
      const expression = spellings(path, draw);
      const text = workflow(sink(expression));
      const line = text.split('\n').findIndex((one) => one.includes('${{')) + 1;
      expect(await scan(text), text).toContain(`${line} workflow-script-injection high`);
    }
});

const SAFE = [
  'github.sha',
  'github.run_id',
  'github.repository',
  'github.actor',
  'github.event.number',
  'github.event.pull_request.head.sha',
  'github.event.issue.html_url',
  'runner.os',
  'strategy.job-index',
  'secrets.TOKEN',
  'vars.NAME',
  'steps.a.outcome',
  'needs.a.result',
  'matrix.os',
  'env.FIXED',
  'inputs.level',
  "'text'",
  '42',
];

/** An expression out of safe parts, and of comparisons with what strangers write, which are only true or false. */
function safeExpression(draw: () => number, depth: number): string {
  const one = () => safeExpression(draw, depth - 1);
  const foreign = contexts.anyone[Math.floor(draw() * contexts.anyone.length)] ?? '';
  const simple = SAFE[Math.floor(draw() * SAFE.length)] ?? '';
  if (depth === 0) return simple;
  return [
    simple,
    () => `${one()} || ${one()}`,
    () => `(${one()}) && ${one()}`,
    () => `format('{0} {1}', ${one()}, ${one()})`,
    () => `${foreign} == ${one()}`,
    () => `contains(${foreign}, 'x')`,
    () => `!startsWith(${foreign}, ${one()})`,
    () => `hashFiles(${foreign})`,
    () => `case(${foreign} != '', ${one()}, ${one()})`,
    () => `(${foreign} < 3) && ${one()}`,
  ]
    .map((each) => (typeof each === 'string' ? each : each()))
    .at(Math.floor(draw() * 10)) as string;
}

test('no expression without text of others is reported as put into a script', async () => {
  const draw = draws(11);
  const on = '{workflow_dispatch: {inputs: {level: {type: choice, options: [a]}}}}';
  for (let i = 0; i < 150; i++) {
    const expression = `\${{ ${safeExpression(draw, 2)} }}`;
    const sink = SINKS[i % SINKS.length] as (typeof SINKS)[number];
    const job = '    env: {FIXED: a}\n    strategy: {matrix: {os: [a, b]}}';
    const found = await rulesIn(workflow(sink(expression), on, job));
    expect(
      found.filter((rule) => rule.startsWith('workflow-script-')),
      expression,
    ).toEqual([]);
  }
});

describe('values are followed to where they are set', () => {
  const run = (expression: string) => `      - run: echo "\${{ ${expression} }}"`;
  const title = '"${{ github.event.issue.title }}"';
  test.each([
    ['env of the step', `${run('env.A')}\n        env: {a: ${title}}`, '', 'high'],
    ['env of the job', run('env.A'), `    env: {A: ${title}}`, 'high'],
    [
      'env of the step before that of the job',
      `${run('env.A')}\n        env: {A: b}`,
      `    env: {A: ${title}}`,
    ],
    ['env that names another', run('env.A'), `    env: {A: "\${{ env.B }}", B: ${title}}`, 'high'],
    ['matrix', run('matrix.a'), `    strategy: {matrix: {a: [1, ${title}]}}`, 'high'],
    [
      'matrix of objects',
      run('matrix.a.b'),
      `    strategy: {matrix: {include: [{a: {b: ${title}}}]}}`,
      'high',
    ],
    ['fixed matrix beside', run('matrix.a'), `    strategy: {matrix: {a: [1], b: [${title}]}}`],
    [
      'matrix of a job',
      run('matrix.a'),
      '    strategy: {matrix: {a: "${{ fromJSON(needs.b.outputs.c) }}"}}',
      'info',
    ],
    ['output of a job', run('needs.b.outputs.c'), '', 'info'],
    ['input', run('github.event.inputs.a'), '', 'low'],
    ['branch', run('github.ref_name'), '', 'low'],
    [
      'changed files',
      `      - {id: F, uses: tj-actions/changed-files@v46}\n${run('steps.f.outputs.all_changed_files')}`,
      '',
      'high',
    ],
  ])('%s', async (_, steps, job, severity = '') => {
    const found = (await scan(workflow(steps, 'push', job), undefined, true))
      .filter((one) => one.includes('workflow-script-'))
      .map((one) => one.split(' ')[2]);
    expect(found).toEqual(severity === '' ? [] : [severity]);
  });

  test('an alias is reported where it is used', async () => {
    const text = workflow('      - run: *cmd', 'push').replace(
      'permissions',
      'env: {CMD: &cmd "echo ${{ github.head_ref }}"}\npermissions',
    );
    expect(await scan(text)).toContain('9 workflow-script-injection high');
  });
});

test('invalid and hostile expressions are read without an error, and end the search where they are not closed', () => {
  const open = [
    `\${{ ${'('.repeat(5000)} }}`,
    `\${{ ${'!'.repeat(5000)}a }}`,
    `\${{ a${'[0]'.repeat(5000)} }}`,
    `\${{ a${'.b'.repeat(5000)} }}`,
    `\${{ ${'a || '.repeat(3000)}b }}`,
    "${{ 'a }}",
    '${{ constructor(a) }}',
    '${{ a.__proto__ }}',
    '${{ }}',
    '${{ a b }}',
    '${{ .5.x }}',
  ];
  for (const text of open) {
    const fences = findFencedExpressions(text);
    expect(fences.length).toBeLessThanOrEqual(1);
    for (const { expression } of fences) expect(expressionContexts(expression).length).toBeLessThan(4000);
  }
  expect(findFencedExpressions("${{ a }} ${{ '}}' }} ${{ b").map(({ start, end }) => [start, end])).toEqual([
    [0, 8],
    [9, 20],
  ]);
});

test.each([
  ["GitHub.Actor  ==   'a'", "(github.actor == 'a')"],
  ['a || b && !c', '(a || (b && !c))'],
  ['a == b != c', '((a == b) != c)'],
  ["x['Y'].*.z[0][w]", 'x.y.*.z.*.[]'],
  ['(a || b).c.d', '(a || b).c.d'],
  ["f( 'it''s', 1e3, -2.5 )", "f('it''s', 1e3, -2.5)".replace("''", "'")],
  ['true && NULL', '(true && null)'],
])('%s is read as %s', (source, normal) => {
  const expression = parseExpression(source);
  expect(expression && normalizeExpression(expression).at(-1)).toBe(normal);
});

describe('what is right is not reported', () => {
  test.each<[string, string, string, string]>([
    [
      'a checkout of a release',
      'workflow_run',
      "    if: github.event.workflow_run.event == 'release'",
      'low',
    ],
    [
      'a checkout of the own repository',
      'pull_request_target',
      '    if: github.event.pull_request.head.repo.full_name == github.repository',
      'low',
    ],
    [
      'a checkout of members',
      'pull_request_target',
      `    if: contains(fromJSON('["OWNER", "MEMBER"]'), github.event.pull_request.author_association)`,
      'low',
    ],
    [
      'a checkout of the owner',
      'pull_request_target',
      "    if: github.event.pull_request.author_association == 'OWNER'",
      'low',
    ],
    ...[
      "github.event.pull_request.author_association != 'OWNER'",
      "github.event.pull_request.author_association == 'NONE'",
      `"!contains(fromJSON('[\\"OWNER\\"]'), github.event.pull_request.author_association)"`,
      `contains(fromJSON('["OWNER", "NONE"]'), github.event.pull_request.author_association)`,
    ].map((one): [string, string, string, string] => [
      'a checkout of strangers',
      'pull_request_target',
      `    if: ${one}`,
      'critical',
    ]),
    ['any checkout', 'workflow_run', "    if: github.event.workflow_run.conclusion == 'success'", 'critical'],
  ])('%s is judged by its condition', async (_, on, job, severity) => {
    const step =
      '      - uses: actions/checkout@v7\n        with: {ref: "${{ github.event.workflow_run.head_sha || github.head_ref }}", persist-credentials: false}';
    expect(await scan(workflow(step, on, job))).toContain(`9 workflow-untrusted-checkout ${severity}`);
  });

  test.each([
    ['{push: {tags: ["v*"]}}', "cache: ${{ !startsWith(github.ref, 'refs/tags/') }}", false],
    ['{push: {tags: ["v*"]}}', "cache: ${{ github.ref_type != 'tag' && inputs.cache }}", false],
    ['{push: {tags: ["v*"]}}', "cache: ${{ startsWith(github.ref, 'refs/tags/') }}", true],
    ['{push: {tags: ["v*"], branches: [release]}}', "cache: ${{ github.ref_type != 'tag' }}", true],
    ['release', 'go-version: stable', true],
    ['push', 'cache: true', false],
  ])('a cache in a workflow on %s with %s: %s', async (on, input, isFound) => {
    const found = await rulesIn(
      workflow(`      - uses: actions/setup-go@v6\n        with:\n          ${input}`, on),
    );
    expect(found.includes('workflow-cache-poisoning')).toBe(isFound);
  });

  test.each([
    ['npm install', false],
    ['npm ci --prefix web', false],
    ['npm i -D ./local.tgz', false],
    ['# gem install rake', false],
    ['npm install --registry https://acme.dev typescript', true],
    ['yarn global add "serve@14"', true],
    ['cd web && pnpm add -w left-pad', true],
    ['sudo npm --silent i -g @acme/cli', true],
    ['npm \\\n            install \\\n            typescript', true],
  ])('%s installs beside the lockfile: %s', async (command, isFound) => {
    const found = await rulesIn(workflow(`      - run: |\n            make\n            ${command}`, 'push'));
    expect(found.includes('pipeline-unlocked-packages')).toBe(isFound);
  });

  test.each([
    ['echo "A=1" >> $GITHUB_ENV', false],
    ['printf "A=1\\n" | tee -a "$GITHUB_ENV"', false],
    ['echo "A=$A" >> $GITHUB_OUTPUT', false],
    ['# echo "$A" >> $GITHUB_PATH', false],
    ['echo "A=$(cat a)" >> ${GITHUB_ENV}', true],
    ['cat a.env >> "$GITHUB_ENV"', true],
    ['if true; then echo "A=1" >> "$GITHUB_ENV"; fi', false],
    ['cd a && echo "A=$A" >> "$GITHUB_ENV"', true],
    ['echo %A% >> %GITHUB_PATH%', true],
    ['"A=$env:B" | Out-File -Append $env:GITHUB_ENV', true],
  ])('%s sets variables of later steps: %s', async (command, isFound) => {
    const text = workflow(`      - run: |\n          ${command}`);
    expect((await rulesIn(text)).includes('workflow-environment-write')).toBe(isFound);
    expect(await rulesIn(text.replace('pull_request_target', 'push'))).not.toContain(
      'workflow-environment-write',
    );
  });
});

test('a job that uploads the whole folder with the token in it is medium', async () => {
  const steps = (version: number, path: string) =>
    workflow(
      `      - uses: actions/checkout@v${version}\n      - uses: actions/upload-artifact@v4\n        with: {name: a, path: ${path}}`,
      'push',
    );
  expect(await scan(steps(4, '.'))).toContain('8 workflow-persisted-credentials medium');
  expect(await scan(steps(4, '"${{ github.workspace }}"'))).toContain(
    '8 workflow-persisted-credentials medium',
  );
  expect(await scan(steps(4, 'dist'))).toContain('8 workflow-persisted-credentials low');
  expect(await scan(steps(6, '.'))).toEqual([]);
});

test('images without a version are named wherever a workflow or an action runs one', async () => {
  const jobs = 'a: {container: node, services: {b: {image: "acme/c:latest"}, c: {image: "acme/c:1"}}}';
  const steps = 'b: {steps: [{uses: "docker://alpine"}, {uses: "docker://ghcr.io:443/acme/c@sha256:0a"}]}';
  const matrix =
    'c: {strategy: {matrix: {container: [node, "node:24"]}}, container: "${{ matrix.container }}"}';
  const images = async (text: string, path?: string) =>
    (await rulesIn(text, path)).filter((rule) => rule === 'unpinned-image').length;
  expect(await images(`on: push\njobs:\n  ${jobs}\n  ${steps}\n  ${matrix}\n`)).toBe(3);
  expect(await images('runs: {using: docker, image: docker://acme/a}', 'action.yml')).toBe(1);
  expect(await images('runs: {using: docker, image: Dockerfile}', 'action.yml')).toBe(0);
});

test('the password of a container is named and not shown', async () => {
  const text =
    'on: push\njobs: {a: {container: {image: "a:1", credentials: {username: a, password: blueOstrich}}}}';
  const findings = await scanner.scan({ path: '.github/workflows/a.yml', text }, { deep: false });
  const found = findings.find(({ id }) => id.endsWith('workflow-container-password'));
  expect(found).toMatchObject({ severity: 'high', hides: ['blueOstrich'] });
  expect(JSON.stringify({ ...found, hides: [] })).not.toContain('blueOstrich');
});

test('GitLab: components, traces and texts of others', async () => {
  const text = `include:
  - component: gitlab.com/acme/deploy@~latest
  - component: gitlab.com/acme/deploy@1.2.3
variables: {CI_DEBUG_TRACE: {value: "true"}}
a:
  before_script: npm install -g serve
  script:
    - |
      make
      sh -c "$CI_COMMIT_TITLE"
`;
  expect(await scan(text, '.gitlab-ci.yml')).toEqual([
    '2 unpinned-module low',
    '4 pipeline-debug-trace medium',
    '6 pipeline-unlocked-packages low',
    '10 pipeline-eval high',
  ]);
});

test('mechanical fixes are patches', async () => {
  const patched = async (path: string, text: string, rule: string) => {
    const raw = await scanner.scan({ path, text }, { deep: false });
    const findings = raw
      .filter(({ id }) => id === `infrastructure/${rule}`)
      .map((one) => ({ ...one, scanners: [], fingerprint: '' }));
    const tree = {
      files: [{ path, bytes: text.length }],
      read: async () => Buffer.from(text),
    } as unknown as Parameters<typeof withPatches>[1];
    return (await withPatches(findings, tree)).map(({ patch }) => patch?.after.trim());
  };
  const dependabot = 'updates:\n  - package-ecosystem: pip\n    insecure-external-code-execution: allow\n';
  expect(await patched('.github/dependabot.yml', dependabot, 'dependabot-execution')).toEqual([
    'insecure-external-code-execution: deny',
  ]);
  const hooks = 'repos:\n  - repo: http://acme.dev/hooks\n';
  expect(await patched('.pre-commit-config.yaml', hooks, 'precommit-plain-url')).toEqual([
    '- repo: https://acme.dev/hooks',
  ]);
  const condition = workflow('      - run: make\n        if: |\n          ${{ a }}');
  expect(await patched('.github/workflows/a.yml', condition, 'workflow-always-true')).toEqual(['if: |-']);
});

test('texts that aliases repeat beyond a limit are a gap, and the rest of the file is searched', async () => {
  const repeated = `env: {a: &a "${'${{a}}'.repeat(4000)}"}\nx: [${'*a,'.repeat(9000)}]\n`;
  const text = `${repeated}${workflow('      - run: echo "${{ github.head_ref }}"')}`;
  const left: string[] = [];
  const file = { path: '.github/workflows/a.yml', text };
  const found = await scanner.scan(file, { deep: false, leave: (what) => left.push(what) });
  expect(left).toEqual(['texts over the first 500000 characters of aliases are not read']);
  expect(found).toContainEqual(
    expect.objectContaining({ id: 'infrastructure/workflow-script-injection', line: 10 }),
  );
});

test('an alias stands for the last anchor of its name before it', async () => {
  const steps = '      - run: &a make\n      - run: &a "echo ${{ github.head_ref }}"\n      - run: *a';
  expect((await scan(workflow(steps))).filter((one) => one.includes('injection'))).toEqual([
    '9 workflow-script-injection high',
    '10 workflow-script-injection high',
  ]);
});

test('each of many expressions of a script is reported in its own line', async () => {
  const lines = Array.from({ length: 250 }, () => '          echo ${{ github.sha }} ${{ github.head_ref }}');
  const found = (await scan(workflow(`      - run: |\n${lines.join('\n')}`))).filter((one) =>
    one.includes('injection'),
  );
  expect(found).toEqual(lines.map((_, at) => `${at + 9} workflow-script-injection high`));
});

test.each([
  ['gh pr checkout ${{ github.event.number }} && make', true],
  ['gh pr checkout "$NUMBER"', true],
  ['git fetch origin pull/${{ github.event.number }}/head && git checkout FETCH_HEAD', true],
  ['git fetch origin "pull/$N/merge:a"\n          git -C . switch a', true],
  ['git pull origin refs/pull/$N/head', true],
  ['git checkout ${{ github.event.pull_request.head.sha }}', true],
  ['# gh pr checkout 1', false],
  ['gh pr view $N', false],
  ['git fetch origin pull/$N/head && git diff FETCH_HEAD', false],
  ['git fetch origin main && git checkout FETCH_HEAD', false],
  ['git checkout ${{ github.event.pull_request.base.sha }}', false],
])('%s checks out what strangers sent: %s', async (command, isFound) => {
  const text = workflow(`      - run: |\n          ${command}`);
  const rule = 'workflow-untrusted-checkout';
  expect((await scan(text)).includes(`9 ${rule} critical`)).toBe(isFound);
  expect(await rulesIn(text.replace('pull_request_target', 'push'))).not.toContain(rule);
  const guard = "    if: github.event.pull_request.author_association == 'MEMBER'";
  const guarded = await scan(workflow(`      - run: |\n          ${command}`, undefined, guard));
  expect(guarded.includes(`9 ${rule} low`)).toBe(isFound);
});
