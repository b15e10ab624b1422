import { expect, test } from 'vitest';
import { noisyPage } from '../monitor/watching/noisy-pages.ts';
import { startWatcher } from '../monitor/watching/watcher.ts';

/** 200 pages that change at every hour of a week, in nothing that matters: dates, counters, advertisements, ids, links. */

const [PAGES, HOURS] = [200, 168];

test('pages that change in nothing that matters are silent for a week', async () => {
  const noticed: unknown[] = [];
  for (let number = 0; number < PAGES; number += 1) {
    const page = noisyPage(number);
    const watched = startWatcher({});
    for (let hour = 0; hour < HOURS; hour += 1) await watched.look((look, now) => page.html(look, now));
    if (watched.notices.length > 0) noticed.push({ number, notices: watched.notices });
  }
  expect(noticed).toEqual([]);
}, 3_600_000);
