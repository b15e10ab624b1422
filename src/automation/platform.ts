import type { Plan } from './plan.ts';

/** Platforms that automations run on, the default first. */
export const PLATFORMS = ['make', 'n8n', 'apify'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/** JSON as a platform takes it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** What a document is made of. */
export interface Task {
  readonly plan: Plan;
  /** The same for the same task of the same team; part of the automation's name. */
  readonly fingerprint: string;
  readonly team: string;
  /** Address that takes texts for the knowledge base; given where the plan sends there. */
  readonly knowledgeUrl?: string;
}

/** Stands in a document where the user's Magpie key goes once it is sent. */
export const MAGPIE_KEY = '<magpiekey>';

/** A task in the platform's own words. */
export interface Compiled {
  /** What is sent, without any credential. */
  readonly document: JsonObject;
  /** What the user should know or still has to do. */
  readonly notes: readonly string[];
  /** Whether it can run as it is; else it is made switched off. */
  readonly ready: boolean;
}

/** An automation that is there. */
export interface Made {
  readonly id: string;
  /** Where its user sees it. */
  readonly url: string;
  readonly active: boolean;
}

/** Asks the platform as the user; see `createSession`. */
export interface Session {
  readonly team: string;
  /** The user's Magpie key, for automations that write into the knowledge base. */
  readonly magpieKey?: string | undefined;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  post(path: string, body?: JsonObject, query?: Readonly<Record<string, string>>): Promise<unknown>;
}

/**
 * One automation platform: `compile` is pure, `find` and `create` ask. All throw AppError; one of the
 * platform's own refusals has its words and its class of status.
 */
export interface Platform {
  readonly name: PlatformName;
  /** What its users know it by. */
  readonly title: string;
  /** Path of its API below the base address. */
  readonly api: string;
  /** Headers that say who asks. */
  authorize(key: string): Readonly<Record<string, string>>;
  /** The words of a refusal, out of its body. */
  reason(body: unknown): string | undefined;
  /** What a key needs there, for whoever's key is refused. */
  readonly rights: string;
  /** Throws AppError `bad_request` for a team that cannot be one there. */
  checkTeam(team: string): void;
  compile(task: Task): Compiled;
  /** The automation of an earlier call with the same fingerprint. */
  find(task: Pick<Task, 'fingerprint' | 'team'>, session: Session): Promise<Made | undefined>;
  /** Makes it, and whatever an earlier call that broke off did not come to. */
  create(task: Task, compiled: Compiled, session: Session): Promise<Made>;
}

/** Most characters of a name. */
const NAME = 100;

/** The automation's name; the mark at its end is what it is found by. */
export function nameOf({ plan, fingerprint }: Task): string {
  const mark = markOf(fingerprint);
  const room = NAME - mark.length - 1;
  const task = plan.task.length > room ? `${plan.task.slice(0, room - 1).toWellFormed()}…` : plan.task;
  return `${task} ${mark}`;
}

export function markOf(fingerprint: string): string {
  return `[magpie ${fingerprint}]`;
}
