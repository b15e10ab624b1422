import type { PlatformName } from '../config/automation-settings.ts';
import type { Plan } from './plans/plan.ts';

export type { PlatformName };

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

/** An automation on its platform. */
export interface Made {
  readonly id: string;
  /** Where its user sees it. */
  readonly url: string;
  readonly active: boolean;
}

/** An automation of an earlier call; `half` when that call broke off before it was switched on. */
export interface Found extends Made {
  readonly name: string;
  readonly half: boolean;
}

/** The result of creating one. */
export interface Created {
  readonly made: Made;
  /** Another process was faster: `made` is its automation, and this call's own was removed. */
  readonly existing: boolean;
  /** What the user should know about it. */
  readonly notes: readonly string[];
}

/** Asks the platform as the user; see `createSession`. */
export interface Session {
  readonly team: string;
  /** The user's Magpie key, for automations that write into the knowledge base. */
  readonly magpieKey?: string | undefined;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  post(path: string, body?: JsonObject, query?: Readonly<Record<string, string>>): Promise<unknown>;
  put(path: string, body: JsonObject): Promise<unknown>;
  patch(path: string, body: JsonObject): Promise<unknown>;
  remove(path: string, body?: JsonObject, query?: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * One automation platform: `compile` is pure, the other methods send requests. All throw AppError; one of the
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
  /** The rights that a key needs there, for users whose key is refused. */
  readonly rights: string;
  /** What a team is there, in words, and whether a text can be one. */
  readonly team: string;
  isTeam(text: string): boolean;
  /** Stands for the team in a dry run that names none. */
  readonly anyTeam: string;
  compile(task: Task): Compiled;
  /** The automation of an earlier call with the same fingerprint, the oldest of several. */
  findAutomation(task: Pick<Task, 'fingerprint' | 'team'>, session: Session): Promise<Found | undefined>;
  /**
   * Creates it, and completes what an earlier call that broke off has left. Where the platform takes two of one name, it
   * searches again after creating one, and gives way to an older one.
   */
  createAutomation(task: Task, compiled: Compiled, session: Session): Promise<Created>;
  /** Switches on what is half made. */
  finishAutomation(found: Found, session: Session): Promise<Made>;
}
