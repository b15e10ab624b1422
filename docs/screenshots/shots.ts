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
];
