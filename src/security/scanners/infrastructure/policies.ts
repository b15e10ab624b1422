import aws from './policies/aws.json' with { type: 'json' };
import azure from './policies/azure.json' with { type: 'json' };
import google from './policies/google.json' with { type: 'json' };
import kubernetes from './policies/kubernetes.json' with { type: 'json' };
import type { Policy } from './policy.ts';

/** Every policy, in the order of the files. */
export const POLICIES = [aws, azure, google, kubernetes].flat() as unknown as readonly Policy[];
