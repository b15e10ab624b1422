import type { PlatformName } from '../config/automation-settings.ts';
import type { Plan } from './plans/plan.ts';

export type { PlatformName };

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export interface Task {
  readonly plan: Plan;
  /** Hash that is equal for equal tasks of a team. The name of the automation contains this hash. */
  readonly fingerprint: string;
  readonly team: string;
  /** URL that accepts texts for the knowledge base, if the plan sends there. */
  readonly knowledgeUrl?: string;
}

export const MAGPIE_KEY_PLACEHOLDER = '<magpiekey>';

export interface CompiledTask {
  readonly document: JsonObject;
  readonly notes: readonly string[];
  /** True if the automation can run at once. If not, the automation is created switched off. */
  readonly ready: boolean;
}

export interface PlatformAutomation {
  readonly id: string;
  readonly url: string;
  readonly active: boolean;
}

/** An automation of an earlier call. `half` is true if that call was interrupted before it switched the automation on. */
export interface ExistingAutomation extends PlatformAutomation {
  readonly name: string;
  readonly half: boolean;
}

export interface CreationResult {
  readonly made: PlatformAutomation;
  /** True if `made` is the automation of another process, which was faster. The automation of this call was then removed. */
  readonly existing: boolean;
  readonly notes: readonly string[];
}

export interface PlatformSession {
  readonly team: string;
  readonly magpieKey?: string | undefined;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  post(path: string, body?: JsonObject, query?: Readonly<Record<string, string>>): Promise<unknown>;
  put(path: string, body: JsonObject): Promise<unknown>;
  patch(path: string, body: JsonObject): Promise<unknown>;
  remove(path: string, body?: JsonObject, query?: Readonly<Record<string, string>>): Promise<void>;
}

/** An automation platform. All methods throw AppError with the platform's message. `compile` sends no request. */
export interface Platform {
  readonly name: PlatformName;
  readonly title: string;
  readonly api: string;
  authorize(key: string): Readonly<Record<string, string>>;
  reason(body: unknown): string | undefined;
  /** Describes the rights that a key needs, for users whose key is refused. */
  readonly rights: string;
  /** Describes what a team is on this platform. `isTeam` is true for a text that has the form of a team. */
  readonly team: string;
  isTeam(text: string): boolean;
  readonly placeholderTeam: string;
  compile(task: Task): CompiledTask;
  /** Finds the oldest automation that earlier calls created with the same fingerprint. */
  findAutomation(
    task: Pick<Task, 'fingerprint' | 'team'>,
    session: PlatformSession,
  ): Promise<ExistingAutomation | undefined>;
  /** Creates or completes the automation. Removes the new automation if another process has created an older one. */
  createAutomation(task: Task, compiled: CompiledTask, session: PlatformSession): Promise<CreationResult>;
  finishAutomation(found: ExistingAutomation, session: PlatformSession): Promise<PlatformAutomation>;
}
