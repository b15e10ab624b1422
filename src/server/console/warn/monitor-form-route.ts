import { html } from 'hono/html';
import type { ConsolePage } from '../frame/frame.ts';
import type { ConsoleContext } from '../frame/page.ts';
import { formErrorMessage } from '../frame/page-access.ts';
import { readMonitorForm, toMonitoringOptions } from './monitor-form.ts';
import { monitorPage } from './monitor-page.ts';
import { monitorPageUrl, monitorsPage } from './monitors.ts';

export function addMonitorForm(parts: ConsoleContext): void {
  parts.post('/monitors/watch', async (c, visitor, form) => {
    const asked = readMonitorForm(form);
    const isWatched = form.field('watched') === '1';
    const input = {
      infrastructure_id: asked.id,
      monitoring_options: toMonitoringOptions(asked, isWatched, form.field('nowebhook') === '1'),
    };
    try {
      const { data } = await parts.call<{ data: StartedMonitor }>(c, visitor, 'startMonitoring', input);
      return secretPage(data) ?? monitorPageUrl(data.infrastructure_id);
    } catch (thrown) {
      const alert = formErrorMessage(thrown).replace(/^infrastructure_id\b/i, 'What to watch');
      const page = isWatched
        ? await monitorPage(parts, visitor, { id: asked.id, show: 0, asked })
        : await monitorsPage(parts, visitor, { asked, open: true, from: 0 });
      return { ...page, alert };
    }
  });
}

interface StartedMonitor {
  readonly infrastructure_id: string;
  readonly options: {
    readonly heartbeat?: string;
    readonly webhook?: string;
    readonly webhook_secret?: string;
  };
}

function secretPage({ infrastructure_id: id, options }: StartedMonitor): ConsolePage | undefined {
  const { heartbeat, webhook, webhook_secret: secret } = options;
  if (heartbeat === undefined && secret === undefined) return undefined;
  return {
    title: 'Keep this now',
    about: 'It is not shown again.',
    place: 'monitors',
    body: html`${heartbeat === undefined ? '' : html`<section class="panel"><h2>Address of the heartbeat</h2><p>The job calls this path of your server each time it has done its work:</p><pre tabindex="0"><code>curl -fsS https://magpie.example${heartbeat}</code></pre></section>`}
${secret === undefined ? '' : html`<section class="panel"><h2>Key of the web hook</h2><p>Posts to ${webhook} are signed with it, as Standard Webhooks have it:</p><pre tabindex="0"><code>${secret}</code></pre></section>`}
<p><a class="button main" href="${monitorPageUrl(id)}">I have it: to the monitor</a></p>`,
  };
}
