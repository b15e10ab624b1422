import { html } from 'hono/html';
import type {
  AssessmentSummary,
  AttachedEvidence,
  Attestation,
  Compliance,
  ComplianceJob,
  Judgement,
  StandardName,
} from '../../../compliance/types.ts';
import { asAppError } from '../../../errors.ts';
import { digestStream } from '../../../lib/digest-stream.ts';
import { escapeInvisibleLine } from '../../../lib/text/escape-invisible.ts';
import type { FormFile, SubmittedForm } from '../../app/form.ts';
import type { Html } from '../../html.ts';
import { type ConsolePage, formTokenField, safeWebAddress } from '../frame/frame.ts';
import { type ConsoleContext, formatTimeUtc } from '../frame/page.ts';
import { checkChangeAllowed, explainNoAccess, formErrorMessage, noAccessHtml } from '../frame/page-access.ts';
import { clampRowOffset, parseRowOffset, rowPageLinks } from '../frame/paging.ts';
import { type ConsoleVisitor, putFlash } from '../frame/visitor.ts';
import { coverageBar, coverageLegend, standardDisplayName } from './control-status.ts';

const PAGE_SIZE = 15;
const PROPOSED = 30;

interface AssessmentRequest {
  readonly standards: readonly string[];
  readonly scope: string;
}

type StartedCheck = { readonly data: { readonly check_id: string } };

export function addCompliancePages(parts: ConsoleContext): void {
  const { services } = parts.pipe;
  parts.get('/compliance', async (c, visitor) => {
    const scope = (c.req.query('scope') ?? '').slice(0, 2000);
    const standards = (c.req.query('standards') ?? '').split(',').filter(Boolean);
    return compliancePage(parts, visitor, { scope, standards }, parseRowOffset(c.req.query('from')));
  });
  parts.post('/compliance/check', async (c, visitor, form) => {
    const known = (await services.compliance()).listStandards();
    const asked = {
      scope: form.field('scope').trim(),
      standards: known.flatMap(({ id }) => (form.field(`standard-${id}`) === '1' ? id : [])),
    };
    try {
      const input = { standards: asked.standards, scope: asked.scope };
      const wishes = { whole: false, later: true };
      const { data } = await parts.call<StartedCheck>(c, visitor, 'checkCompliance', input, wishes);
      return addressOfCheck(data.check_id);
    } catch (thrown) {
      const alert = asked.standards.length === 0 ? 'Choose a standard at least.' : formErrorMessage(thrown);
      return { ...(await compliancePage(parts, visitor, asked, 0)), alert };
    }
  });
  parts.post('/compliance/delete', async (c, visitor, form) => {
    checkChangeAllowed(parts.pipe, visitor, 'checkCompliance');
    await (await services.compliance()).removeCheck(visitor.caller.id, form.field('id').slice(0, 100));
    putFlash(c, 'The check is deleted.');
    return '/app/compliance';
  });
}

export function addressOfCheck(id: string): string {
  return `/app/compliance/one?${new URLSearchParams({ id })}`;
}

async function compliancePage(
  parts: ConsoleContext,
  visitor: ConsoleVisitor,
  asked: AssessmentRequest,
  given: number,
): Promise<ConsolePage> {
  const { pipe } = parts;
  const head = {
    title: 'Compliance',
    about:
      'What your repositories and sites show of a standard’s controls, and what a person still has to judge.',
    place: 'compliance',
  } as const;
  const why = explainNoAccess(pipe, visitor, 'checkCompliance');
  if (why) return { ...head, body: noAccessHtml('Compliance is not open to you', why) };
  const room = await pipe.services.compliance();
  const owner = visitor.caller.id;
  const [checks, jobs, scopes] = await Promise.all([
    room.listChecks(owner),
    room.listJobs(owner),
    scopesOf(parts, visitor, room),
  ]);
  const from = clampRowOffset(given, checks.length);
  return {
    ...head,
    live: jobs.some(({ state }) => state === 'running'),
    action: html`<a class="button" href="/app/compliance/attestations">Attestations</a>`,
    body: html`${checkForm(asked, room.listStandards(), scopes, visitor)}
${jobs.length > 0 ? html`<section class="panel" aria-label="Checks without results"><ul class="lines" id="jobs" data-part>${jobs.slice(0, PAGE_SIZE).map(jobLine)}</ul></section>` : ''}
${
  checks.length === 0
    ? html`<section class="panel empty"><h2>Nothing is checked yet</h2><p>Begin with <a href="/app/compliance?${new URLSearchParams({ standards: 'owasp-top-10-2025,slsa', scope: scopes[0] ?? 'https://github.com/snyk-labs/nodejs-goof.git' })}">OWASP Top 10 and SLSA for ${scopes[0] ?? 'a repository that is made to be insecure'}</a>. The link fills the form.</p></section>`
    : html`<section class="panel" aria-label="Checks"><ul class="lines">${checks.slice(from, from + PAGE_SIZE).map(checkLine)}</ul></section>${rowPageLinks({ from, size: PAGE_SIZE, rows: checks.length, noun: 'check' }, (to) => `/app/compliance?from=${to}`)}`
}`,
  };
}

