import type { Context } from 'hono';
import { html } from 'hono/html';
import type {
  AccessControl,
  CallUsageLog,
  DailyCallCount,
  KeyRecord,
  KeyWithState,
  MadeKey,
} from '../../access/types.ts';
import { ACCESS_SCOPES, type AccessScope } from '../../caller.ts';
import { asAppError, badRequestError, forbiddenError, notFoundError } from '../../errors.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { formatDuration, parseDuration } from '../../lib/time/duration.ts';
import type { SubmittedForm } from '../app/form.ts';
import { type Html, toSentence } from '../html.ts';
import type { HttpEnv } from '../http/edge.ts';
import { type ConsolePage, formTokenField } from './frame/frame.ts';
import { type ConsoleContext, formatDateUtc, type PageResult } from './frame/page.ts';
import { clampPage, pageLinks } from './frame/paging.ts';
import { type ConsoleVisitor, putFlash } from './frame/visitor.ts';

/** Only a visitor with all scopes can create a key. A key expires no later than its creator's credential. */

const PAGE_SIZE = 20;
const OLD_KEY_MS = 90 * 86_400_000;

type KeyForm = Readonly<Record<'name' | 'expires', string>> & { readonly scopes: readonly AccessScope[] };
const FRESH: KeyForm = { name: '', expires: '90d', scopes: ACCESS_SCOPES };

export function addKeysPage(parts: ConsoleContext): void {
  const access = () => parts.pipe.services.identity.access();
  parts.get('/keys', async (c, visitor) => {
    mayManage(visitor);
    return keysPage(await access(), visitor, { page: c.req.query('page'), id: c.req.query('id') });
  });

  parts.post('/keys/make', async (c, visitor, form) => {
    mayManage(visitor);
    const { keys, ...room } = await access();
    const entered = enteredIn(form);
    try {
      const expiry = await latestEnd({ keys }, visitor);
      const wanted = { scopes: scopesOf(entered, visitor), lifetimeMs: lifetimeOf(entered.expires, expiry) };
      const made = await keys.createKey(
        omitUndefined({ user: visitor.caller.id, name: entered.name, ...wanted }),
      );
      await keys.whenApplied();
      return await shown(parts, c, visitor, made);
    } catch (thrown) {
      const alert = toSentence(asAppError(thrown).message);
      return { ...(await keysPage({ keys, ...room }, visitor, {}, entered)), alert };
    }
  });

  parts.post('/keys/rotate', async (c, visitor, form) => {
    mayManage(visitor);
    const { keys } = await access();
    const { record } = await ownKey(keys, visitor, form.field('id'));
    const expiry = await latestEnd({ keys }, visitor);
    const term = record.expiresAt === undefined ? undefined : record.expiresAt - record.createdAt;
    const lifetimeMs = expiry === undefined ? term : Math.min(term ?? Infinity, expiry - Date.now());
    const made = await keys.rotateKey(record.id, omitUndefined({ overlapMs: 24 * 3_600_000, lifetimeMs }));
    await keys.whenApplied();
    return shown(parts, c, visitor, made, record.id);
  });

  parts.post('/keys/revoke', async (c, visitor, form) => {
    mayManage(visitor);
    const { keys } = await access();
    const { record } = await ownKey(keys, visitor, form.field('id'));
    await keys.revokeKey(record.id);
    await keys.whenApplied();
    await (await parts.pipe.services.passes()).endPasses(record.user);
    await parts.renew(c, visitor);
    putFlash(c, `The key ${record.id} is revoked, and all links to your files are ended.`);
    return '/app/keys';
  });
}

function mayManage({ caller, open, byKey }: ConsoleVisitor): void {
  if (open || (byKey && ACCESS_SCOPES.every((scope) => caller.scopes.has(scope)))) return;
  throw forbiddenError(
    byKey
      ? `keys are managed with a key that has all scopes (${ACCESS_SCOPES.join(', ')}); yours has ${[...caller.scopes].join(', ')}`
      : 'keys are managed with a key that has all scopes: the issuer can end an access token or a login, and a key made with one would outlast it',
  );
}

async function ownKey(keys: AccessControl['keys'], { caller }: ConsoleVisitor, id: string) {
  const found = (await keys.listKeys(caller.id)).find(({ record }) => record.id === id);
  if (found) return found;
  throw notFoundError(`you have no key ${JSON.stringify(id.slice(0, 40))}`);
}

async function latestEnd({ keys }: Pick<AccessControl, 'keys'>, { caller, open }: ConsoleVisitor) {
  if (open || caller.credential === undefined) return undefined;
  return (await keys.getKey(caller.credential)).record.expiresAt;
}

function enteredIn(form: SubmittedForm): KeyForm {
  return {
    name: form.field('name').trim().slice(0, 200),
    expires: form.field('expires').trim().slice(0, 40),
    scopes: ACCESS_SCOPES.filter((scope) => form.field(`scope-${scope}`) === '1'),
  };
}

