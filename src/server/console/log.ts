import { html } from 'hono/html';
import { formatCount } from '../../lib/text/format-count.ts';
import { type ConsoleContext, formatDateUtc } from './frame/page.ts';

/** The log page. Only the operator may open it, because its lines concern all users. */

const LEVELS = ['all', 'info', 'warn', 'error'] as const;
type LogFilter = (typeof LEVELS)[number];
const TONES: Readonly<Record<string, string>> = { error: 'bad', warn: 'warn', info: 'info' };
const SHOWN = 200;
const SHORT_CHARS = 60;

export function addLogPage(parts: ConsoleContext): void {
  parts.get('/log', async (c, visitor) => {
    parts.requireOperator(visitor);
    const asked = c.req.query('level');
    const level: LogFilter = LEVELS.find((one) => one === asked) ?? 'all';
    const least = LEVELS.indexOf(level);
    const lines = parts
      .recentLog()
      .map(readLine)
      .filter((line) => level === 'all' || LEVELS.indexOf(line.level as LogFilter) >= least)
      .toReversed();
    return {
      title: 'Log',
      about: 'The last lines of this process, newest first. Keys and passwords never reach it.',
      place: 'log',
      body: html`<nav class="chips" aria-label="Level">${LEVELS.map((one) => html`<a class="chip" href="/app/log?level=${one}"${one === level ? html` aria-current="true"` : ''}>${one === 'all' ? 'All' : one === 'info' ? 'From info' : one === 'warn' ? 'Warnings and errors' : 'Errors'}</a>`)}</nav>
${
  lines.length === 0
    ? html`<section class="panel empty"><h2>Nothing was logged</h2><p>A server that does well has little to say. MAGPIE_LOG_LEVEL=debug says more.</p></section>`
    : html`<p class="quiet" role="status">${formatCount(lines.length, 'line')}${lines.length > SHOWN ? `, ${SHOWN} shown` : ''}</p><section class="panel" aria-label="Lines">${lines
        .slice(0, SHOWN)
        .map(
          ({ level: tone, time, msg, facts, more }) =>
            html`<article class="hit"><div class="where"><span class="tag ${TONES[tone] ?? ''}">${tone}</span><time>${formatDateUtc(time)}, ${time.slice(11, 19)}</time>${facts.map((fact) => html`<span><bdi>${fact}</bdi></span>`)}</div><p dir="auto">${msg}</p>${more === '{}' ? '' : html`<p class="quiet"><bdi>${more}</bdi></p>`}</article>`,
        )}</section>`
}`,
    };
  });
}

function readLine(text: string) {
  try {
    const { level = '', time = '', msg = '', ...fields } = JSON.parse(text) as Record<string, unknown>;
    const isShort = (value: unknown) =>
      ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= SHORT_CHARS;
    const entries = Object.entries(fields);
    return {
      level: String(level),
      time: String(time),
      msg: String(msg),
      facts: entries.flatMap(([name, value]) => (isShort(value) ? `${name} ${String(value)}` : [])),
      more: JSON.stringify(Object.fromEntries(entries.filter(([, value]) => !isShort(value)))).slice(0, 2000),
    };
  } catch {
    return { level: '', time: '', msg: text.slice(0, 2000), facts: [], more: '{}' };
  }
}
