import type { Page } from 'playwright-core';
import type { Stage } from './stage.ts';

/** One page that is pictured. */
export interface Shot {
  /** Of its files: `<name>-light.webp`, `-dark`, `-phone`. */
  readonly name: string;
  /** From the root of the server, or a whole address. */
  readonly path: string | ((stage: Stage) => string);
  /** Who is signed in; ada when left out. */
  readonly as?: 'newcomer' | 'stranger';
  /** What a person does first. */
  prepare?(page: Page, stage: Stage): Promise<void>;
}

export const SHOTS: readonly Shot[] = [
  { name: 'ask', path: '/app/ask?q=how+do+magpies+recognise+themselves' },
  { name: 'notes', path: '/app/notes' },
  { name: 'note', path: ({ places }) => `/app/notes/edit?id=${places.note}` },
  { name: 'trash', path: '/app/notes/trash' },
  { name: 'transfer', path: '/app/notes/transfer' },
  { name: 'files', path: '/app/files' },
  {
    name: 'file',
    path: '/app/file?name=Corvids+of+the+parish.pdf&q=how+is+the+nest+built&page=2&passage=The+dome+is+made+of+thorny+twigs',
  },
  { name: 'pages', path: '/app/pages' },
  { name: 'page', path: ({ places }) => `/app/page?${new URLSearchParams({ url: places.page })}` },
  { name: 'scans', path: '/app/scans' },
  { name: 'scan', path: ({ places }) => `/app/scans/one?id=${places.scan}` },
  {
    name: 'changes',
    path: ({ places }) => `/app/scans/changes?id=${places.scan}&since=${places.earlierScan}`,
  },
  { name: 'monitors', path: '/app/monitors' },
  { name: 'monitor', path: '/app/monitors/one?id=api' },
  { name: 'compliance', path: '/app/compliance' },
  { name: 'check', path: ({ places }) => `/app/compliance/one?id=${places.check}` },
  { name: 'attestations', path: '/app/compliance/attestations' },
  { name: 'attest', path: '/app/compliance/attestations?standard=soc-2&control=CC1.2&scope=all' },
  {
    name: 'automations',
    path: `/app/automations?${new URLSearchParams({
      q: 'Every weekday at 9, post the links of https://birdnews.example/ to https://hooks.example/in when new ones appear about magpies',
      platform: 'n8n',
    })}`,
  },
  { name: 'connect', path: '/app/connect?with=cursor' },
  { name: 'keys', path: '/app/keys?id=kfhkmpqr23' },
  { name: 'engines', path: '/app/engines' },
  { name: 'settings', path: '/app/settings?q=scan' },
  { name: 'log', path: '/app/log' },
  { name: 'first-question', path: '/app/ask', as: 'newcomer' },
  { name: 'first-monitor', path: '/app/monitors', as: 'newcomer' },
  { name: 'first-automation', path: '/app/automations', as: 'newcomer' },
  { name: 'error', path: '/app/scans/one?id=none' },
  { name: 'sign-in', path: '/app/ask', as: 'stranger' },
  { name: 'status', path: '/status/shop', as: 'stranger' },
  {
    name: 'upload',
    path: ({ places }) => places.upload,
    as: 'stranger',
    async prepare(page, { url }) {
      await page.waitForURL(`${url}/app/files`);
    },
  },
  { name: 'credentials', path: ({ places }) => places.credentials, as: 'stranger' },
  {
    name: 'report',
    path: ({ places }) => `/app/compliance/one?id=${places.check}`,
    // It is a file that is downloaded, which needs nothing of the server that made it.
    async prepare(page, { places }) {
      const file = await page.request.get(`/app/compliance/report?id=${places.check}&format=html`);
      await page.goto('about:blank');
      await page.setContent(await file.text());
    },
  },
  { name: 'reference', path: '/docs' },
];
