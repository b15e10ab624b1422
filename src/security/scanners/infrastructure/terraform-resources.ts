import type { HclBlock } from './hcl.ts';
import type { RuleMatch, RuleName } from './rules.ts';

type Check = (block: HclBlock) => RuleMatch[];

/** A match when an attribute has a value that it must not have. */
function whenIs(name: string, bad: RegExp, rule: RuleName): Check {
  return ({ attributes }) => {
    const found = attributes.get(name);
    return found && bad.test(found.text)
      ? [{ rule, line: found.line, what: `${name} = ${found.text.slice(0, 60)}` }]
      : [];
  };
}

/** A match unless an attribute has a value that it should have; its default is the wrong one. */
function unlessIs(name: string, good: RegExp, rule: RuleName): Check {
  return ({ attributes, line }) => {
    const found = attributes.get(name);
    return found && good.test(found.text)
      ? []
      : [{ rule, line: found?.line ?? line, what: `${name} is not set` }];
  };
}

/** The check of a nested block; `missing` when there is none. */
function within(type: string, check: Check, missing?: RuleName): Check {
  return (block) => {
    const inner = block.blocks.filter((one) => one.type === type);
    if (inner.length > 0) return inner.flatMap(check);
    return missing ? [{ rule: missing, line: block.line, what: `${type} is not set` }] : [];
  };
}

function all(...checks: readonly Check[]): Check {
  return (block) => checks.flatMap((check) => check(block));
}

/** `true`, or an expression that others decide. */
const ON = /^(?!false$)./;
const OFF = /^false$/;
const PUBLIC_ACL = /^public-read(?:-write)?$|^authenticated-read$/;
const OLD_TLS = /^(?:TLS1_0|TLS1_1|TLS_1_0|TLS_1_1|1\.0|1\.1|TLSv1(?:_2016|\.1_2016)?|SSLv3|TLS10|TLS11)$/;
const ANYBODY = /allUsers|allAuthenticatedUsers/;

