import { judgeWatch } from '../../../src/browse/changes/judge-watch.ts';
import type { WatchedPage } from '../../../src/browse/changes/watched-page.ts';
import { toDataPage } from '../../../src/browse/extracting/data-page.ts';
import { readPage } from '../../../src/browse/readers/page.ts';
import type { PageNotice, PageWatch } from '../../../src/lib/watching/page-watch.ts';

export const HOUR_MS = 3_600_000;
export const BEGUN = Date.UTC(2026, 10, 24, 7, 20);

async function pageOf(body: string | Buffer, type: string, { extract }: PageWatch): Promise<WatchedPage> {
  const url = 'https://a.example/page';
  const bytes = Buffer.from(body as string);
  const { page } = await readPage({
    url,
    contentType: type,
    body: bytes,
    structured: true,
    watched: { selector: extract?.selector },
  });
  return { ...toDataPage(page), url, title: page.title, links: page.links ?? [] };
}

/** Watches a page by a clock of its own: each look is followed by those that are to confirm it. */
export function startWatcher(watch: PageWatch, { everyMs = HOUR_MS, confirmations = 1 } = {}) {
  let state: string | undefined;
  let now = BEGUN;
  let looks = 0;
  const notices: PageNotice[] = [];
  const settleMs = Math.max(HOUR_MS, 4 * everyMs);
  return {
    notices,
    looks: () => looks,
    size: () => state?.length ?? 0,
    async look(read: (look: number, now: number) => string | Buffer, type = 'text/html') {
      for (let more = 0; more < 5; more += 1) {
        looks += 1;
        const page = await pageOf(read(looks, now), type, watch);
        const verdict = judgeWatch(page, watch, state, { now, settleMs, confirmations });
        state = verdict.state;
        if (verdict.notice) notices.push(verdict.notice);
        if (!verdict.isPending) break;
        now += 10_000;
      }
      now += everyMs;
    },
  };
}
