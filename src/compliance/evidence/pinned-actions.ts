import type { Practice } from '../assessing/evidence.ts';

const USES = /(?:^|[\s{,])uses:\s*["']?([^\s"'#,}]{1,300})/g;
const PINNED = /@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/;

/** Checks that third-party actions are pinned to a commit. `texts` are workflows without comments, by path. */
export function checkPinnedActions(texts: ReadonlyMap<string, string>): Pick<Practice, 'state' | 'detail'> {
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
