import type { Practice, RepositoryView } from '../assessing/evidence.ts';
import { checkLockfiles } from './lockfiles.ts';
import { checkPinnedActions } from './pinned-actions.ts';

type Seen = Pick<Practice, 'state' | 'detail'>;

const SHOWN_BY: Readonly<Record<string, { readonly pattern: RegExp; readonly missing: string }>> = {
  'security-policy': {
    pattern:
      /^(?:\.github\/|\.gitlab\/|docs\/)?security(?:\.(?:md|txt|rst|adoc))?$|(?:^|\/)\.well-known\/security\.txt$/i,
    missing: 'no SECURITY.md says how to report a vulnerability',
  },
  license: {
    pattern: /^(?:licen[cs]e|copying|unlicense)(?:[.-][\w.-]{1,40})?$|^LICENSES\//i,
    missing: 'no LICENSE file',
  },
  'code-owners': {
    pattern: /^(?:\.github\/|\.gitlab\/|docs\/)?CODEOWNERS$/,
    missing: 'no CODEOWNERS file says who reviews what',
  },
  contributing: {
    pattern: /^(?:\.github\/|docs\/)?contributing(?:\.\w+)?$/i,
    missing: 'no CONTRIBUTING file',
  },
  'continuous-integration': {
    pattern:
      /^(?:\.(?:github|forgejo|gitea)\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|Jenkinsfile|azure-pipelines\.ya?ml|\.circleci\/config\.yml|\.travis\.yml|bitbucket-pipelines\.yml|\.drone\.yml|\.woodpecker(?:\.ya?ml|\/.+)|\.buildkite\/.+|cloudbuild\.ya?ml|\.?appveyor\.yml|\.ci\/run)$/,
    missing: 'no settings of continuous integration',
  },
  tests: {
    pattern:
      /(?:^|\/)(?:tests?|__tests__|specs?|testing)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$|_test\.\w+$|Tests?\.(?:java|kt|cs|php)$/,
    missing: 'no tests',
  },
  'dependency-updates': {
    pattern:
      /^(?:\.github\/dependabot\.ya?ml|(?:\.github\/|\.gitlab\/)?renovate\.json5?|\.renovaterc(?:\.json5?)?|\.pyup\.yml|\.scala-steward\.conf|updatecli\.d\/.+)$/,
    missing: 'no settings of a tool that proposes updates of dependencies',
  },
  fuzzing: { pattern: /(?:^|\/)fuzz(?:ing|ers?)?\/|^\.clusterfuzzlite\//, missing: 'no fuzz targets' },
};

const DONE_IN_CI: Readonly<Record<string, { readonly words: readonly string[]; readonly missing: string }>> =
  {
    'static-analysis': {
      words: [
        'codeql',
        'semgrep',
        'sonar',
        'bandit',
        'gosec',
        'brakeman',
        'snyk',
        'magpie scan',
        'magpie-mcp scan',
        'eslint',
        'staticcheck',
        'clippy',
        'ruff',
        'biome',
      ],
      missing: 'no static analysis in the settings of continuous integration',
    },
    'bill-of-materials': {
      words: ['cyclonedx', 'spdx', 'syft', 'sbom'],
      missing: 'no bill of materials in the settings of continuous integration',
    },
    provenance: {
      words: [
        'attest-build-provenance',
        'slsa-github-generator',
        'cosign',
        '--provenance',
        'sigstore',
        'gh-action-pypi-publish',
      ],
      missing: 'no provenance or signing of releases in the settings of continuous integration',
    },
  };

const WORKFLOW = /^\.(?:github|forgejo|gitea)\/workflows\/[^/]+\.ya?ml$/;
const BINARY = /\.(?:exe|dll|so|dylib|class|jar|war|ear|a|lib|o|obj|pyc|pyo|node|apk|msi|deb|rpm)$/i;
const WRAPPER = /(?:^|\/)gradle-wrapper\.jar$/;
const MAX_CI_FILES = 100;
const MAX_CI_FILE_CHARACTERS = 200_000;

/** Leaves out `signed-commits` for a folder without commits. */
export async function readPractices(view: RepositoryView, subject: string, at: number): Promise<Practice[]> {
  const { files, commits } = view;
  const seen = new Map<string, Seen>();
  for (const [name, { pattern, missing }] of Object.entries(SHOWN_BY)) {
    const path = files.find((one) => pattern.test(one));
    seen.set(name, shownBy(path, missing));
  }
  const ci = files
    .filter((path) => SHOWN_BY['continuous-integration']?.pattern.test(path))
    .slice(0, MAX_CI_FILES);
  const texts = new Map<string, string>();
  for (const path of ci)
    texts.set(path, withoutComments(((await view.read(path)) ?? '').slice(0, MAX_CI_FILE_CHARACTERS)));
  for (const [name, { words, missing }] of Object.entries(DONE_IN_CI)) {
    const path = [...texts].find(([, text]) => mentions(text, words))?.[0];
    seen.set(name, shownBy(path, missing));
  }
  const bill = files.find((path) => /(?:\.cdx|\.spdx|(?:^|\/)s?bom)\.(?:json|xml)$/i.test(path));
  if (bill !== undefined) seen.set('bill-of-materials', { state: 'kept', detail: bill });
  seen.set('lockfiles', checkLockfiles(files));
  seen.set('pinned-actions', checkPinnedActions(texts));
  const workflow = files.find((path) => WORKFLOW.test(path));
  seen.set(
    'workflows',
    workflow === undefined
      ? { state: 'not_applicable', detail: 'no workflows' }
      : { state: 'kept', detail: workflow },
  );
  seen.set('no-binaries', withoutBinaries(files));
  if (commits && commits.seen > 0) seen.set('signed-commits', signatures(commits));
  return [...seen].map(([name, one]) => ({ name, ...one, subject, at }));
}

function shownBy(path: string | undefined, missing: string): Seen {
  return path === undefined ? { state: 'missing', detail: missing } : { state: 'kept', detail: path };
}

function withoutComments(text: string): string {
  return text.replace(/(^|\s)(?:#|\/\/).*$/gm, '$1');
}

function mentions(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some((word) => lower.includes(word));
}

function withoutBinaries(files: readonly string[]): Seen {
  const binaries = files.filter((path) => BINARY.test(path) && !WRAPPER.test(path));
  const [first] = binaries;
  if (first === undefined) return { state: 'kept', detail: `none among ${files.length} files` };
  return {
    state: 'missing',
    detail: `${binaries.length} built files are in the repository, such as ${first}`,
  };
}

function signatures({ seen, signed }: { readonly seen: number; readonly signed: number }): Seen {
  if (signed === seen) return { state: 'kept', detail: `all of the newest ${seen} commits are signed` };
  return { state: 'missing', detail: `${seen - signed} of the newest ${seen} commits are not signed` };
}