async function scopesOf({ pipe }: ConsoleContext, visitor: ConsoleVisitor, room: Compliance) {
  const owner = visitor.caller.id;
  const [scans, monitors, checks] = await Promise.all([
    explainNoAccess(pipe, visitor, 'getScan') ? [] : (await pipe.services.security()).listScans(owner),
    explainNoAccess(pipe, visitor, 'listMonitors') ? [] : (await pipe.services.monitor()).listMonitors(owner),
    room.listChecks(owner),
  ]);
  const all = [
    ...scans.map(({ request }) => request.repository),
    ...monitors.map(({ id }) => id),
    ...checks.map(({ scope }) => scope),
  ];
  return [...new Set(all)].slice(0, PROPOSED);
}

function checkForm(
  { standards, scope }: AssessmentRequest,
  known: readonly StandardName[],
  scopes: readonly string[],
  visitor: ConsoleVisitor,
): Html {
  const chosen = new Set(standards);
  return html`<section class="panel" aria-labelledby="check"><h2 id="check">Check something</h2><form method="post" action="/app/compliance/check">${formTokenField(visitor)}
<label>What to check<input name="scope" value="${scope}" maxlength="2000" required list="scopes" autocomplete="off" spellcheck="false" placeholder="https://github.com/you/shop.git" aria-describedby="scope-kinds"></label>
<datalist id="scopes">${scopes.map((one) => html`<option value="${one}"></option>`)}</datalist>
<p class="hint" id="scope-kinds">A repository, a site that is watched, the id of a scan, or <code>all</code> for everything that you scan and watch.</p>
<fieldset><legend>Against which standards</legend><div class="chips">${known.map(
    ({ id, title, edition }) =>
      html`<label class="chip" title="${title}, ${edition}"><input type="checkbox" name="standard-${id}" value="1"${chosen.has(id) ? html` checked` : ''}>${standardDisplayName(id)}</label>`,
  )}</div></fieldset><div><button class="main">Check it</button></div></form></section>`;
}

function jobLine({ id, scope, createdAt, state, progress, reason }: ComplianceJob): Html {
  const failed = state === 'failed';
  return html`<li class="entry scan"><div><h2><a href="${addressOfCheck(id)}"><bdi>${scope}</bdi></a></h2><div class="where">${formatTimeUtc(createdAt)}<span dir="auto">${escapeInvisibleLine(failed ? (reason ?? '') : progress || 'it begins')}</span></div></div><div class="end"><span class="tag ${failed ? 'bad' : 'info'}">${failed ? 'Failed' : 'Running'}</span></div></li>`;
}

function checkLine({ id, scope, createdAt, standards, counts }: AssessmentSummary): Html {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);

  return html`<li class="entry checked"><div><h2><a href="${addressOfCheck(id)}"><bdi>${scope}</bdi></a></h2><div class="where">${formatTimeUtc(createdAt)}${standards.map((standard) => html`<span>${standardDisplayName(standard)}</span>`)}</div></div><div class="sub">${coverageBar(counts, total)}${coverageLegend(counts)}</div></li>`;
}

const JUDGEMENTS_A_PAGE = 30;
const MAX_FILE_BYTES = 50_000_000;
const VERDICTS = ['pass', 'fail', 'not_applicable', 'exception'] as const satisfies readonly Judgement[];
const WORDS: Readonly<Record<Judgement, string>> = {
  pass: 'It holds',
  fail: 'It does not hold',
  not_applicable: 'It does not apply',
  exception: 'Excepted until a day',
};

