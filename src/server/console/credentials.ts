import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { AppError, badRequestError } from '../../errors.ts';
import { parseSubmittedForm } from '../app/form.ts';
import type { CredentialPages, CredentialRequest } from '../credential-pages.ts';
import type { Html } from '../html.ts';
import type { HttpEnv } from '../http/edge.ts';
import { renderSignedOutPage } from './frame/frame.ts';
import type { ConsoleContext } from './frame/page.ts';

const MAX_CREDENTIAL_CHARS = 2000;

/** Adds the page on which a user gives credentials that a call lacks. Anyone who knows its ticket may open it. */
export function addCredentialPage({ pipe: { desk } }: ConsoleContext, app: Hono<HttpEnv>): void {
  if (!desk) return;
  app.get('/credentials/:ticket', async (c) => c.html(formPage(await findRequest(c, desk))));

  app.post('/credentials/:ticket', async (c) => {
    const names = Object.keys((await findRequest(c, desk)).credentials);
    const form = await parseSubmittedForm(c.req.raw, 0);
    const values = Object.fromEntries(names.map((name) => [name, form.field(name).trim()]));
    const empty = names.filter((name) => !values[name] || values[name].length > MAX_CREDENTIAL_CHARS);
    if (empty.length > 0) {
      throw badRequestError(
        `${empty.join(' and ')} has to be filled in, with at most ${MAX_CREDENTIAL_CHARS} characters`,
      );
    }
    if (!(await desk.giveCredentials(c.req.param('ticket'), values))) throw pageEnded();
    const done = html`<p>You can close this page; your assistant continues.</p>`;
    return c.html(renderSignedOutPage('Done', done));
  });
}

async function findRequest(c: Context<HttpEnv>, desk: CredentialPages): Promise<CredentialRequest> {
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
  return renderSignedOutPage(
    title,
    html`<p><bdi>${capitalised(purpose)}</bdi></p>
<p class="quiet">Your assistant asked for this, for the user <b><bdi>${caller.id}</bdi></b> of this server. What you enter here is sent to the service it belongs to and is not stored. Close this page if you did not ask for it.</p>
<section class="panel"><form method="post">${Object.entries(credentials).map(
      ([name, words]) =>
        html`<label>${capitalised(words)}<input name="${name}" type="password" autocomplete="off" required maxlength="${MAX_CREDENTIAL_CHARS}" aria-describedby="${name}-name"><small id="${name}-name">The parameter <code>${name}</code></small></label>`,
    )}<div><button class="main">Continue</button></div></form></section>`,
  );
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