function scopesOf({ scopes }: KeyForm, { caller }: ConsoleVisitor): AccessScope[] {
  if (scopes.length === 0) throw badRequestError('choose at least one thing that the key may do');
  const beyond = scopes.find((scope) => !caller.scopes.has(scope));
  if (beyond === undefined) return [...scopes];
  throw forbiddenError(`your own key may not ${beyond}, so it cannot make a key that may`);
}

function lifetimeOf(expires: string, latest: number | undefined): number | undefined {
  const ms = expires === '' ? undefined : parseDuration(expires);
  if (expires !== '' && !ms) {
    throw badRequestError(
      `“${expires}” is not a time that a key can last: write 90d, 12h or 2w, or leave it empty for a key without an end`,
    );
  }
  if (latest === undefined || (ms !== undefined && Date.now() + ms <= latest)) return ms;
  throw badRequestError(
    `your own key expires in ${formatDuration(latest - Date.now())}, and a key that it makes cannot last longer: enter a shorter time`,
  );
}

/** Shows a new key once. If it is the first key, signs in with it, because the server now requires keys. */
async function shown(
  parts: ConsoleContext,
  c: Context<HttpEnv>,
  visitor: ConsoleVisitor,
  { key, record }: MadeKey,
  replaces?: string,
): Promise<PageResult> {
  if (visitor.open) await parts.signIn(c, key);
  const end =
    record.expiresAt === undefined ? 'It has no end.' : `It ends on ${formatDateUtc(record.expiresAt)}.`;
  return {
    title: 'Your new key',
    about: 'Copy it now: it is shown this once, and kept nowhere.',
    place: 'keys',
    body: html`<section class="panel"><pre tabindex="0" data-copy aria-label="The key"><code>${key}</code></pre>
<p>It may ${record.scopes.join(', ')}. ${end}${replaces === undefined ? '' : ` The key ${replaces}, which it replaces, works for 24 more hours.`}</p>
<p class="quiet">Assistants send it as <code>Authorization: Bearer …</code>. <a href="/app/connect">Connect</a> has the setting of each.</p>
${visitor.open ? html`<p class="note">It is the first key: this server asks for one from now on, and this browser is signed in with it.</p>` : ''}
<div><a class="button main" href="/app/keys">I have copied it</a></div></section>`,
  };
}

async function keysPage(
  { keys, usage, listAlerts }: Pick<AccessControl, 'keys' | 'usage' | 'listAlerts'>,
  visitor: ConsoleVisitor,
  { page: asked, id }: { readonly page?: string | undefined; readonly id?: string | undefined },
  entered = FRESH,
): Promise<ConsolePage> {
  const found = (await keys.listKeys(visitor.caller.id)).toReversed();
  const active = found.filter(({ state }) => state === 'active').length;
  const { from, page } = clampPage(asked, found.length, PAGE_SIZE);
  const chosen = found.find(({ record }) => record.id === (id ?? visitor.caller.credential)) ?? found[0];
  const alerts = listAlerts(visitor.caller.id);
  const about = visitor.open
    ? 'This server has no keys: it is open to this machine. The first key closes it.'
    : `${active} active. One for each assistant, so that each can be ended alone.`;
  return {
    title: 'Keys and usage',
    about,
    place: 'keys',
    body: html`${alerts.length > 0 ? html`<section class="panel" aria-label="Alerts"><h2>Alerts</h2>${alerts.map(({ at, message }) => html`<p><span class="tag warn">${formatDateUtc(at)}</span> ${message}</p>`)}</section>` : ''}
${makeForm(visitor, entered)}
${found.length === 0 ? html`<section class="panel empty"><h2>No keys yet</h2><p>Make one above for an assistant on another machine, or for a script.</p></section>` : table(found.slice(from, from + PAGE_SIZE), visitor)}
${pageLinks('/app/keys', {}, page, Math.ceil(found.length / PAGE_SIZE))}
${chosen ? await keyUsageHtml(usage, chosen.record) : ''}`,
  };
}

const SCOPE_WORDS: Readonly<Record<AccessScope, string>> = {
  read: 'read: search, browse, query, lists',
  write: 'write: insert, upload, delete',
  scan: 'scan: scans, compliance',
  monitor: 'monitor: monitors, metrics',
};

export function scopeBox(scope: AccessScope, isChecked: boolean): Html {
  return html`<label class="chip"><input type="checkbox" name="scope-${scope}" value="1"${isChecked ? html` checked` : ''}>${SCOPE_WORDS[scope]}</label>`;
}

function makeForm(visitor: ConsoleVisitor, { name, expires, scopes }: KeyForm): Html {
  return html`<details class="panel"${visitor.open || entered(name) ? html` open` : ''}><summary>Make a key</summary><form method="post" action="/app/keys/make">${formTokenField(visitor)}
<label>What it is for<input name="name" maxlength="200" value="${name}" placeholder="Such as Cursor on the desk"></label>
<fieldset><legend>What it may do</legend><div class="chips">${ACCESS_SCOPES.map((scope) => scopeBox(scope, scopes.includes(scope)))}</div></fieldset>
<label>How long it lasts<input name="expires" maxlength="40" value="${expires}"><small class="quiet">Such as 90d, 12h or 2w; empty for a key without an end</small></label>
<div><button class="main">Make the key</button></div></form></details>`;
}

