import type { PlatformName } from '../config/automation-settings.ts';
import type { AutomationPlan } from './plans/plan.ts';

export type { PlatformName };
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonRecord;
export type JsonRecord = { readonly [name: string]: JsonValue };

export interface PlatformTask {
  readonly plan: AutomationPlan;
  /** Hash of team and task, plus the user if texts go to the knowledge base. Automation names contain it. */
  readonly fingerprint: string;
  readonly team: string;
  readonly knowledgeUrl?: string;
}

export const MAGPIE_KEY_PLACEHOLDER = '<magpiekey>';

export interface CompiledTask {
  readonly document: JsonRecord;
  readonly notes: readonly string[];
  /** False if the automation must be created switched off. */
  readonly ready: boolean;
}

export interface PlatformAutomation {
  readonly id: string;
  readonly url: string;
  readonly active: boolean;
}

/** An automation that an earlier call created. `half` is true if the automation was never switched on. */
export interface ExistingAutomation extends PlatformAutomation {
  readonly name: string;
  readonly half: boolean;
}

export interface AutomationCreation {
  readonly made: PlatformAutomation;
  readonly existing: boolean;
  readonly notes: readonly string[];
}

export interface PlatformSession {
  readonly team: string;
  readonly magpieKey?: string | undefined;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  post(path: string, body?: JsonRecord, query?: Readonly<Record<string, string>>): Promise<unknown>;
  put(path: string, body: JsonRecord): Promise<unknown>;
  patch(path: string, body: JsonRecord): Promise<unknown>;
  remove(path: string, body?: JsonRecord, query?: Readonly<Record<string, string>>): Promise<void>;
}

/** A refused request throws AppError with the platform's message. `compile` sends no request. */
export interface AutomationPlatform {
  readonly name: PlatformName;
  readonly title: string;
  readonly api: string;
  authorize(key: string): Readonly<Record<string, string>>;
  reason(body: unknown): string | undefined;
  readonly rights: string;
  /** Words for a team in messages, such as `the id of a project`. `isTeam` checks the form of a team's id. */
  readonly team: string;
  isTeam(text: string): boolean;
  readonly placeholderTeam: string;
  compile(task: PlatformTask): CompiledTask;
  findAutomation(
    task: Pick<PlatformTask, 'fingerprint' | 'team'>,
    session: PlatformSession,
  ): Promise<ExistingAutomation | undefined>;
  /** Creates an automation, or returns the automation that another process has created meanwhile. */
  createAutomation(
    task: PlatformTask,
    compiled: CompiledTask,
    session: PlatformSession,
  ): Promise<AutomationCreation>;
  finishAutomation(found: ExistingAutomation, session: PlatformSession): Promise<PlatformAutomation>;
}
