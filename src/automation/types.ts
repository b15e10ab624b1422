import type { AutomationPlan } from './plans/plan.ts';
import type { TaskFields } from './plans/task-fields.ts';
import type { CompiledTask, PlatformAutomation, PlatformName } from './platform.ts';

export type { AutomationPlan as Plan } from './plans/plan.ts';
export type { CompiledTask, PlatformAutomation, PlatformName } from './platform.ts';

export interface AutomationService {
  /** Creates the automation of a task, or returns the existing one. Throws AppError. */
  placeOrder(order: AutomationOrder, context: OrderContext): Promise<AutomationOrderResult>;
  /** Reads a task as a plan, without a platform. Throws AppError. */
  readPlan(
    order: AutomationOrder,
    context: OrderContext,
  ): Promise<Pick<AutomationOrderResult, 'words' | 'notes' | 'chosen'> & { readonly plan: AutomationPlan }>;
  localCredentials(platform: PlatformName | undefined): PlatformCredentials;
  wantedCredentials(platform: PlatformName | undefined): CredentialDescription;
  needsMagpieKey(
    task: string,
    owner: string,
    signal: AbortSignal,
    notify?: { readonly knowledgeBase?: unknown },
  ): Promise<boolean>;
}

export interface ChosenPage {
  readonly title: string;
  readonly url: string;
}

export interface AutomationOrder {
  readonly task: string;
  readonly fields?: TaskFields;
  /** Key and team are optional for a dry run. */
  readonly key?: string | undefined;
  readonly team?: string | undefined;
  readonly platform?: PlatformName | undefined;
  readonly magpieKey?: string | undefined;
  readonly dryRun: boolean;
  readonly owner: string;
}

export interface OrderContext {
  readonly signal: AbortSignal;
  findPage(subject: string): Promise<ChosenPage>;
  progress(message: string): void;
}

/** Result of an order. A dry run has no `made`. If an automation was found, there is no `plan`. */
export interface AutomationOrderResult {
  readonly platform: PlatformName;
  readonly title: string;
  readonly runs: string;
  readonly made?: PlatformAutomation;
  readonly existing: boolean;
  /** True if this call switched on an automation of an interrupted earlier call. */
  readonly finished?: boolean;
  readonly plan?: AutomationPlan;
  readonly compiled?: CompiledTask;
  readonly chosen?: ChosenPage;
  /** The plan in words. `words` and `notes` are empty if an automation was found. */
  readonly words: readonly string[];
  readonly notes: readonly string[];
}

export interface PlatformCredentials {
  readonly key?: string | undefined;
  readonly team?: string | undefined;
}

export interface CredentialDescription {
  readonly title: string;
  readonly key: string;
  readonly team: string;
}
