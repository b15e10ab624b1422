import { expect, test } from 'vitest';
import { noisyPage } from '../monitor/watching/noisy-pages.ts';
import { HOUR_MS, startWatcher } from '../monitor/watching/watcher.ts';

/** 200 pages that change at each look of a week, every six hours, in nothing that matters: dates, counters, advertisements, ids, links. */

const [PAGES, LOOKS, EVERY_MS] = [200, 28, 6 * HOUR_MS];

test('pages that change in nothing that matters are silent for a week', async () => {
  const noticed: unknown[] = [];
  for (let number = 0; number < PAGES; number += 1) {
    const page = noisyPage(number);
    const watched = startWatcher({}, { everyMs: EVERY_MS });
    for (let look = 0; look < LOOKS; look += 1) await watched.look((at, now) => page.html(at, now));
    if (watched.notices.length > 0) noticed.push({ number, notices: watched.notices });
  }
  expect(noticed).toEqual([]);
}, 3_600_000);
