import { type CheckGroup, infrastructureRuleIds } from './check-group.ts';

/** Rules about encryption without the customer's own key. The cloud provider encrypts these data in any case. */
const ENCRYPTED_BY_PROVIDER = infrastructureRuleIds(
  'unencrypted-dynamodb-table',
  'unencrypted-msk-cluster',
  'unencrypted-memorydb-snapshot',
  'unencrypted-storage-gateway-share',
  'unencrypted-fsx-for-windows-backup',
);
/** Rules about a missing second layer of encryption, which no standard requires. */
const SECOND_LAYER = infrastructureRuleIds(
  'unencrypted-storage-double',
  'unencrypted-service-bus-double',
  'unencrypted-postgresql-double',
  'unencrypted-mysql-double',
  'unencrypted-kusto-double',
);
const IN_ONE_PLACE = infrastructureRuleIds(
  'no-backup-rds-zones',
  'no-backup-elasticache-failover',
  'no-backup-storage-replication',
  'no-backup-registry-zone',
  'no-backup-sql-zone',
  'no-backup-service-environment',
  'no-backup-service-plan',
);
const KEY_LOSS = infrastructureRuleIds(
  'deletable-kms-disabled',
  'deletable-kms-window',
  'deletable-vault-purge',
  'deletable-vault-soft',
  'deletable-google-key',
);

export const DATA_GROUPS: Readonly<Record<string, CheckGroup>> = {
  'data-at-rest': {
    title: 'storage without encryption in infrastructure files',
    checks: infrastructureRuleIds('unencrypted-*', 'cluster-api-encryption'),
    except: [
      ...ENCRYPTED_BY_PROVIDER,
      ...SECOND_LAYER,
      ...infrastructureRuleIds('unencrypted-service-fabric'),
    ],
    cwe: [311],
  },
  'own-keys': {
    title: 'data under a key of the provider in infrastructure files',
    checks: [...infrastructureRuleIds('provider-key-*'), ...ENCRYPTED_BY_PROVIDER],
  },
  'key-rotation': {
    title: 'keys without rotation',
    checks: infrastructureRuleIds('no-rotation-kms-key', 'no-rotation-vault-key', 'no-rotation-google-key'),
    cwe: [324],
  },
  'secret-rotation': {
    title: 'secrets without rotation',
    checks: infrastructureRuleIds(
      'no-rotation-secret',
      'no-rotation-secret-unrotated',
      'no-rotation-vault-secret',
      'no-rotation-aks-secrets',
      'no-rotation-service-account-key',
      'weak-login-storage-sas',
    ),
  },
  'key-loss': {
    title: 'keys that can be lost with the data that they encrypt',
    checks: KEY_LOSS,
  },
  backups: {
    title: 'data without backups in infrastructure files',
    checks: infrastructureRuleIds('no-backup-*'),
    except: [
      ...IN_ONE_PLACE,
      ...infrastructureRuleIds(
        'no-backup-web-app-health',
        'no-backup-lambda-dead-letters',
        'no-backup-aurora-tags',
        'no-backup-neptune-tags',
        'no-backup-rds-tags',
      ),
    ],
  },
  'backup-protection': {
    title: 'copies of data that are less protected than the data',
    checks: infrastructureRuleIds(
      'unencrypted-neptune-snapshot',
      'unencrypted-rds-cluster-snapshot',
      'unencrypted-copied-ebs-snapshot',
      'unencrypted-dlm-*',
      'public-database-snapshot',
      'deletable-recovery-vault',
      'no-backup-storage-soft-delete',
    ),
  },
  'deletion-protection': {
    title: 'data without protection from deletion in infrastructure files',
    checks: infrastructureRuleIds('deletable-*'),
    except: infrastructureRuleIds(
      'deletable-load-balancer',
      'deletable-network-firewall',
      'deletable-cognito-user-pool',
      'deletable-domain-lock',
      'deletable-app-configuration',
    ),
  },
  redundancy: {
    title: 'services in one place, or that one command removes',
    checks: [
      ...IN_ONE_PLACE,
      ...infrastructureRuleIds(
        'deletable-load-balancer',
        'deletable-network-firewall',
        'deletable-cognito-user-pool',
        'deletable-domain-lock',
        'deletable-app-configuration',
      ),
    ],
  },
  limits: {
    title: 'missing limits on resources',
    checks: infrastructureRuleIds(
      'container-no-memory-limit',
      'unguarded-lambda-concurrency',
      'cluster-api-event-limit',
    ),
    cwe: [400, 770],
  },
};
