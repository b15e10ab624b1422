import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { AppError } from '../../errors.ts';
import type { CredentialPages, CredentialRequest } from '../credential-pages.ts';
import type { HttpEnv } from '../http/edge.ts';
import { parseSubmittedForm } from './form.ts';
import { type Html, renderLayout } from './page.ts';

const MAX_CREDENTIAL_CHARS = 2000;

export function addCredentialPage(app: Hono<HttpEnv>, desk: CredentialPages): void {
  app.get('/credentials/:ticket', async (c) => c.html(formPage(await requestOf(c, desk))));

  app.post('/credentials/:ticket', async (c) => {
    const names = Object.keys((await requestOf(c, desk)).credentials);
    const form = await parseSubmittedForm(c.req.raw, 0);
    const values = Object.fromEntries(names.map((name) => [name, form.field(name).trim()]));
    const empty = names.filter((name) => !values[name] || values[name].length > MAX_CREDENTIAL_CHARS);
    if (empty.length > 0) {
      throw new AppError(
        'bad_request',
        `${empty.join(' and ')} has to be filled in, with at most ${MAX_CREDENTIAL_CHARS} characters`,
      );
    }
    if (!(await desk.giveCredentials(c.req.param('ticket'), values))) throw pageEnded();
    return c.html(donePage());
  });
}

async function requestOf(c: Context<HttpEnv>, desk: CredentialPages): Promise<CredentialRequest> {
  const request = await desk.findRequest(c.req.param('ticket') ?? '');
  if (!request) throw pageEnded();
  return request;
}

function pageEnded(): AppError {
  return new AppError(
    'unauthenticated',
    'this page has ended, or was used already: ask your assistant again',
  );
}

function formPage({ title, caller, purpose, credentials }: CredentialRequest): Html {
  return renderLayout(
    title,
    html`<main id="main"><h1>${title}</h1>
<p><bdi>${capitalised(purpose)}</bdi></p>
<p class="quiet">Your assistant asked for this, for the user <b><bdi>${caller.id}</bdi></b> of this server. What you enter here is sent to the service it belongs to and is not stored. Close this page if you did not ask for it.</p>
<form class="panel" method="post">${Object.entries(credentials).map(
      ([name, words]) =>
        html`<p><label for="${name}">${capitalised(words)}</label><input id="${name}" name="${name}" type="password" autocomplete="off" required maxlength="${MAX_CREDENTIAL_CHARS}" aria-describedby="${name}-name"><small id="${name}-name">The parameter <code>${name}</code></small></p>`,
    )}<button class="main">Continue</button></form></main>`,
  );
}

function donePage(): Html {
  return renderLayout(
    'Done',
    html`<main id="main"><h1>Done</h1><p>You can close this page; your assistant continues.</p></main>`,
  );
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
