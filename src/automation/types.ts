/** The room as tools, flows, commands and the server know it: types alone. */

import type { Plan } from './plans/plan.ts';
import type { Compiled, Made, PlatformName } from './platform.ts';

export type { Plan } from './plans/plan.ts';
export type { Compiled, Made, PlatformName } from './platform.ts';

/** Makes automations on the platforms of its users, with their own credentials. */
export interface Automation {
  /** Creates the automation of a task, or returns the one that exists. Throws AppError. */
  placeOrder(order: Order, context: OrderContext): Promise<Delivery>;
  /**
   * Credentials of the configuration, for the one local user of the terminal and of stdio. They belong to the
   * configured platform: there are none for another.
   */
  localCredentials(platform: PlatformName | undefined): Credentials;
  /** What a platform, the configured one when left out, calls itself and its credentials. */
  wantedCredentials(platform: PlatformName | undefined): Wanted;
  /** Whether a task writes into the knowledge base, which takes a Magpie key. */
  needsMagpieKey(task: string): boolean;
}

/** A page that a search found for a task. */
export interface ChosenPage {
  readonly title: string;
  readonly url: string;
}

export interface Order {
  /** The user's words. */
  readonly task: string;
  /** Key and team may be left out of a dry run. */
  readonly key?: string | undefined;
  readonly team?: string | undefined;
  /** The configured one when left out. */
  readonly platform?: PlatformName | undefined;
  /** A Magpie key of the user, for tasks that write into the knowledge base. */
  readonly magpieKey?: string | undefined;
  /** Sends no request to the platform. */
  readonly dryRun: boolean;
  /** The user. Where a task writes into the knowledge base, every user has an automation of their own. */
  readonly owner: string;
}

export interface OrderContext {
  readonly signal: AbortSignal;
  /** Finds the page that a task without an address is about. */
  findPage(subject: string): Promise<ChosenPage>;
  progress(message: string): void;
}

/** The result of an order: `made` is undefined for a dry run, `plan` for an automation that existed. */
export interface Delivery {
  readonly platform: PlatformName;
  readonly title: string;
  /** When it runs, in words: `every 15 minutes`. */
  readonly runs: string;
  readonly made?: Made;
  readonly existing: boolean;
  /** An earlier call that broke off had left it half made, and this call has switched it on. */
  readonly finished?: boolean;
  readonly plan?: Plan;
  readonly compiled?: Compiled;
  readonly chosen?: ChosenPage;
  /** The plan in words, and what the user should know; none for an automation that existed. */
  readonly words: readonly string[];
  readonly notes: readonly string[];
}

export interface Credentials {
  readonly key?: string | undefined;
  readonly team?: string | undefined;
}

/** What the user has to give, in the platform's words: `an API token of Make with ...`. */
export interface Wanted {
  /** The platform's name. */
  readonly title: string;
  readonly key: string;
  readonly team: string;
}
