import aws from './aws.json' with { type: 'json' };
import azure from './azure.json' with { type: 'json' };
import google from './google.json' with { type: 'json' };
import kubernetes from './kubernetes.json' with { type: 'json' };
import type { InfrastructurePolicy } from './policy.ts';

export const POLICIES = [aws, azure, google, kubernetes].flat() as unknown as readonly InfrastructurePolicy[];