const TONES: Readonly<Record<Judgement, string>> = {
  pass: 'good',
  fail: 'bad',
  not_applicable: '',
  exception: 'warn',
};

const FIELDS = ['standard', 'control', 'scope', 'verdict', 'by', 'at', 'until', 'why', 'link'] as const;
type Texts = Readonly<Record<(typeof FIELDS)[number], string>>;
const givenBy = (value: (name: string) => string) =>
  Object.fromEntries(FIELDS.map((name) => [name, value(name).trim().slice(0, 2000)])) as Texts;

export function addAttestationPages(parts: ConsoleContext): void {
  const { pipe } = parts;
  parts.get('/compliance/attestations', (c, visitor) =>
    attestationsPage(
      parts,
      visitor,
      givenBy((name) => c.req.query(name) ?? ''),
      parseRowOffset(c.req.query('from')),
    ),
  );
  parts.post(
    '/compliance/attest',
    async (c, visitor, form) => {
      checkChangeAllowed(pipe, visitor, 'checkCompliance');
      const given = givenBy(form.field);
      try {
        const { control, scope } = await attest(parts, visitor, given, form);
        putFlash(
          c,
          `Kept: it counts for ${control} in ${scope === 'all' ? 'every check' : scope} from the next check on.`,
        );
        return '/app/compliance/attestations';
      } catch (thrown) {
        return { ...(await attestationsPage(parts, visitor, given, 0)), alert: formErrorMessage(thrown) };
      }
    },
    { maxBytes: MAX_FILE_BYTES },
  );
  parts.post('/compliance/withdraw', async (c, visitor, form) => {
    checkChangeAllowed(pipe, visitor, 'checkCompliance');
    await (await pipe.services.compliance()).retractAttestation(
      visitor.caller.id,
      form.field('id').slice(0, 100),
    );
    putFlash(c, 'The judgement is withdrawn: it counts no longer from the next check on.');
    return '/app/compliance/attestations';
  });
}

async function attest({ pipe }: ConsoleContext, visitor: ConsoleVisitor, given: Texts, form: SubmittedForm) {
  const { scope, verdict, at, until, link, ...rest } = given;
  const room = await pipe.services.compliance();
  const evidence = await Promise.all(form.files.map(digestOf));
  const judgement = {
    ...rest,
    verdict: verdict as Judgement,
    at: at || undefined,
    until: until || undefined,
    link: link || undefined,
    evidence,
  };
  return room.attest(visitor.caller.id, judgement, await scopeNamed(scope, pipe, visitor), 'the console');
}

async function scopeNamed(scope: string, { services }: ConsoleContext['pipe'], { caller }: ConsoleVisitor) {
  if (/^all$/i.test(scope)) return 'all';
  if (scope === '' || !caller.scopes.has('monitor')) return scope;
  try {
    return (await (await services.monitor()).getMonitor(caller.id, scope)).id;
  } catch (thrown) {
    if (['not_found', 'bad_request'].includes(asAppError(thrown).code)) return scope;
    throw thrown;
  }
}

async function digestOf(file: FormFile): Promise<AttachedEvidence> {
  return { name: file.name, ...(await digestStream(file.stream())) };
}

