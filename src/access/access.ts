import type { Keys } from './keys.ts';

/** The room of access. */
export interface Access {
  readonly keys: Keys;
}
