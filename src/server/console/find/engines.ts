import { html } from 'hono/html';
import { AppError } from '../../../errors.ts';
import {
  describeEngineAccess,
  describeEngineRefusal,
  describeEngineTerms,
  describeQuestionReceiver,
  describeQuestionReceivers,
} from '../../../lib/describe-engines.ts';
import { isNetworkDownMessage } from '../../../lib/network/network-failure.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { formatDuration } from '../../../lib/time/duration.ts';
import type { EngineHealth, EngineProfile, TriedEngine } from '../../../search/types.ts';
import type { Html } from '../../html.ts';
import { disconnectSignal } from '../../http/edge.ts';
import { formTokenField, safeWebAddress } from '../frame/frame.ts';
import { type ConsoleContext, requireScope } from '../frame/page.ts';
import { putFlash } from '../frame/visitor.ts';

const TEST = { name: 'engines test', effect: 'read', openWorld: true } as const;

export function addEnginesPage(parts: ConsoleContext): void {
  const { services, accounting } = parts.pipe;
  /** Result of the last test. All users may see it, because it contains no user data. */
  let last: EngineTest | undefined;
  let running = false;

  parts.get('/engines', async (_c, visitor) => {
    requireScope(visitor, 'read');
    const search = await services.search();
    const health = await search.readHealth();
    const paused = health.filter(({ pausedUntil }) => pausedUntil !== undefined).length;
    const offline = isOffline(health, last);
    const test = html`<form method="post" action="/app/engines/test">${formTokenField(visitor)}<button class="main">Test now</button></form>`;
    return {
      title: 'Engines',
      about: `${formatCount(health.length, 'engine')} in use${paused > 0 ? `, ${paused} left alone for a while` : ''}. A search asks those that fit the question.`,
      place: 'engines',
      action: test,
      body: html`${offline ? html`<div class="caution" role="status"><p><b>Check this machine's network connection.</b></p><p>No engine that was asked lately could be reached.</p></div>` : ''}${last ? html`<p class="quiet">Tested ${formatDuration(Date.now() - last.at)} ago: ${last.tried.filter(({ ok }) => ok).length} of ${last.tried.length} answered.</p>` : ''}
<section class="panel"><h2>Who gets a question</h2>${describeQuestionReceivers(health).map((words) => html`<p>${words}</p>`)}</section>
${health.length === 0 ? html`<section class="panel empty"><h2>No engine is in use</h2><p>MAGPIE_ENGINES names the engines that are asked.</p></section>` : table(health, last?.tried ?? [], offline)}
<p class="quiet">Engines that refuse are left alone for seconds up to an hour: docs/engines.md has each.</p>${search.remedies.map((remedy) => html`<p class="quiet">${withCode(remedy)}</p>`)}`,
    };
  });

  parts.post('/engines/test', async (c, visitor) => {
    requireScope(visitor, 'read');
    if (running)
      throw new AppError('rate_limited', 'a test is under way already: load the page again in a moment');
    running = true;
    const signal = disconnectSignal(c);
    const leave = await accounting?.enterCall(visitor.caller, TEST, signal).catch((thrown: unknown) => {
      running = false;
      throw thrown;
    });
    try {
      const { tried } = await services.maintenance.testEngines(
        { names: [], all: false },
        { signal, tried: () => {} },
      );
      last = { at: Date.now(), tried };
      putFlash(
        c,
        `${tried.filter(({ ok }) => ok).length} of ${formatCount(tried.length, 'engine')} answered.`,
      );
    } finally {
      running = false;
      leave?.();
    }
    return '/app/engines';
  });
}

function withCode(sentence: string): Html {
  return html`${sentence.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

interface EngineTest {
  readonly at: number;
  readonly tried: readonly TriedEngine[];
}

function isOffline(health: readonly EngineHealth[], tested: EngineTest | undefined): boolean {
  const outcomes = health.flatMap(({ name, last }) => {
    const tried = tested?.tried.find((one) => one.name === name);
    const latest = tested && tried && tested.at >= (last?.at ?? 0) ? tried : last;
    return latest ? [latest] : [];
  });
  return outcomes.length > 1 && outcomes.every(({ ok, reason }) => !ok && isNetworkDownMessage(reason ?? ''));
}

function table(health: readonly EngineHealth[], tried: readonly TriedEngine[], offline: boolean): Html {
  const shortly = <T extends { readonly reason?: string }>(one: T): T =>
    offline && isNetworkDownMessage(one.reason ?? '') ? { ...one, reason: 'no network' } : one;
  return html`<section class="panel" aria-label="Engines"><div class="scroll" tabindex="0" role="region" aria-label="Table of engines"><table class="cards"><thead><tr><th>Engine</th><th>Who gets the question</th><th>State</th><th>Last search</th><th class="one">Last test</th></tr></thead><tbody>${health.map(
    (one) => {
      const { last } = one;
      const tested = tried.find(({ name }) => name === one.name);
      return html`<tr><td class="one"><b>${one.name}</b><br><span class="tag ${one.about.access === 'official' ? 'info' : ''}">${one.about.access === 'official' ? 'official' : 'page'}</span></td><td>${receiver(one.about)}</td><td>${state(one)}</td><td>${lastSearch(last && shortly(last))}</td><td>${test(tested && shortly(tested))}</td></tr>`;
    },
  )}</tbody></table></div></section>`;
}

function receiver(about: EngineProfile): Html {
  const { title, sources = [], checked } = about;
  const links = sources.flatMap((source) => safeWebAddress(source) ?? []);
  return html`${describeQuestionReceiver(about)}<details><summary aria-label="Limits and terms of ${title}">Limits and terms</summary>${[describeEngineAccess(about), ...describeEngineTerms(about)].map((line) => html`<p class="quiet">${line}</p>`)}${
    links.length > 0
      ? html`<p class="quiet">Read ${checked ? `on ${checked} ` : ''}at ${links.map((link, at) => html`${at > 0 ? ', ' : ''}<a href="${link}" rel="noreferrer">${new URL(link).host}</a>`)}.</p>`
      : ''
  }</details>`;
}

function state({ pausedUntil, pausedWhy, last }: EngineHealth): Html {
  if (pausedUntil !== undefined) {
    return html`<span class="tag warn">left alone, ${formatDuration(Math.max(1000, pausedUntil - Date.now()))}</span><br><span class="quiet">${pausedWhy ?? ''}</span>`;
  }
  if (last === undefined) return html`<span class="tag">not asked yet</span>`;
  return last.ok ? html`<span class="tag good">answers</span>` : html`<span class="tag bad">no answer</span>`;
}

function lastSearch(last: EngineHealth['last']): Html | string {
  if (last === undefined) return '';
  const { at, ok, hits, ms, reason } = last;
  return html`${ok ? `${formatCount(hits, 'result')} in ${ms} ms` : (reason ?? 'no answer')} <span class="quiet">${formatDuration(Math.max(1000, Date.now() - at))} ago</span>`;
}

function test(one: TriedEngine | undefined): Html {
  if (one === undefined) return html`<span class="quiet">not tested</span>`;
  return one.ok
    ? html`<span class="tag good">answered</span> <span class="quiet">${formatCount(one.hits, 'result')}, ${one.ms} ms</span>`
    : html`<span class="tag bad">${describeEngineRefusal(one.kind)}</span> <span class="quiet">${one.reason ?? ''}</span>`;
}