const entered = (name: string) => name !== '';

function table(found: readonly KeyWithState[], visitor: ConsoleVisitor): Html {
  return html`<section class="panel" aria-label="Keys"><div class="scroll" tabindex="0" role="region" aria-label="Table of keys"><table class="cards"><thead><tr><th>Key</th><th>May</th><th>State</th><th>Last used</th><th class="end"><span class="unseen">Actions</span></th></tr></thead><tbody>${found.map((key) => row(key, visitor))}</tbody></table></div></section>`;
}

function row({ record, state }: KeyWithState, visitor: ConsoleVisitor): Html {
  const { id, name, prefix, scopes, usedAt, createdAt, replacedBy, expiresAt } = record;
  const own = id === visitor.caller.credential ? html` <span class="tag info">this one</span>` : '';
  const act = (does: string, label: string, kind: string) =>
    html`<form method="post" action="/app/keys/${does}" class="line">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><button class="small ${kind}" aria-label="${label} ${name || id}">${label}</button></form>`;
  const acts =
    state === 'active'
      ? html`${replacedBy ? '' : act('rotate', 'Rotate', '')}${act('revoke', 'Revoke', 'bad')}`
      : '';
  return html`<tr><td><a href="/app/keys?${new URLSearchParams({ id })}#usage"><b><bdi>${name || id}</bdi></b></a>${own}<div class="where"><code>${prefix}…</code><span>made ${formatDateUtc(createdAt)}</span></div></td>
<td>${scopes.join(', ')}</td><td>${stateTag({ record, state })}${expiresAt && state === 'active' ? html`<div class="where">ends ${formatDateUtc(expiresAt)}</div>` : ''}</td>
<td class="one">${usedAt === undefined ? 'never' : `${formatDuration(Date.now() - usedAt)} ago`}</td><td class="end"><div class="row">${acts}</div></td></tr>`;
}

function stateTag({ record, state }: KeyWithState): Html {
  if (state !== 'active') return html`<span class="tag">${state}</span>`;
  if (record.replacedBy !== undefined) return html`<span class="tag warn">replaced</span>`;
  const old = Date.now() - record.createdAt > OLD_KEY_MS;
  return old
    ? html`<span class="tag warn">active, old: rotate it</span>`
    : html`<span class="tag good">active</span>`;
}

const DAYS = 30;
const NAMED = 5;
const DAY_MS = 86_400_000;
const HEIGHT = 60;
const STEP = 10;

async function keyUsageHtml(usage: CallUsageLog, { id, name }: KeyRecord): Promise<Html> {
  const counts = await usage.listDays(id, DAYS);
  const total = counts.reduce((sum, { calls }) => sum + calls, 0);
  const failed = counts.reduce((sum, { calls, outcome }) => sum + (outcome === 'ok' ? 0 : calls), 0);
  const heading = html`<h2>Use of ${name || id}, ${DAYS} days</h2>`;
  if (total === 0) {
    return html`<section class="panel" id="usage" aria-label="Usage">${heading}<p class="quiet">It was not used. Every call with it is counted here by day, without what was asked.</p></section>`;
  }
  const most = [...byOperation(counts)].slice(0, NAMED).map(([operation, calls]) => `${operation} ${calls}`);
  return html`<section class="panel" id="usage" aria-label="Usage">${heading}${bars(counts)}
<p class="quiet">${formatCount(total, 'call')}, ${failed} refused or failed. Called most: ${most.join(', ')}.</p></section>`;
}

function bars(counts: readonly DailyCallCount[]): Html {
  const today = Math.floor(Date.now() / DAY_MS);
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = today - DAYS + 1 + at;
    const rows = counts.filter((one) => one.day === day);
    return { day, calls: rows.reduce((sum, { calls }) => sum + calls, 0) };
  });
  const most = Math.max(...days.map(({ calls }) => calls));
  const words = days
    .filter(({ calls }) => calls > 0)
    .map(({ day, calls }) => `${new Date(day * DAY_MS).toISOString().slice(0, 10)}: ${calls}`);
  return html`<svg class="days" viewBox="0 0 ${DAYS * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Calls by day. ${words.join(', ')}">${days.map(
    ({ calls }, at) => {
      const height = calls === 0 ? 1 : Math.max(3, (calls / most) * HEIGHT);
      return html`<rect x="${at * STEP + 1}" y="${(HEIGHT - height).toFixed(1)}" width="${STEP - 2}" height="${height.toFixed(1)}" rx="1.5"${calls === 0 ? html` class="none"` : ''}/>`;
    },
  )}</svg>`;
}

function byOperation(counts: readonly DailyCallCount[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { operation, calls } of counts) {
    if (operation !== '') sums.set(operation, (sums.get(operation) ?? 0) + calls);
  }
  return [...sums].sort(([, many], [, more]) => more - many);
}