async function attestationsPage(
  { pipe }: ConsoleContext,
  visitor: ConsoleVisitor,
  given: Texts,
  start: number,
): Promise<ConsolePage> {
  const head = {
    title: 'Attestations',
    about:
      'What a person says of a control that no check can judge. It counts from the next check on, until its day.',
    place: 'compliance',
  } as const;
  const why = explainNoAccess(pipe, visitor, 'checkCompliance');
  if (why) return { ...head, body: noAccessHtml('Compliance is not open to you', why) };
  const room = await pipe.services.compliance();
  const all = await room.listAttestations(visitor.caller.id);
  const from = clampRowOffset(start, all.length);
  return {
    ...head,
    body: html`${pipe.catalog.readOnly ? html`<p class="note">Magpie runs read-only here: nothing can be changed.</p>` : attestForm(given, room.listStandards(), visitor, all.length === 0 || Object.values(given).some(Boolean))}
${
  all.length === 0
    ? html`<section class="panel empty"><h2>No judgements yet</h2><p>For example: standard <code>soc-2</code>, control <code>CC1.1</code>, scope <code>all</code>, “The board adopted the code of conduct in March.”</p></section>`
    : html`<section class="panel" aria-label="Judgements"><ul class="lines">${all.slice(from, from + JUDGEMENTS_A_PAGE).map((one) => item(one, visitor, pipe.catalog.readOnly === true))}</ul></section>`
}
${rowPageLinks({ from, size: JUDGEMENTS_A_PAGE, rows: all.length, noun: 'judgement' }, (to) => `/app/compliance/attestations?from=${to}`)}
<div class="row"><a class="button" href="/app/compliance">All checks</a></div>`,
  };
}

function attestForm(
  given: Texts,
  standards: readonly StandardName[],
  visitor: ConsoleVisitor,
  open: boolean,
): Html {
  const field = (name: keyof Texts, label: Html | string, attributes: Html | string = '') =>
    html`<label>${label}<input name="${name}" value="${given[name]}" autocomplete="off" ${attributes}></label>`;
  return html`<details class="panel"${open ? html` open` : ''}><summary>Judge a control</summary><form method="post" action="/app/compliance/attest" enctype="multipart/form-data">${formTokenField(visitor)}
<div class="pair"><label>Standard<select name="standard" required><option value="">Choose one</option>${standards.map(({ id, title }) => html`<option value="${id}"${id === given.standard ? html` selected` : ''}>${title}</option>`)}</select></label>
${field('control', 'Control', html`required maxlength="100" placeholder="CC1.1" spellcheck="false"`)}
<label>Judgement<select name="verdict">${VERDICTS.map((verdict) => html`<option value="${verdict}"${verdict === given.verdict ? html` selected` : ''}>${WORDS[verdict]}</option>`)}</select></label></div>
${field('scope', html`For which repository or site <span class="hint">(all: for every check)</span>`, html`required maxlength="2000" placeholder="all" spellcheck="false"`)}
<label>Why<textarea name="why" rows="2" maxlength="2000" required>${given.why}</textarea></label>
<div class="pair">${field('by', 'Who judges', html`required maxlength="200"`)}${field('at', 'Day of the judgement', html`type="date"`)}${field('until', 'Last day on which it counts', html`type="date"`)}</div>
${field('link', 'Address with more about it', html`maxlength="2000" spellcheck="false"`)}
<label>Files that show it <span class="hint">(only names and SHA-256 are kept)</span><input type="file" name="files" multiple></label>
<div><button class="main">Keep the judgement</button></div></form></details>`;
}

function item(one: Attestation, visitor: ConsoleVisitor, readOnly: boolean): Html {
  const { id, standard, control, verdict, by, at, until, scope, why, link, evidence } = one;
  const over = until !== undefined && until <= Date.now();
  const href = safeWebAddress(link);
  return html`<li class="entry scan"><div><h2>${standardDisplayName(standard)} ${control} <span class="tag ${TONES[verdict]}">${WORDS[verdict]}</span>${over ? html` <span class="tag bad">Over</span>` : ''}</h2>
<div class="where"><span>by <bdi>${escapeInvisibleLine(by)}</bdi>, ${formatTimeUtc(at)}</span><span>for <bdi>${scope === 'all' ? 'every check' : scope}</bdi></span>${until === undefined ? html`<span>no last day</span>` : html`<span>until ${formatTimeUtc(until - 1)}</span>`}</div>
<p dir="auto">${escapeInvisibleLine(why)}</p>${href ? html`<p><a href="${href}" rel="noreferrer">${href}</a></p>` : ''}${evidence.map(({ name, sha256 }) => html`<p class="quiet"><bdi>${name}</bdi> <code>${sha256.slice(0, 16)}…</code></p>`)}</div>
${readOnly ? '' : html`<form class="end" method="post" action="/app/compliance/withdraw">${formTokenField(visitor)}<input type="hidden" name="id" value="${id}"><button class="small bad" aria-label="Withdraw ${standardDisplayName(standard)} ${control}">Withdraw</button></form>`}</li>`;
}
