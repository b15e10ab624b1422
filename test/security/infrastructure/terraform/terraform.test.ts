// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Terraform is written so

import { expect, test } from 'vitest';
import { createInfrastructureScanner } from '../../../../src/security/scanners/infrastructure.ts';

const scanner = createInfrastructureScanner();

/** What is found in a file that has these lines, of the rules that fit. */
async function scan(text: string, of = /./) {
  const findings = await scanner.scan({ path: 'main.tf', text }, { deep: false });
  return findings
    .map(({ id, line }) => `${line} ${id.replace('infrastructure/', '')}`)
    .filter((one) => of.test(one));
}

const bucket = (acl: string, before = '') =>
  scan(`${before}resource "aws_s3_bucket_acl" "a" {\n  acl = ${acl}\n}\n`, /public-s3-acl/);

test.each([
  ['"public-read"', ''],
  ['var.acl', 'variable "acl" { default = "public-read" }\n'],
  ['local.acl', 'locals { acl = "public-read" }\n'],
  ['local.acls.web', 'locals { acls = { web = "public-read", other = "private" } }\n'],
  ['local.acls["web"]', 'locals { acls = { "web" : "public-read" } }\n'],
  ['"${local.kind}-read"', 'locals { kind = "public" }\n'],
  ['true ? "public-read" : "private"', ''],
  ['tostring("public-read")', ''],
  ['("public-read")', ''],
])('%s has a constant value', async (acl, before) => {
  expect(await bucket(acl, before)).toEqual([`${before === '' ? 2 : 3} public-s3-acl`]);
});

test.each([
  'var.acl',
  'var.live ? "public-read" : "private"',
  '"${var.kind}-read"',
  'lookup(var.acls, "web", "public-read")',
  'one([for one in var.acls : one])',
  'aws_x.y[0].acl',
  'null',
  'file("acl")',
  '"public-read" == var.x',
])('%s is known only at run time', async (acl) => {
  expect(await bucket(acl)).toEqual([]);
});

test('an unset attribute is reported only where no other source can set it', async () => {
  const volume = (body: string) => scan(`resource "aws_ebs_volume" "a" {\n${body}\n}\n`, /unencrypted/);
  expect(await volume('size = 1')).toEqual(['1 unencrypted-ebs-volume']);
  expect(await volume('encrypted = var.encrypted')).toEqual([]);
  expect(await volume('snapshot_id = var.snapshot')).toEqual([]);
  expect(await volume('count = 0')).toEqual([]);
  expect(await volume('count = var.some')).toEqual(['1 unencrypted-ebs-volume']);
});

test('a dynamic block is checked by its content', async () => {
  const text = `resource "aws_security_group" "a" {
  dynamic "ingress" {
    for_each = var.ports
    content {
      from_port = ingress.value
      to_port = ingress.value
      protocol = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
}
`;
  expect(await scan(text, /cloud-/)).toEqual(['8 cloud-open-port']);
});

test('JSON documents in a heredoc, in jsonencode or in a local are read', async () => {
  const statement = '{"Effect": "Allow", "Action": ["iam:*"], "Resource": "*"}';
  const policy = (value: string, before = '') =>
    scan(`${before}resource "aws_iam_policy" "a" {\n  policy = ${value}\n}\n`, /cloud-/);
  const found = (line: number) => [`${line} cloud-ruling-service`];
  expect(await policy(`<<-EOF\n    {"Statement":\n      [${statement}]}\n  EOF`)).toEqual(found(4));
  expect(await policy(`<<EOF\n{"Statement": ["\${x}", ${statement}]}\nEOF`)).toEqual(found(3));
  expect(await policy(`jsonencode({ Statement = ${statement} })`)).toEqual(found(2));
  expect(
    await policy('local.it', `locals {\n  it = jsonencode({ Statement = [${statement}] })\n}\n`),
  ).toHaveLength(1);
});

test('resources of the Kubernetes provider are checked like manifests', async () => {
  const text = `resource "kubernetes_deployment_v1" "shop" {
  metadata {
    name = "shop"
  }
  spec {
    template {
      spec {
        host_network = true
        container {
          name  = "shop"
          image = var.image
          security_context {
            privileged = true
            run_as_non_root = var.careful
          }
          resources {
            limits = { memory = "1Gi" }
          }
        }
      }
    }
  }
}
`;
  expect(await scan(text, /container-(?!cpu|memory|live|ready|readi)/)).toEqual([
    '8 container-host-namespace',
    '13 container-privileged',
    '9 container-privilege-escalation',
    '9 container-writable-root',
    '7 container-seccomp',
    '12 container-capabilities',
  ]);
});

test('the JSON syntax of Terraform is read like the native syntax', async () => {
  const text = JSON.stringify(
    {
      variable: { open: { default: ['0.0.0.0/0'] } },
      locals: { kinds: { web: 'public-read' } },
      resource: {
        aws_s3_bucket_acl: { a: { acl: '${local.kinds.web}' }, b: { acl: '${var.unknown}' } },
        aws_security_group: {
          a: { ingress: [{ from_port: 22, to_port: 22, protocol: 'tcp', cidr_blocks: '${var.open}' }] },
        },
        aws_ebs_volume: { a: [{ encrypted: false }] },
      },
    },
    null,
    2,
  );
  const found = async (path: string) =>
    (await scanner.scan({ path, text }, { deep: false })).map(
      ({ id, line }) => `${id.replace('infrastructure/', '')} ${text.split('\n')[(line ?? 0) - 1]?.trim()}`,
    );
  expect(scanner.wants('main.tf.json')).toBe(true);
  for (const one of [
    'public-s3-acl "acl": "${local.kinds.web}"',
    expect.stringMatching(/^cloud-open-port/),
    'unencrypted-ebs-volume "encrypted": false',
  ])
    expect(await found('main.tf.json')).toContainEqual(one);
  expect((await found('main.tf.json')).filter((one) => one.startsWith('public-s3-acl'))).toHaveLength(1);
  expect(await found('main.json')).toEqual([]);
});
