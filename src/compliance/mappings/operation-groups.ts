import { type CheckGroup, infrastructureRuleIds, sourceRuleIds } from './check-group.ts';

const RETENTION = infrastructureRuleIds(
  'no-log-log-retention',
  'no-log-log-year',
  'no-log-sql-audit-days',
  'no-log-activity-log',
  'no-log-flow-log',
  'no-log-postgresql-retention',
);
const PROTECTION = infrastructureRuleIds(
  'no-log-cloudtrail-validation',
  'no-log-log-bucket',
  'no-log-sql-ledger',
);
/** Rules about metrics and traces, which do not record who did which action. */
const MEASURES = infrastructureRuleIds(
  'no-log-cloudwatch-alarm',
  'no-log-api-tracing',
  'no-log-rds-monitoring',
  'no-log-rds-insights',
  'no-log-step-functions-tracing',
  'no-log-lambda-tracing',
  'no-log-instance-monitoring',
  'no-log-ecs-insights',
  'no-log-elastic-beanstalk-health',
  'no-log-postgresql-checkpoints',
  'no-log-cloud-sql-checkpoints',
  'no-log-cloud-sql-lock-waits',
  'no-log-cloud-sql-duration',
  'no-log-gke-monitoring',
  'no-log-data-fusion-monitoring',
  'no-log-stack-events',
  'no-log-cloudtrail-topic',
);
const WEB_FIREWALL = infrastructureRuleIds(
  'unguarded-cloudfront-waf',
  'unguarded-waf-rules',
  'unguarded-waf-policy',
  'unguarded-application-gateway',
  'unguarded-front-door',
);

export const OPERATION_GROUPS: Readonly<Record<string, CheckGroup>> = {
  hardening: {
    title: 'unsafe defaults in code and infrastructure files',
    checks: [
      ...sourceRuleIds('debug-on'),
      ...infrastructureRuleIds(
        'unhardened-*',
        'cluster-*',
        'container-*',
        'network-storage-bypass',
        'network-aks-system',
        'unguarded-aks-policy',
        'unguarded-bedrock-guardrails',
      ),
    ],
    except: infrastructureRuleIds(
      'unhardened-codecommit-approvals',
      'unhardened-group-description',
      'unhardened-acm-lifecycle',
      'unhardened-s3-uploads',
      'unhardened-vault-type',
      'unhardened-web-app-http2',
    ),
    cwe: [489, 1188],
  },
  'needless-functions': {
    title: 'functions that production does not need in code and infrastructure files',
    checks: infrastructureRuleIds(
      'docker-ssh-port',
      'unhardened-app-debugging',
      'unhardened-aks-dashboard',
      'unhardened-aks-routing',
      'unhardened-instance-serial',
      'unhardened-gke-alpha',
      'unhardened-cloud-sql-infile',
      'unhardened-vm-extensions',
      'cluster-api-profiling',
      'cluster-manager-profiling',
      'cluster-scheduler-profiling',
      'cluster-kubelet-read-only',
    ),
    cwe: [489],
  },
  logging: {
    title: 'services without logs in infrastructure files',
    checks: infrastructureRuleIds('no-log-*', 'cluster-api-audit'),
    except: [
      ...RETENTION,
      ...PROTECTION,
      ...MEASURES,
      ...infrastructureRuleIds(
        // Left out, because this rule is about too much logging: of requests' bodies.
        'no-log-api-data-trace',
        'no-log-acm-transparency',
        'no-log-config-regions',
        'no-log-config-global',
      ),
    ],
    cwe: [778],
  },
  'log-retention': {
    title: 'logs that are not kept long enough',
    checks: [
      ...RETENTION,
      ...infrastructureRuleIds('cluster-api-audit-age', 'cluster-api-audit-copies', 'cluster-api-audit-size'),
    ],
  },
  'log-protection': { title: 'logs that can be changed', checks: PROTECTION },
  'flow-logs': {
    title: 'networks without logs of their flows',
    checks: infrastructureRuleIds(
      'no-log-vpc',
      'no-log-flow-log-off',
      'no-log-subnetwork',
      'no-log-gke-flows',
      'no-log-firewall',
      'no-log-network-firewall',
    ),
  },
  monitoring: { title: 'services that are not measured or watched', checks: MEASURES },
  patching: {
    title: 'services without automatic updates or support in infrastructure files',
    checks: infrastructureRuleIds('outdated-*'),
    cwe: [1329],
  },
  unsupported: {
    title: 'versions without support in infrastructure files',
    checks: infrastructureRuleIds(
      'outdated-eks-version',
      'outdated-lambda-runtime',
      'outdated-google-runtime',
      'outdated-fargate',
      'outdated-web-app-php',
      'outdated-web-app-python',
      'outdated-cloud-sql-version',
    ),
    cwe: [1104],
  },
  detection: {
    title: 'missing detection of attacks in infrastructure files',
    checks: [
      ...WEB_FIREWALL,
      ...infrastructureRuleIds(
        'unguarded-guardduty',
        'unguarded-postgresql-threats',
        'unguarded-mysql-threats',
        'unguarded-sql-*',
        'unguarded-defender*',
        'unguarded-firewall-*',
      ),
    ],
  },
  'intrusion-detection': {
    title: 'missing detection of intrusions in infrastructure files',
    checks: infrastructureRuleIds('unguarded-guardduty', 'unguarded-firewall-*'),
  },
  'web-firewall': {
    title: 'web applications without a filter before them',
    checks: WEB_FIREWALL,
  },
};
