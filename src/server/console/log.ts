import { html } from 'hono/html';
import { counted } from '../../lib/counted.ts';
import type { ConsoleParts } from './page.ts';

/** The last lines of the log, newest first. For the operator: lines speak of all users. */

const LEVELS = ['all', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];
const TONES: Readonly<Record<string, string>> = { error: 'bad', warn: 'warn', info: 'info' };
/** Lines that are shown at once. */
const SHOWN = 200;

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  /** The other fields, as JSON. */
  readonly more: string;
}

export function addLogPage(parts: ConsoleParts): void {
  parts.get('/log', async (c, visitor) => {
    parts.needOperator(visitor);
    const asked = c.req.query('level');
    const level: Level = LEVELS.find((one) => one === asked) ?? 'all';
    const least = LEVELS.indexOf(level);
    const lines = parts
      .recentLog()
      .map(readLine)
      .filter((line) => level === 'all' || LEVELS.indexOf(line.level as Level) >= least)
      .toReversed();
    return {
      title: 'Log',
      about: 'The last lines of this process, newest first. Keys and passwords never reach it.',
      place: 'log',
      body: html`<nav class="chips" aria-label="Level">${LEVELS.map((one) => html`<a class="chip" href="/app/log?level=${one}"${one === level ? html` aria-current="true"` : ''}>${one === 'all' ? 'All' : one === 'info' ? 'From info' : one === 'warn' ? 'Warnings and errors' : 'Errors'}</a>`)}</nav>
${
  lines.length === 0
    ? html`<section class="panel empty"><h2>Nothing was logged</h2><p>A server that does well has little to say. MAGPIE_LOG_LEVEL=debug says more.</p></section>`
    : html`<p class="quiet" role="status">${counted(lines.length, 'line')}${lines.length > SHOWN ? `, ${SHOWN} shown` : ''}</p><section class="panel" aria-label="Lines">${lines
        .slice(0, SHOWN)
        .map(
          ({ level: tone, time, msg, more }) =>
            html`<article class="hit"><div class="where"><span class="tag ${TONES[tone] ?? ''}">${tone}</span><time>${time.replace('T', ' ').slice(0, 19)}</time></div><p dir="auto">${msg}</p>${more === '{}' ? '' : html`<p class="quiet"><bdi>${more}</bdi></p>`}</article>`,
        )}</section>`
}`,
    };
  });
}

function readLine(text: string): Line {
  try {
    const { level = '', time = '', msg = '', ...more } = JSON.parse(text) as Record<string, unknown>;
    return {
      level: String(level),
      time: String(time),
      msg: String(msg),
      more: JSON.stringify(more).slice(0, 2000),
    };
  } catch {
    return { level: '', time: '', msg: text.slice(0, 2000), more: '{}' };
  }
}
