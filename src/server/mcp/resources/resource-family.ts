import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Caller } from '../../../caller.ts';
import type { Services } from '../../../wiring/services.ts';

export interface ResourceScope {
  readonly caller: Caller;
  readonly services: Services;
}

export type ResourceContent = { mimeType: string; _meta?: Record<string, unknown> } & (
  | { text: string }
  | { blob: string }
);

export interface ResourceFamily {
  readonly scheme: string;
  /** Resources that always exist. They come first in the list. */
  readonly fixed: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** Lists at most `limit` resources after `cursor`, whose format the family defines. `next` is undefined at the end. */
  listResources(
    scope: ResourceScope,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ resources: Resource[]; next: string | undefined }>;
  /** Returns a resource; undefined for an unknown address. A resource that is a list has at most `limit` rows. */
  readResource(scope: ResourceScope, uri: string, limit: number): Promise<ResourceContent | undefined>;
  /** Checks that a resource exists without reading all of it. If a family has no such method, the resource is read instead. */
  hasResource?(scope: ResourceScope, uri: string): Promise<boolean>;
  completeVariable(scope: ResourceScope, argument: string, value: string): Promise<string[]>;
}
