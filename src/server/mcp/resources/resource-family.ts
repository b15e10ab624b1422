import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Caller } from '../../../caller.ts';
import type { Services } from '../../../wiring/services.ts';

export interface ResourceScope {
  readonly caller: Caller;
  readonly services: Services;
}

/** Text, or bytes as base64. */
export type ResourceContent = { mimeType: string; _meta?: Record<string, unknown> } & (
  | { text: string }
  | { blob: string }
);

/** Resources under one scheme, all of them the caller's own. */
export interface ResourceFamily {
  readonly scheme: string;
  /** Those that always exist; they come first in the list. */
  readonly fixed: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** At most `limit`, from the family's own cursor on; `next` is undefined at the end. */
  listResources(
    scope: ResourceScope,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ resources: Resource[]; next: string | undefined }>;
  /** Undefined for an address that it does not have; a list in it has at most `limit` rows. */
  readResource(scope: ResourceScope, uri: string, limit: number): Promise<ResourceContent | undefined>;
  /** Whether it has something at an address, without reading all of that; by reading it where this is left out. */
  hasResource?(scope: ResourceScope, uri: string): Promise<boolean>;
  /** Values for a variable of one of its templates. */
  completeVariable(scope: ResourceScope, argument: string, value: string): Promise<string[]>;
}
