import type { Page } from 'playwright-core';

/** One page that is pictured. */
export interface Shot {
  /** Of its files: `<name>-light.webp`, `-dark`, `-phone`. */
  readonly name: string;
  readonly path: string;
  /** What a person does first. */
  prepare?(page: Page): Promise<void>;
}

export const SHOTS: readonly Shot[] = [
  { name: 'ask', path: '/app/ask?q=how+do+magpies+recognise+themselves' },
  { name: 'notes', path: '/app/notes' },
  { name: 'files', path: '/app/files' },
  {
    name: 'file',
    path: '/app/file?name=Corvids+of+the+parish.pdf&q=how+is+the+nest+built&page=2&passage=The+dome+is+made+of+thorny+twigs',
  },
  { name: 'pages', path: '/app/pages' },
  { name: 'connect', path: '/app/connect?with=cursor' },
  { name: 'keys', path: '/app/keys' },
  { name: 'engines', path: '/app/engines' },
  { name: 'settings', path: '/app/settings?q=minute' },
  { name: 'log', path: '/app/log' },
];
