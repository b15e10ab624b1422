import type { Hono } from 'hono';
import { asAppError } from '../../errors.ts';
import { parseSubmittedForm } from '../app/form.ts';
import { toSentence } from '../html.ts';
import type { HttpEnv } from '../http/edge.ts';
import type { OperationPipeline } from '../invoke.ts';
import { addAutomationsPages } from './automations.ts';
import { addConnectPage } from './connect.ts';
import { addCredentialPage } from './credentials.ts';
import { addAskPage } from './find/ask.ts';
import { addEnginesPage } from './find/engines.ts';
import { addIndexedPagesPage } from './find/pages-read.ts';
import type { ConsoleContext } from './frame/page.ts';
import { type AddPages, createPageApp, sendSignInPage } from './frame/page-app.ts';
import { type ConsoleOptions, refuseCrossSite } from './frame/visitor.ts';
import { addFilesPages } from './keep/files.ts';
import { addNotesPages, addNotesTransfer } from './keep/notes.ts';
import { addKeysPage } from './keys.ts';
import { addLogPage } from './log.ts';
import { addLogin } from './login.ts';
import { addSettingsPage } from './settings.ts';
import { addComplianceCheckPage } from './warn/check-page.ts';
import { addAttestationPages, addCompliancePages } from './warn/compliance.ts';
import { addMonitorForm } from './warn/monitor-form-route.ts';
import { addMaintenanceForm, addMonitorPage } from './warn/monitor-page.ts';
import { addMonitorsPage, addStatusPageForm } from './warn/monitors.ts';
import { addScanChangesPage, addScanPage } from './warn/scan-page.ts';
import { addScansPages } from './warn/scans.ts';

const PAGES: readonly AddPages[] = [
  addAskPage,
  addNotesPages,
  addNotesTransfer,
  addFilesPages,
  addScansPages,
  addScanPage,
  addScanChangesPage,
  addMonitorsPage,
  addMonitorPage,
  addMonitorForm,
  addMaintenanceForm,
  addStatusPageForm,
  addIndexedPagesPage,
  addConnectPage,
  addKeysPage,
  addEnginesPage,
  addSettingsPage,
  addLogPage,
  addCompliancePages,
  addComplianceCheckPage,
  addAttestationPages,
  addAutomationsPages,
  addCredentialPage,
];

export function createConsole(pipe: OperationPipeline, options: ConsoleOptions): Hono<HttpEnv> {
  const addSigning: AddPages = (parts, app) => {
    addSignIn(parts, app, options);
    addLogin(app, { pipe, options });
  };
  return createPageApp(pipe, options, [addSigning, ...PAGES]);
}

function addSignIn(parts: ConsoleContext, app: Hono<HttpEnv>, options: ConsoleOptions): void {
  app.post('/sign-in', async (c) => {
    refuseCrossSite(c);
    await options.identifyPageUser?.(undefined, c.get('client'));
    const form = await parseSubmittedForm(c.req.raw, 0);
    try {
      await parts.signIn(c, form.field('key').trim().slice(0, 8000));
    } catch (thrown) {
      const { code, message, status } = asAppError(thrown);
      if (code !== 'unauthenticated') throw thrown;
      return sendSignInPage(c, options, toSentence(message), status);
    }
    return c.redirect('/app/ask', 303);
  });
}
