import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { OperationContext } from '../../../operation.ts';

export type ResourceScope = Pick<OperationContext, 'caller' | 'services'>;

export type ResourceContent = { mimeType: string; _meta?: Record<string, unknown> } & (
  | { text: string }
  | { blob: string }
);

export interface ResourceFamily {
  readonly scheme: string;
  readonly fixed: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  listResources(
    scope: ResourceScope,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ resources: Resource[]; next: string | undefined }>;
  readResource(scope: ResourceScope, uri: string, limit: number): Promise<ResourceContent | undefined>;
  hasResource?(scope: ResourceScope, uri: string): Promise<boolean>;
  completeVariable(scope: ResourceScope, argument: string, value: string): Promise<string[]>;
}
