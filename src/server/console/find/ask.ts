import { html } from 'hono/html';
import { asAppError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { sentences } from '../../../lib/text/sentences.ts';
import { stem } from '../../../lib/text/stem.ts';
import { isStopWord } from '../../../lib/text/stop-words.ts';
import { splitTerms } from '../../../lib/text/text.ts';
import { type Html, toSentence } from '../../html.ts';
import { errorMessageHtml, listHtml, parseErrorMessage, safeWebAddress } from '../frame/frame.ts';
import { type ConsoleContext, formatDateUtc } from '../frame/page.ts';

const SHOWN_CHARS = 420;
const [ANSWER_CHARS, MARKED_CHARS] = [260, 600];
const QUOTED = 3;

interface AnswerSource {
  readonly kind: 'web' | 'note' | 'file';
  readonly title: string;
  readonly href: string | undefined;
  readonly where: string;
  readonly text: string;
  readonly weak: boolean;
}

interface Engine {
  readonly name: string;
  readonly ok: boolean;
  readonly reason?: string;
}

interface FoundSources {
  readonly sources: readonly AnswerSource[];
  readonly engines: readonly Engine[];
  readonly fewAnswered?: { readonly failed: number; readonly asked: number; readonly alone?: string };
  readonly failures?: { readonly web?: string; readonly notes?: string };
}

const NOTHING: FoundSources = { sources: [], engines: [] };

export function addAskPage(parts: ConsoleContext): void {
  parts.get('/ask', async (c, visitor) => {
    const q = (c.req.query('q') ?? '').trim().slice(0, 2000);
    const [web, notes] = [c.req.query('web') === '1', c.req.query('notes') === '1'];
    const asked = { web: web || !notes, notes: notes || !web };
    let [found, alert] = [NOTHING, undefined as string | undefined];
    if (q) {
      try {
        found = await find(q, asked, (operation, input) => parts.call(c, visitor, operation, input));
      } catch (thrown) {
        alert = toSentence(asAppError(thrown).message);
      }
    }
    return {
      title: 'Ask',
      about: 'The web, your notes and your files in one answer, each with its source.',
      place: 'ask',
      alert,
      body: html`${questionForm(q, asked)}${q === '' ? firstSteps() : alert ? '' : answer(q, asked, found)}`,
    };
  });
}

type SourceChoice = { readonly web: boolean; readonly notes: boolean };
type Invoker = (operation: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

async function find(q: string, { web, notes }: SourceChoice, call: Invoker): Promise<FoundSources> {
  if (!web) {
    const { matches } = (await call('query', { q })) as unknown as { matches: readonly NoteMatch[] };
    return { sources: matches.map(ofMatch), engines: [] };
  }
  const body = (await call(notes ? 'hybrid' : 'search', {
    q,
    percentile: 3,
    numofpages: 3,
  })) as unknown as Omit<FoundSources, 'sources' | 'engines'> & {
    readonly results: readonly WebResult[];
    readonly engines?: readonly Engine[];
  };
  const { results, engines = [], fewAnswered, failures } = body;
  return { sources: results.map(ofResult), engines, ...omitUndefined({ fewAnswered, failures }) };
}

interface NoteMatch {
  readonly id: string;
  readonly weak?: boolean;
  readonly metadata: {
    readonly text: string;
    readonly title?: string;
    readonly createdAt?: string;
    readonly fileName?: string;
    readonly page?: number;
  };
}

interface WebResult {
  readonly title: string;
  readonly link: string;
  readonly summary?: string;
  readonly snippet?: string;
  readonly full_content?: string;
  readonly published?: string;
  readonly citation?: { readonly fileName?: string; readonly page?: number };
  readonly weak?: boolean;
}

function ofMatch({ id, metadata, weak = false }: NoteMatch): AnswerSource {
  const { text, title, createdAt, fileName, page } = metadata;
  const day = formatDateUtc(createdAt);
  if (fileName !== undefined) {
    const at = page === undefined ? '' : `, page ${page}`;
    return {
      kind: 'file',
      title: `${fileName}${at}`,
      href: fileAddress(fileName, page, text),
      where: day,
      text,
      weak,
    };
  }
  const href = `/app/notes/edit?${new URLSearchParams({ id })}`;
  return {
    kind: 'note',
    title: title ?? text.slice(0, 80),
    href,
    where: day ? `your note · ${day}` : 'your note',
    text,
    weak,
  };
}

function placeOf(fileName: string, page: number | undefined): string {
  return page === undefined ? fileName : `${fileName}, page ${page}`;
}

function fileAddress(name: string, page: number | undefined, passage: string): string {
  const query = { name, page: page?.toString(), passage: passage.slice(0, MARKED_CHARS) };
  return `/app/file?${new URLSearchParams(omitUndefined(query))}#page`;
}

const ENTRY = /^kb:\/\/entries\/([^/?#]+)/;

function ofResult({ title, link, published, citation, weak = false, ...texts }: WebResult): AnswerSource {
  const text = texts.summary ?? texts.snippet ?? texts.full_content ?? '';
  const [, entry] = ENTRY.exec(link) ?? [];
  if (entry !== undefined) {
    const href = `/app/notes/edit?${new URLSearchParams({ id: decodeURIComponent(entry) })}`;
    return { kind: 'note', title, href, where: 'your note', text, weak };
  }
  const href = safeWebAddress(link);
  if (href === undefined) {
    const { fileName, page } = citation ?? {};
    const at = fileName === undefined ? '/app/files' : fileAddress(fileName, page, text);
    const where = fileName === undefined ? 'your file' : placeOf(fileName, page);
    return { kind: 'file', title, href: at, where, text, weak };
  }
  const day = formatDateUtc(published);
  const where = [new URL(href).hostname, day].filter(Boolean).join(' · ');
  return { kind: 'web', title, href, where, text, weak };
}

function questionForm(q: string, { web, notes }: SourceChoice): Html {
  const box = (name: string, label: string, on: boolean) =>
    html`<label class="chip"><input type="checkbox" name="${name}" value="1" ${on ? 'checked' : ''}>${label}</label>`;
  return html`<form class="stack" role="search" action="/app/ask" method="get"><div class="field">
<input name="q" aria-label="Question" value="${q}" maxlength="2000" required placeholder="What would you like to know?"><button class="main">Ask</button></div>
<div class="chips" role="group" aria-label="Where to search">${box('web', 'Web', web)}${box('notes', 'Notes and files', notes)}</div></form>`;
}

function firstSteps(): Html {
  const example = 'how do magpies recognise themselves';
  return html`<section class="panel empty"><h2>Ask in your own words</h2><p>For example: <a href="/app/ask?${new URLSearchParams({ q: example })}">${example}</a></p></section>
<div class="grid wide"><section class="panel"><h2><a href="/app/notes">Notes</a></h2><p class="quiet">Keep something, and it is found by its meaning, here and by your assistant.</p></section><section class="panel"><h2><a href="/app/files">Files</a></h2><p class="quiet">Drop a PDF or a Word file, and the page that answers is part of the answer.</p></section><section class="panel"><h2><a href="/app/connect">Connect</a></h2><p class="quiet">Your assistant asks here too: one click or one command adds it.</p></section></div>`;
}

function answer(q: string, asked: SourceChoice, found: FoundSources): Html {
  const { sources, engines } = found;
  const warnings = cautions(found, asked);
  if (sources.length === 0) {
    return html`${warnings}<section class="panel empty"><h2>Nothing found</h2><p>Nothing fits “${q}”. Try other words, or search the web too.</p></section>${enginesAsked(engines)}`;
  }
  return html`${warnings}${
    isAnswered(sources)
      ? html`<section class="panel" aria-label="Answer"><div class="answer">${sources
          .slice(0, QUOTED)
          .map(
            ({ text }, at) =>
              html`<p dir="auto">${highlightWords(quoteAnswer(text, q, ANSWER_CHARS), q)} <sup><a href="#source-${at + 1}" aria-label="Source ${at + 1}">${at + 1}</a></sup></p>`,
          )}</div>
${enginesAsked(engines)}</section>`
      : ''
  }
<section class="panel" aria-label="Sources">${sources.map((source, at) => hit(source, at, q))}</section>`;
}

const isAnswered = (sources: readonly AnswerSource[]): boolean => sources.some(({ weak }) => !weak);

function cautions({ sources, fewAnswered: few, failures = {} }: FoundSources, { web }: SourceChoice): Html {
  const boxes = [
    ...(failures.web === undefined ? [] : [unsearched('The web', failures.web)]),
    ...(failures.notes === undefined ? [] : [unsearched('The knowledge base', failures.notes)]),
    ...(few ? [html`<p><b>${fewWords(few)}</b></p>`] : []),
    ...(sources.length === 0 || isAnswered(sources)
      ? []
      : [
          html`<p><b>No note or file is close to the question${web && failures.web === undefined ? ', and the web has nothing on it' : ''}.</b></p><p>Below are the nearest, which may have nothing to do with it.</p>`,
        ]),
  ];
  return html`${boxes.map((box) => html`<div class="caution" role="status">${box}</div>`)}`;
}

function unsearched(side: string, message: string): Html {
  const { what, advice, reasons } = parseErrorMessage(message);
  const told = advice.length > 0 ? { advice, reasons } : { advice: [what], reasons };
  return errorMessageHtml({ what: `${side} could not be searched.`, ...told });
}

function fewWords({ failed, asked, alone }: NonNullable<FoundSources['fewAnswered']>): string {
  const refused = `${failed} of ${asked} search engines refused or did not answer`;
  return alone === undefined ? `${refused}.` : `${refused}, and only ${alone} had something.`;
}

function enginesAsked(engines: readonly Engine[]): Html | string {
  if (engines.length === 0) return '';
  const failed = engines.filter(({ ok }) => !ok);
  const counts = `${formatCount(engines.length, 'engine')} asked, ${engines.length - failed.length} answered`;
  if (failed.length === 0) return html`<p class="quiet">${counts}</p>`;
  return html`<details><summary class="quiet">${counts}</summary>${listHtml(failed.map(({ name, reason }) => `${name}: ${reason ?? 'no answer'}`))}</details>`;
}

function hit({ kind, title, href, where, text }: AnswerSource, at: number, q: string): Html {
  return html`<article class="hit" id="source-${at + 1}"><h2>${at + 1}. ${href ? html`<a href="${href}" rel="noreferrer" dir="auto">${title}</a>` : html`<span dir="auto">${title}</span>`}</h2>
<div class="where"><span class="tag">${kind}</span>${where}</div><p class="text" dir="auto">${highlightWords(truncateAtWord(text, SHOWN_CHARS), q)}</p></article>`;
}

const SEARCHED_CHARS = 20_000;

function stemsOf(question: string): ReadonlySet<string> {
  const all = splitTerms(question);
  const telling = all.filter((term) => !isStopWord(term));
  return new Set((telling.length > 0 ? telling : all).map(stem));
}

export function quoteAnswer(text: string, question: string, maxChars: number): string {
  const asked = stemsOf(question);
  const all = text.slice(0, SEARCHED_CHARS).split(/\n+/).flatMap(sentences);
  const weights = all.map(
    (one) =>
      new Set(
        splitTerms(one)
          .map(stem)
          .filter((term) => asked.has(term)),
      ).size,
  );
  const best = Math.max(0, weights.indexOf(Math.max(...weights)));
  let quote = all[best] ?? text;
  for (const next of all.slice(best + 1)) {
    if (quote.length + next.length >= maxChars) break;
    quote += ` ${next}`;
  }
  return truncateAtWord(quote, maxChars);
}

export function highlightWords(text: string, question: string): Html {
  const asked = stemsOf(question);
  const pieces = text.split(/([\p{L}\p{M}\p{N}]+)/u);
  const isAsked = (piece: string) => splitTerms(piece).some((term) => asked.has(stem(term)));
  return html`${pieces.map((piece, at) => (at % 2 === 1 && isAsked(piece) ? html`<mark>${piece}</mark>` : piece))}`;
}

export function truncateAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars + 1);
  const end = cut.search(/\s\S*$/);
  return `${cut
    .slice(0, end > maxChars / 2 ? end : maxChars)
    .trimEnd()
    .toWellFormed()} …`;
}