const CHECKS = {
  aws_s3_bucket: whenIs('acl', PUBLIC_ACL, 'cloud-public-storage'),
  aws_s3_bucket_acl: whenIs('acl', PUBLIC_ACL, 'cloud-public-storage'),
  aws_s3_bucket_public_access_block: all(
    ...['block_public_acls', 'block_public_policy', 'ignore_public_acls', 'restrict_public_buckets'].map(
      (name) => whenIs(name, OFF, 'cloud-public-storage'),
    ),
  ),
  aws_db_instance: all(
    unlessIs('storage_encrypted', ON, 'cloud-unencrypted-storage'),
    whenIs('publicly_accessible', /^true$/, 'cloud-public-database'),
  ),
  aws_rds_cluster: unlessIs('storage_encrypted', ON, 'cloud-unencrypted-storage'),
  aws_rds_cluster_instance: whenIs('publicly_accessible', /^true$/, 'cloud-public-database'),
  aws_redshift_cluster: all(
    unlessIs('encrypted', ON, 'cloud-unencrypted-storage'),
    whenIs('publicly_accessible', /^true$/, 'cloud-public-database'),
  ),
  aws_ebs_volume: unlessIs('encrypted', ON, 'cloud-unencrypted-storage'),
  aws_efs_file_system: unlessIs('encrypted', ON, 'cloud-unencrypted-storage'),
  aws_docdb_cluster: unlessIs('storage_encrypted', ON, 'cloud-unencrypted-storage'),
  aws_neptune_cluster: unlessIs('storage_encrypted', ON, 'cloud-unencrypted-storage'),
  aws_elasticache_replication_group: all(
    unlessIs('at_rest_encryption_enabled', ON, 'cloud-unencrypted-storage'),
    unlessIs('transit_encryption_enabled', ON, 'cloud-plain-transport'),
  ),
  aws_kms_key: unlessIs('enable_key_rotation', ON, 'cloud-no-key-rotation'),
  aws_ecr_repository: unlessIs('image_tag_mutability', /IMMUTABLE|^var|^local/, 'cloud-mutable-tags'),
  aws_instance: within(
    'metadata_options',
    unlessIs('http_tokens', /required|^var|^local/, 'cloud-metadata-v1'),
    'cloud-metadata-v1',
  ),
  aws_launch_template: within(
    'metadata_options',
    unlessIs('http_tokens', /required|^var|^local/, 'cloud-metadata-v1'),
    'cloud-metadata-v1',
  ),
  aws_lb_listener: plainListener,
  aws_alb_listener: plainListener,
  aws_cloudfront_distribution: all(
    within(
      'default_cache_behavior',
      whenIs('viewer_protocol_policy', /^allow-all$/, 'cloud-plain-transport'),
    ),
    within(
      'ordered_cache_behavior',
      whenIs('viewer_protocol_policy', /^allow-all$/, 'cloud-plain-transport'),
    ),
    within('viewer_certificate', whenIs('minimum_protocol_version', OLD_TLS, 'cloud-old-tls')),
  ),
  aws_api_gateway_domain_name: whenIs('security_policy', OLD_TLS, 'cloud-old-tls'),
  google_storage_bucket_iam_member: whenIs('member', ANYBODY, 'cloud-public-storage'),
  google_storage_bucket_iam_binding: whenIs('members', ANYBODY, 'cloud-public-storage'),
  google_storage_bucket_access_control: whenIs('entity', ANYBODY, 'cloud-public-storage'),
  google_sql_database_instance: within(
    'settings',
    within(
      'ip_configuration',
      within('authorized_networks', whenIs('value', /^0\.0\.0\.0\/0$/, 'cloud-public-database')),
    ),
  ),
  google_compute_ssl_policy: unlessIs('min_tls_version', /TLS_1_[23]|^var|^local/, 'cloud-old-tls'),
  google_kms_crypto_key: unlessIs('rotation_period', /./, 'cloud-no-key-rotation'),
  azurerm_storage_account: all(
    whenIs('min_tls_version', OLD_TLS, 'cloud-old-tls'),
    whenIs('enable_https_traffic_only', OFF, 'cloud-plain-transport'),
    whenIs('https_traffic_only_enabled', OFF, 'cloud-plain-transport'),
    whenIs('allow_nested_items_to_be_public', /^true$/, 'cloud-public-storage'),
  ),
  azurerm_storage_container: whenIs('container_access_type', /^(?:blob|container)$/, 'cloud-public-storage'),
  azurerm_mssql_server: all(
    whenIs('minimum_tls_version', OLD_TLS, 'cloud-old-tls'),
    whenIs('public_network_access_enabled', /^true$/, 'cloud-public-database'),
  ),
  azurerm_postgresql_server: all(
    whenIs('ssl_enforcement_enabled', OFF, 'cloud-plain-transport'),
    whenIs('public_network_access_enabled', /^true$/, 'cloud-public-database'),
  ),
  azurerm_mysql_server: all(
    whenIs('ssl_enforcement_enabled', OFF, 'cloud-plain-transport'),
    whenIs('public_network_access_enabled', /^true$/, 'cloud-public-database'),
  ),
  azurerm_linux_web_app: whenIs('https_only', OFF, 'cloud-plain-transport'),
  azurerm_windows_web_app: whenIs('https_only', OFF, 'cloud-plain-transport'),
  digitalocean_database_firewall: within('rule', whenIs('value', /^0\.0\.0\.0\/0$/, 'cloud-public-database')),
} as const satisfies Readonly<Record<string, Check>>;

/** What is checked of each kind of resource, besides its open ports and policies. */
export const RESOURCE_CHECKS: Readonly<Record<string, Check>> = CHECKS;

/** HTTP that is not sent on to HTTPS. */
function plainListener(block: HclBlock): RuleMatch[] {
  const protocol = block.attributes.get('protocol');
  if (protocol?.text !== 'HTTP') return [];
  const redirects = block.blocks.some(
    (action) => action.type === 'default_action' && action.attributes.get('type')?.text === 'redirect',
  );
  return redirects ? [] : [{ rule: 'cloud-plain-transport', line: protocol.line, what: 'listener on HTTP' }];
}
