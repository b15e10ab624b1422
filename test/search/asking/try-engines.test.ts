import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../../src/lib/network/fetch.ts';
import { tryEngines } from '../../../src/search/asking/try-engines.ts';
import { type EngineSite, hitsAt, startEngine } from '../../helpers/engine-site.ts';

/** Each kind of failure that an engine's test can name, from engines on loopback. */

let fetch: GuardedFetch;
let sites: EngineSite[];
beforeEach(() => {
  fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
  sites = [];
});
afterEach(async () => {
  await fetch.close();
  await Promise.all(sites.map((site) => site.close()));
});

test('the kind of each failure is named beside its text', async () => {
  const answers: Record<string, EngineSite['answer']> = {
    ok: { hits: hitsAt('a', 'b') },
    captcha: { body: 'captcha' },
    rate_limited: { status: 429 },
    changed: { body: '<main>' },
    refused: { status: 403 },
    nothing: { hits: [] },
    slow: 'hang',
    network: { hits: [] },
  };
  for (const [name, answer] of Object.entries(answers)) {
    const site = await startEngine(name);
    site.answer = answer;
    sites.push(site);
  }
  // The host of this one is no longer there.
  await sites.at(-1)?.close();
  const seen: string[] = [];
  const ask = (timeoutMs: number, isAsked: (name: string) => boolean) =>
    tryEngines({
      fetch,
      engines: sites.map(({ engine }) => engine).filter(({ name }) => isAsked(name)),
      trusted: [],
      timeoutMs,
      signal: new AbortController().signal,
      onTried: ({ name }) => void seen.push(name),
    });
  const isSlow = (name: string) => name === 'slow';
  // The limit of a fast one is beyond what a busy machine needs.
  const tried = [...(await ask(60_000, (name) => !isSlow(name))), ...(await ask(200, isSlow))];
  expect(Object.fromEntries(tried.map(({ name, kind = 'ok' }) => [name, kind]))).toEqual(
    Object.fromEntries(Object.keys(answers).map((name) => [name, name])),
  );
  expect(tried.every(({ ok, reason }) => ok === (reason === undefined))).toBe(true);
  expect(seen.toSorted()).toEqual(Object.keys(answers).toSorted());
});
