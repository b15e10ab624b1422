import { html } from 'hono/html';
import type { SettingInForce } from '../../config/settings-in-force.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { renderBackticksAsCode } from '../html.ts';
import type { ConsoleContext } from './frame/page.ts';

/** The settings page. Only the operator may open it, because settings name hosts and folders. */

const ORIGINS: Readonly<Record<SettingInForce['origin'], string>> = {
  default: 'default',
  file: 'settings file',
  environment: 'environment',
  flag: 'flag',
};

export function addSettingsPage(parts: ConsoleContext): void {
  parts.get('/settings', async (c, visitor) => {
    parts.requireOperator(visitor);
    const q = (c.req.query('q') ?? '').trim().slice(0, 100);
    const changed = c.req.query('changed') === '1';
    const words = q.toLowerCase().split(/\s+/).filter(Boolean);
    const all = parts.settings();
    const fitting = all.filter(
      ({ name, env, about, origin }) =>
        (!changed || origin !== 'default') &&
        words.every((word) => `${name} ${env} ${about}`.toLowerCase().includes(word)),
    );
    const set = all.filter(({ origin }) => origin !== 'default').length;
    return {
      title: 'Settings',
      about: `${all.length} settings, ${set} of them set here. A flag wins over the environment, that over the file.`,
      place: 'settings',
      body: html`<form role="search" class="stack" action="/app/settings" method="get"><div class="field"><input name="q" aria-label="Search settings" value="${q}" maxlength="100" placeholder="Search settings"><button class="main">Search</button></div>
<div class="chips"><label class="chip"><input type="checkbox" name="changed" value="1"${changed ? html` checked` : ''}>Only what is set here</label></div></form>
<p class="quiet" role="status">${formatCount(fitting.length, 'setting')}</p>
${
  fitting.length === 0
    ? html`<section class="panel empty"><h2>No setting fits</h2><p><a href="/app/settings">All settings</a></p></section>`
    : html`<section class="panel" aria-label="Settings">${fitting.map(
        ({ env, flag, value, origin, about }) =>
          html`<article class="hit"><div class="row between"><h2><code>${env}</code></h2><span class="tag ${origin === 'default' ? '' : 'info'}">${ORIGINS[origin]}</span></div><p><b><bdi>${value === '' ? 'not set' : value}</bdi></b></p><p class="quiet">${renderBackticksAsCode(about)} <code>--${flag}</code></p></article>`,
      )}</section>`
}
<p class="quiet">Settings change in the environment, by flags or in the settings file, and apply from the next start.</p>`,
    };
  });
}
