import type { RepositoryPractice, RepositoryView } from '../assessing/evidence.ts';
import practices from './practices.json' with { type: 'json' };

type PracticeState = Pick<RepositoryPractice, 'state' | 'detail'>;

const SHOWN_BY = Object.entries(practices.shownBy).map(([name, { pattern, flags, missing }]) => ({
  name,
  pattern: new RegExp(pattern, flags),
  missing,
}));

const CONTINUOUS_INTEGRATION = SHOWN_BY.find(({ name }) => name === 'continuous-integration');
const WORKFLOW = /^\.(?:github|forgejo|gitea)\/workflows\/[^/]+\.ya?ml$/;
const BINARY = /\.(?:exe|dll|so|dylib|class|jar|war|ear|a|lib|o|obj|pyc|pyo|node|apk|msi|deb|rpm)$/i;
const WRAPPER = /(?:^|\/)gradle-wrapper\.jar$/;
const MAX_CI_FILES = 100;
const MAX_CI_FILE_CHARACTERS = 200_000;

export async function readPractices(
  view: RepositoryView,
  subject: string,
  at: number,
): Promise<RepositoryPractice[]> {
  const { files, commits } = view;
  const seen = new Map<string, PracticeState>();
  for (const { name, pattern, missing } of SHOWN_BY) {
    const path = files.find((one) => pattern.test(one));
    seen.set(name, shownBy(path, missing));
  }
  const ci = files.filter((path) => CONTINUOUS_INTEGRATION?.pattern.test(path)).slice(0, MAX_CI_FILES);
  const texts = new Map<string, string>();
  for (const path of ci)
    texts.set(path, withoutComments(((await view.read(path)) ?? '').slice(0, MAX_CI_FILE_CHARACTERS)));
  for (const [name, { words, missing }] of Object.entries(practices.doneInCi)) {
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

const shownBy = (path: string | undefined, missing: string): PracticeState =>
  path === undefined ? { state: 'missing', detail: missing } : { state: 'kept', detail: path };

const withoutComments = (text: string): string => text.replace(/(^|\s)(?:#|\/\/).*$/gm, '$1');

function mentions(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some((word) => lower.includes(word));
}

function withoutBinaries(files: readonly string[]): PracticeState {
  const binaries = files.filter((path) => BINARY.test(path) && !WRAPPER.test(path));
  const [first] = binaries;
  if (first === undefined) return { state: 'kept', detail: `none among ${files.length} files` };
  return {
    state: 'missing',
    detail: `${binaries.length} built files are in the repository, such as ${first}`,
  };
}

function signatures({ seen, signed }: { readonly seen: number; readonly signed: number }): PracticeState {
  if (signed === seen) return { state: 'kept', detail: `all of the newest ${seen} commits are signed` };
  return { state: 'missing', detail: `${seen - signed} of the newest ${seen} commits are not signed` };
}

const LOCKED_BY: Readonly<Record<string, readonly string[]>> = practices.lockedBy;
/** Matches folders of third-party packages, tests and examples. Manifests in them need no lock file. */
const ASIDE = /(?:^|\/)(?:node_modules|vendor|third_party|tests?|fixtures|examples?|samples?|testdata)\//;

function checkLockfiles(files: readonly string[]): PracticeState {
  const there = new Set(files);
  const manifests = files.filter((path) => Object.hasOwn(LOCKED_BY, nameOf(path)) && !ASIDE.test(path));
  const open = manifests.filter((path) => !isLocked(path, there));
  if (manifests.length === 0) return { state: 'not_applicable', detail: 'no manifest of packages' };
  if (open.length === 0)
    return { state: 'kept', detail: `each of ${manifests.length} manifests has a lockfile` };
  return {
    state: 'missing',
    detail: `${open.length} of ${manifests.length} manifests have no lockfile, such as ${open[0]}`,
  };
}

function isLocked(manifest: string, there: ReadonlySet<string>): boolean {
  const locks = LOCKED_BY[nameOf(manifest)] ?? [];
  for (let folder = manifest; folder !== ''; ) {
    const slash = folder.lastIndexOf('/');
    folder = slash < 0 ? '' : folder.slice(0, slash);
    if (locks.some((lock) => there.has(folder === '' ? lock : `${folder}/${lock}`))) return true;
  }
  return false;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const USES = /(?:^|[\s{,])uses:\s*["']?([^\s"'#,}]{1,300})/g;
const PINNED = /@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/;

function checkPinnedActions(texts: ReadonlyMap<string, string>): PracticeState {
  let used = 0;
  const open: string[] = [];
  for (const [path, text] of texts) {
    if (!path.includes('/workflows/')) continue;
    for (const [, action = ''] of text.matchAll(USES)) {
      if (action.startsWith('./')) continue;
      used++;
      if (!PINNED.test(action)) open.push(`${action} in ${path}`);
    }
  }
  if (used === 0) return { state: 'not_applicable', detail: 'no workflow uses a third-party action' };
  if (open.length === 0) return { state: 'kept', detail: `all ${used} actions are pinned` };
  return {
    state: 'missing',
    detail: `${open.length} of ${used} actions are not pinned to a commit, such as ${open[0]}`,
  };
}
