// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflows and Terraform are written so

import { describe, expect, test } from 'vitest';
import { INFRASTRUCTURE_RULES } from '../../../src/security/scanners/infrastructure/rules.ts';
import { createInfrastructureScanner } from '../../../src/security/scanners/infrastructure.ts';

const scanner = createInfrastructureScanner();

async function scan(path: string, text: string) {
  const findings = await scanner.scan({ path, text }, { deep: false });
  return findings.map(({ id, line, ...rest }) => ({
    rule: id.replace('infrastructure/', ''),
    line,
    ...rest,
  }));
}

const SAFE = `securityContext:
        runAsNonRoot: true
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true`;

function pod(container: string, spec = ''): string {
  return `apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  ${spec}
  containers:
    - name: shop
      image: acme/shop:1.2
      resources: {limits: {memory: 64Mi}}
      ${container}
`;
}

function manifest(kind: string, rest: string): string {
  return `apiVersion: v1\nkind: ${kind}\n${rest}`;
}

function workflow(steps: string, on = 'push', top = 'permissions: {contents: read}'): string {
  return `on: ${on}\n${top}\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;
}

function service(rest: string): string {
  return `services:\n  shop:\n    image: acme/shop:1.2\n    ${rest}\n`;
}

/** A policy of an identity with one statement. */
function identity(statement: string): string {
  return `resource "aws_iam_policy" "a" {\n  policy = jsonencode({\n    Statement = [{ Effect = "Allow", ${statement} }]\n  })\n}`;
}

function trust(subject: string): string {
  return `data "aws_iam_policy_document" "a" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type = "Federated"
      identifiers = ["arn:aws:iam::1:oidc-provider/token.actions.githubusercontent.com"]
    }
    condition {
      test = "StringLike"
      variable = "token.actions.githubusercontent.com:sub"
      values = ["${subject}"]
    }
  }
}`;
}

function stack(type: string, properties: string): string {
  return `Resources:\n  It:\n    Type: ${type}\n    Properties:\n      ${properties}\n`;
}

/** For every rule: a file, a text that breaks it, and one that does not. */
const CASES: Readonly<
  Record<keyof typeof INFRASTRUCTURE_RULES, readonly [path: string, bad: string, good: string]>
> = {
  'docker-root-user': [
    'Dockerfile',
    'FROM node:24\nUSER node\nFROM node:24-slim\nEXPOSE 80\nCMD ["node"]\n',
    'FROM node:24\nUSER node\nCMD ["node"]\n',
  ],
  'docker-unpinned-image': [
    'build/Dockerfile.dev',
    'FROM acme/base:latest\nUSER 1000\n',
    'ARG V=1\nFROM node:24 AS base\nFROM base\nFROM scratch\nFROM acme/a:$V\n',
  ],
  'docker-remote-add': [
    'Dockerfile',
    'FROM a:1\nADD http://acme.dev/x.sh /x.sh\n',
    'FROM a:1\nADD --checksum=sha256:24 https://acme.dev/x.sh /x.sh\nADD a.tar /\n',
  ],
  'docker-secret-argument': ['Dockerfile', 'FROM a:1\nARG NPM_TOKEN\n', 'FROM a:1\nARG VERSION=1\n'],
  'docker-ssh-port': ['Dockerfile', 'FROM a:1\nEXPOSE 80 22\n', 'FROM a:1\nEXPOSE 2222\n'],
  'shell-remote-script': [
    'Dockerfile',
    'FROM a:1\nRUN apt-get update && \\\n  curl -fsSL http://acme.dev/install | bash\n',
    'FROM a:1\nRUN curl -o x https://acme.dev/x && sha256sum -c x.sum\n',
  ],
  'shell-unverified-download': [
    'Dockerfile',
    'FROM a:1\nRUN curl -sk https://acme.dev/x -o x\n',
    'FROM a:1\nRUN curl -sL https://acme.dev/k -o k\n',
  ],
  'shell-world-writable': [
    'Dockerfile',
    'FROM a:1\nRUN chmod -R 777 /srv\n',
    'FROM a:1\nRUN chmod 0750 /srv\n',
  ],
  'container-privileged': ['docker-compose.yml', service('privileged: true'), service('privileged: false')],
  'container-docker-socket': [
    'compose.yaml',
    service('volumes: ["/var/run/docker.sock:/var/run/docker.sock"]'),
    service('volumes: ["data:/data"]'),
  ],
  'container-host-namespace': [
    'compose.yaml',
    service('network_mode: host'),
    service('network_mode: bridge'),
  ],
  'container-host-path': [
    'compose.yaml',
    service('volumes: [{type: bind, source: /etc, target: /host}]'),
    service('volumes: ["/etc/localtime:/etc/localtime:ro", "./etc:/etc/shop"]'),
  ],
  'container-capability': [
    'compose.yaml',
    service('cap_add: [SYS_ADMIN]'),
    service('cap_add: [NET_BIND_SERVICE]'),
  ],
  'container-unconfined': [
    'compose.yaml',
    service('security_opt: ["seccomp:unconfined"]'),
    service('security_opt: ["no-new-privileges:true"]'),
  ],
  'container-run-as-root': ['pod.yaml', pod('securityContext: {runAsUser: 0}'), pod(SAFE)],
  'container-privilege-escalation': ['pod.yaml', pod('securityContext: {runAsNonRoot: true}'), pod(SAFE)],
  'container-writable-root': ['pod.yaml', pod('securityContext: {readOnlyRootFilesystem: false}'), pod(SAFE)],
  'container-no-memory-limit': [
    'pod.yaml',
    pod(SAFE).replace('limits: {memory: 64Mi}', 'requests: {memory: 64Mi}'),
    pod(SAFE),
  ],
  'published-database': [
    'compose.yaml',
    service('ports: ["5432:5432"]'),
    service('ports: ["127.0.0.1:5432:5432", "8080:80", {target: 6379}]'),
  ],
  'kubernetes-secret-value': [
    'pod.yaml',
    pod(`${SAFE}\n      env: [{name: DB_PASSWORD, value: blueOstrich}]`),
    pod(
      `${SAFE}\n      env: [{name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: db}}}, {name: PORT, value: "80"}]`,
    ),
  ],
  'kubernetes-wildcard-role': [
    'role.yaml',
    manifest('ClusterRole', 'rules:\n- {apiGroups: ["*"], resources: ["*"], verbs: ["*"]}'),
    manifest('Role', 'rules:\n- {resources: [pods], verbs: ["*"]}'),
  ],
  'kubernetes-cluster-admin': [
    'role.yaml',
    manifest('ClusterRoleBinding', 'roleRef: {name: cluster-admin}\nsubjects: [{name: shop}]'),
    manifest('RoleBinding', 'roleRef: {name: view}'),
  ],
  'kubernetes-anonymous-role': [
    'role.yaml',
    manifest(
      'RoleBinding',
      'roleRef: {name: view}\nsubjects: [{kind: Group, name: "system:unauthenticated"}]',
    ),
    manifest('RoleBinding', 'subjects: [{name: shop}]'),
  ],
  'kubernetes-plain-ingress': [
    'ingress.yaml',
    manifest('Ingress', 'spec: {rules: []}'),
    manifest('Ingress', 'spec: {tls: [{hosts: [a]}], rules: []}'),
  ],
  'cloud-open-port': [
    'main.tf',
    'resource "aws_security_group" "a" {\n  ingress {\n    from_port = 22\n    to_port = 22\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}',
    'resource "aws_security_group" "a" {\n  ingress {\n    from_port = 443\n    to_port = 443\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n  ingress {\n    from_port = 22\n    to_port = 22\n    cidr_blocks = ["10.0.0.0/8"]\n  }\n  egress {\n    from_port = 0\n    to_port = 0\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}',
  ],
  'cloud-public-storage': [
    'main.tf',
    `resource "aws_s3_bucket_policy" "a" {\n  policy = jsonencode({ Statement = [{ Effect = "Allow", Principal = "*", Action = "s3:GetObject", Resource = "*" }] })\n}`,
    `resource "aws_s3_bucket_policy" "a" {\n  policy = jsonencode({ Statement = [{ Effect = "Deny", Principal = "*", Action = "s3:*", Resource = "*" }] })\n}`,
  ],
  'cloud-public-database': [
    'main.tf',
    'resource "google_compute_firewall" "db" {\n  allow {\n    protocol = "tcp"\n    ports = ["5432"]\n  }\n  source_ranges = ["0.0.0.0/0"]\n}',
    'resource "aws_db_instance" "a" {\n  storage_encrypted = true\n  publicly_accessible = false\n}',
  ],
  'cloud-wildcard-policy': [
    'main.tf',
    'resource "aws_iam_policy" "a" {\n  policy = jsonencode({\n    Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }]\n  })\n}',
    'data "aws_iam_policy_document" "a" {\n  statement {\n    actions = ["s3:GetObject"]\n    resources = ["*"]\n  }\n}',
  ],
  'cloud-wildcard-action': [
    'main.tf',
    identity('Action = "*", Resource = "arn:aws:s3:::shop/*"'),
    identity('Action = "s3:GetObject", Resource = "arn:aws:s3:::shop/*"'),
  ],
  'cloud-not-action': [
    'main.tf',
    identity('NotAction = ["iam:*"], Resource = "*"'),
    identity('NotAction = ["iam:*"], Resource = "arn:aws:s3:::shop"'),
  ],
  'cloud-ruling-service': [
    'main.tf',
    identity('Action = ["iam:*"], Resource = "*"'),
    identity('Action = ["iam:Get*"], Resource = "*"'),
  ],
  'cloud-service-wildcard': [
    'main.tf',
    identity('Action = ["ec2:*"], Resource = "*"'),
    identity('Action = ["ec2:Describe*"], Resource = "*"'),
  ],
  'cloud-wildcard-resource': [
    'main.tf',
    identity('Action = ["sqs:SendMessage"], Resource = "*"'),
    identity(
      'Action = ["sqs:SendMessage"], Resource = "*", Condition = { StringEquals = { "aws:ResourceTag/app" = "shop" } }',
    ),
  ],
  'cloud-privilege-escalation': [
    'main.tf',
    identity('Action = ["iam:Attach*"], Resource = "*"'),
    identity('Action = ["iam:AttachRolePolicy"], Resource = "arn:aws:iam::1:role/shop"'),
  ],
  'cloud-pass-role': [
    'main.tf',
    identity('Action = ["iam:PassRole"], Resource = "*"'),
    identity(
      'Action = ["iam:PassRole"], Resource = "*", Condition = { StringEquals = { "iam:PassedToService" = "ecs.amazonaws.com" } }',
    ),
  ],
  'cloud-credentials-for-all': [
    'main.tf',
    identity('Action = "sts:AssumeRole", Resource = "*"'),
    identity('Action = "sts:AssumeRole", Resource = "arn:aws:iam::1:role/shop"'),
  ],
  'cloud-secrets-for-all': [
    'main.tf',
    identity('Action = ["secretsmanager:GetSecretValue"], Resource = "*"'),
    identity('Action = ["secretsmanager:ListSecrets"], Resource = "*"'),
  ],
  'cloud-public-principal': [
    'stack.yaml',
    stack(
      'AWS::SQS::QueuePolicy',
      'PolicyDocument: {Statement: {Effect: Allow, Principal: "*", Action: "sqs:*"}}',
    ),
    stack(
      'AWS::SQS::QueuePolicy',
      'PolicyDocument: {Statement: {Effect: Allow, Principal: "*", Action: "sqs:*", Condition: {ArnEquals: {"aws:SourceArn": x}}}}',
    ),
  ],
  'cloud-public-trust': [
    'stack.yaml',
    stack(
      'AWS::IAM::Role',
      'AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Principal: {AWS: "*"}, Action: "sts:AssumeRole"}]}',
    ),
    stack(
      'AWS::IAM::Role',
      'AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Principal: {Service: ec2.amazonaws.com}, Action: "sts:AssumeRole"}]}',
    ),
  ],
  'cloud-open-federation': ['main.tf', trust('repo:*'), trust('repo:acme/shop:ref:refs/heads/main')],
  'unpinned-module': [
    'main.tf',
    'module "a" {\n  source = "terraform-aws-modules/vpc/aws"\n}',
    'module "a" {\n  source = "./vpc"\n}\nmodule "b" {\n  source = "git::https://acme.dev/a.git?ref=v1"\n}',
  ],
  'unpinned-image': [
    '.gitlab-ci.yml',
    'test:\n  image: node\n  script: [npm test]',
    'test:\n  image: node:24\n  script: [npm test]',
  ],
  'workflow-script-injection': [
    '.github/workflows/a.yml',
    workflow('      - run: echo "${{ github.event.issue.title }}"'),
    workflow(
      '      - env: {TITLE: "${{ github.event.issue.title }}"}\n        run: echo "$TITLE ${{ github.sha }}"',
    ),
  ],
  'workflow-script-expression': [
    '.github/workflows/a.yml',
    workflow(
      '      - run: echo "${{ inputs.name }}"',
      '{workflow_dispatch: {inputs: {name: {type: string}}}}',
    ),
    workflow(
      '      - run: echo "${{ inputs.level }} ${{ github.sha }}"',
      '{workflow_dispatch: {inputs: {level: {type: choice, options: [a, b]}}}}',
    ),
  ],
  'workflow-no-concurrency': [
    '.github/workflows/a.yml',
    workflow('      - run: make'),
    `${workflow('      - run: make')}\nconcurrency: {group: a, cancel-in-progress: true}`,
  ],
  'workflow-no-name': [
    '.github/workflows/a.yml',
    workflow('      - run: make'),
    `${workflow('      - run: make')}\nname: Build`,
  ],
  'workflow-untrusted-checkout': [
    '.github/workflows/a.yml',
    workflow(
      '      - uses: actions/checkout@v6\n        with: {ref: "${{ github.event.pull_request.head.sha }}"}',
      '{pull_request_target: {types: [opened]}}',
    ),
    workflow(
      '      - uses: actions/checkout@v6\n        with: {ref: "${{ github.event.pull_request.head.sha }}"}',
      'pull_request',
    ),
  ],
  'workflow-unpinned-action': [
    '.github/workflows/a.yml',
    workflow('      - uses: acme/deploy@v2\n        with: {token: "${{ secrets.DEPLOY }}"}'),
    workflow(
      `      - uses: acme/deploy@${'0a'.repeat(20)}\n      - uses: ./local\n      - uses: docker://alpine@sha256:${'0a'.repeat(32)}`,
    ),
  ],
  'workflow-broad-permissions': [
    '.github/workflows/a.yml',
    workflow('      - run: make', 'push', 'permissions: write-all'),
    workflow('      - run: make'),
  ],
  'workflow-default-permissions': [
    '.github/workflows/a.yml',
    workflow('      - run: make', 'push', ''),
    workflow('      - run: make'),
  ],
  'workflow-unsafe-commands': [
    '.github/workflows/a.yml',
    workflow('      - run: make\n        env: {ACTIONS_ALLOW_UNSECURE_COMMANDS: true}'),
    workflow('      - run: make'),
  ],
  'workflow-printed-secret': [
    '.github/workflows/a.yml',
    workflow('      - run: echo ${{ secrets.DEPLOY_KEY }}'),
    workflow('      - run: echo ${{ secrets.DEPLOY_KEY }} | docker login --password-stdin'),
  ],
  'pipeline-remote-include': [
    '.gitlab-ci.yml',
    'include:\n  - remote: https://acme.dev/ci.yml',
    'include:\n  - local: ci.yml',
  ],
  'pipeline-eval': [
    '.gitlab-ci.yml',
    'a:\n  script:\n    - eval "echo $CI_MERGE_REQUEST_TITLE"',
    'a:\n  script:\n    - echo "$CI_MERGE_REQUEST_TITLE"',
  ],
  'pipeline-plain-docker': [
    '.gitlab-ci.yml',
    'variables: {DOCKER_TLS_CERTDIR: ""}',
    'variables: {DOCKER_TLS_CERTDIR: /certs}',
  ],
  'workflow-wide-permissions': [
    '.github/workflows/a.yml',
    'on: push\npermissions: {contents: read, packages: write}\njobs: {a: {steps: [{run: make}]}, b: {steps: [{run: make}]}}',
    'on: push\npermissions: {contents: read}\njobs: {a: {permissions: {packages: write}, steps: [{run: make}]}, b: {steps: [{run: make}]}}',
  ],
  'workflow-dangerous-trigger': [
    '.github/workflows/a.yml',
    workflow('      - run: make', '{pull_request_target: {types: [labeled]}}'),
    workflow('      - run: make', '[push, pull_request]'),
  ],
  'workflow-persisted-credentials': [
    '.github/workflows/a.yml',
    workflow('      - uses: actions/checkout@v4'),
    workflow(
      '      - uses: actions/checkout@v4\n        with: {persist-credentials: false}\n      - uses: actions/checkout@v4\n        with: {persist-credentials: true}',
    ),
  ],
  'workflow-spoofable-bot': [
    '.github/workflows/a.yml',
    workflow("      - run: make\n        if: github['Actor'] == 'renovate[bot]'", 'pull_request_target'),
    workflow(
      "      - run: make\n        if: github.event.pull_request.user.login == 'renovate[bot]'",
      'pull_request_target',
    ),
  ],
  'workflow-cache-poisoning': [
    '.github/workflows/a.yml',
    workflow('      - uses: actions/setup-go@v6', '{push: {tags: ["v*"]}}'),
    workflow(
      "      - uses: actions/setup-go@v6\n        with: {cache: false}\n      - uses: actions/cache@v4\n        if: github.ref_type != 'tag'",
      '{push: {tags: ["v*"]}}',
    ),
  ],
  'workflow-environment-write': [
    '.github/workflows/a.yml',
    workflow('      - run: echo "TITLE=$TITLE" >> "$GITHUB_ENV"', 'workflow_run'),
    workflow(
      '      - run: |\n          echo "CI=1" >> "$GITHUB_ENV"\n          echo "a=$A" >> "$GITHUB_OUTPUT"',
      'workflow_run',
    ),
  ],
  'workflow-container-password': [
    '.github/workflows/a.yml',
    'on: push\njobs: {a: {container: {image: "a:1", credentials: {username: shop, password: blueOstrich}}}}',
    'on: push\njobs: {a: {container: {image: "a:1", credentials: {username: shop, password: "${{ secrets.REGISTRY }}"}}}}',
  ],
  'workflow-all-secrets': [
    '.github/workflows/a.yml',
    workflow('      - run: make\n        env: {ALL: "${{ toJSON( secrets ) }}"}'),
    workflow('      - run: make\n        env: {ONE: "${{ toJSON(secrets.ONE) }}"}'),
  ],
  'workflow-inherited-secrets': [
    '.github/workflows/a.yml',
    'on: push\njobs: {a: {uses: ./.github/workflows/b.yml, secrets: inherit}}',
    'on: push\njobs: {a: {uses: ./.github/workflows/b.yml, secrets: {ONE: "${{ secrets.ONE }}"}}}',
  ],
  'workflow-secret-outside-environment': [
    '.github/workflows/a.yml',
    workflow('      - run: make\n        env: {ONE: "${{ secrets.ONE }}"}'),
    workflow('      - run: make\n        env: {ONE: "${{ secrets.GITHUB_TOKEN }}"}'),
  ],
  'workflow-unmasked-secret': [
    '.github/workflows/a.yml',
    workflow('      - run: make\n        env: {ONE: "${{ fromJSON(secrets.ONE)[\'key\'] }}"}'),
    workflow('      - run: make\n        env: {ONE: "${{ fromJSON(inputs.one).key }}"}'),
  ],
  'workflow-app-token': [
    '.github/workflows/a.yml',
    workflow('      - uses: actions/create-github-app-token@v2\n        with: {app-id: 1, private-key: x}'),
    workflow(
      '      - uses: actions/create-github-app-token@v2\n        with: {app-id: 1, private-key: x, owner: acme, repositories: shop, permission-issues: write}',
    ),
  ],
  'workflow-self-hosted-runner': [
    '.github/workflows/a.yml',
    workflow('      - run: make').replace('ubuntu-latest', '[self-hosted, linux]'),
    workflow('      - run: make'),
  ],
  'workflow-always-true': [
    '.github/workflows/a.yml',
    workflow('      - if: |\n          ${{ false }}\n        run: make'),
    workflow(
      '      - if: |-\n          ${{ false }}\n        run: make\n      - if: |\n          false\n        run: make',
    ),
  ],
  'workflow-substring-check': [
    '.github/workflows/a.yml',
    workflow("      - if: contains('main develop', github.ref_name)\n        run: make"),
    workflow('      - if: contains(fromJSON(\'["main"]\'), github.ref_name)\n        run: make'),
  ],
  'workflow-false-ternary': [
    '.github/workflows/a.yml',
    workflow("      - run: make\n        env: {MODE: \"${{ github.ref == 'x' && '' || 'debug' }}\"}"),
    workflow("      - run: make\n        env: {MODE: \"${{ github.ref != 'x' && 'debug' || '' }}\"}"),
  ],
  'workflow-obfuscation': [
    '.github/workflows/a.yml',
    workflow("      - run: make\n        env: {MODE: \"${{ format('{0}{1}', 'de', 'bug') }}\"}"),
    workflow(
      '      - run: make\n        env: {MODE: "${{ format(\'{0}\', github.sha) }}"}\n      - uses: ./.github/actions/a',
    ),
  ],
  'workflow-misfeature': [
    '.github/workflows/a.yml',
    workflow('      - run: make\n        shell: cmd'),
    workflow('      - run: make\n        shell: /bin/bash -e {0}\n      - run: make\n        shell: pwsh'),
  ],
  'workflow-archived-action': [
    '.github/workflows/a.yml',
    workflow('      - uses: Actions-RS/cargo@v1'),
    workflow('      - uses: actions/checkout@v6'),
  ],
  'workflow-lookalike-action': [
    '.github/workflows/a.yml',
    workflow('      - uses: action/checkout@v4'),
    workflow('      - uses: actions/chekout@v4\n      - uses: acme/deploy@v1'),
  ],
  'workflow-superfluous-action': [
    '.github/workflows/a.yml',
    workflow('      - uses: softprops/action-gh-release@v2'),
    workflow('      - run: gh release create v1'),
  ],
  'workflow-unpinned-tool': [
    '.github/workflows/a.yml',
    workflow('      - uses: aquasecurity/setup-trivy@v0.2.6'),
    workflow('      - uses: aquasecurity/setup-trivy@v0.2.6\n        with: {version: v0.68.2}'),
  ],
  'workflow-unnamed-pin': [
    '.github/workflows/a.yml',
    workflow(`      - uses: acme/deploy@${'0a'.repeat(20)}`),
    workflow(`      - uses: acme/deploy@${'0a'.repeat(20)} # v1.2.3`),
  ],
  'workflow-long-lived-token': [
    '.github/workflows/a.yml',
    workflow('      - run: |\n          make\n          npm \\\n            publish'),
    workflow(
      '      - run: npm publish --dry-run\n      - run: twine upload --repository-url https://acme.dev dist/*',
    ),
  ],
  'workflow-workspace-action': [
    'action.yml',
    'runs: {using: composite, steps: [{uses: ./setup}]}',
    'runs: {using: composite, steps: [{uses: $/setup}]}',
  ],
  'pipeline-unlocked-packages': [
    '.gitlab-ci.yml',
    'a:\n  script:\n    - npm install --global --prefix out typescript@7',
    'a:\n  script:\n    - npm ci && npm install --prefix out\n    - gem install ./acme.gem\n    - "# npm install left-pad"',
  ],
  'pipeline-debug-trace': [
    '.gitlab-ci.yml',
    'a:\n  variables: {CI_DEBUG_TRACE: "true"}\n  script: [make]',
    'a:\n  variables: {CI_DEBUG_TRACE: "false"}\n  script: [make]',
  ],
  'dependabot-cooldown': [
    '.github/dependabot.yml',
    'updates: [{package-ecosystem: npm, cooldown: {default-days: 2}}]',
    'updates: [{package-ecosystem: npm, cooldown: {default-days: 7}}, {package-ecosystem: pip, open-pull-requests-limit: 0}]',
  ],
  'dependabot-execution': [
    '.github/dependabot.yml',
    'updates: [{package-ecosystem: npm, insecure-external-code-execution: allow}]',
    'updates: [{package-ecosystem: npm, insecure-external-code-execution: deny}]',
  ],
  'precommit-plain-url': [
    '.pre-commit-config.yaml',
    'repos: [{repo: "http://acme.dev/hooks", rev: v1}]',
    'repos: [{repo: "https://acme.dev/hooks", rev: v1}, {repo: local}]',
  ],
};

test('every rule has a sample', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(INFRASTRUCTURE_RULES).sort());
});

describe('each rule matches its sample and not the secure variant', () => {
  test.each(Object.entries(CASES))('%s', async (rule, [path, bad, good]) => {
    expect(scanner.wants(path)).toBe(true);
    const found = (await scan(path, bad)).filter((one) => one.rule === rule);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(pickRule(rule));
    expect((await scan(path, good)).map((one) => one.rule)).not.toContain(rule);
  });
});

function pickRule(name: string): object {
  const rules: Readonly<Record<string, { severity: string; cwe: string; title: string }>> =
    INFRASTRUCTURE_RULES;
  const { severity, cwe, title } = rules[name] ?? { severity: '', cwe: '', title: '' };
  return { severity, cwe: [cwe], title };
}

test('findings name the line of the problem', async () => {
  const where = async (path: string, text: string) =>
    (await scan(path, text))
      .filter(({ rule, severity }) => rule in INFRASTRUCTURE_RULES && severity !== 'info')
      .map(({ rule, line }) => `${line} ${rule}`);
  expect(await where('Dockerfile', 'FROM node:24\n\nRUN a && \\\n  chmod 777 /x\nUSER node\n')).toEqual([
    '4 shell-world-writable',
  ]);
  expect(
    await where(
      '.github/workflows/a.yml',
      workflow('      - run: |\n          make\n          curl https://acme.dev | sh\n'),
    ),
  ).toEqual(['9 shell-remote-script']);
  const deployment = `apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      securityContext: {runAsNonRoot: true}
      containers:
        - name: shop
          image: acme/shop:1.2
          resources: {limits: {memory: 1Gi}}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            privileged: true
---
apiVersion: v1
kind: List
items:
  - {kind: ClusterRoleBinding, roleRef: {name: cluster-admin}}
`;
  expect(await where('k8s/all.yaml', deployment)).toEqual([
    '14 container-privileged',
    '19 kubernetes-cluster-admin',
  ]);
});

test('chart templates are read, and a setting that is left to values is not reported as missing', async () => {
  const template = `{{- if .Values.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.name" . }}
spec:
  template:
    spec:
      hostNetwork: true
      containers:
        - name: shop
          image: "{{ .Values.image }}:{{ .Values.tag }}"
          securityContext:
            {{- toYaml .Values.securityContext | nindent 12 }}
{{- end }}
`;
  expect((await scan('chart/templates/deployment.yaml', template)).map(({ rule }) => rule)).toEqual([
    'container-host-namespace',
  ]);
  const values = 'image:\n  tag: latest\nsecurityContext:\n  privileged: true\n  runAsUser: 0\n';
  expect((await scan('chart/values.yaml', values)).map(({ rule, line }) => [rule, line])).toEqual([
    ['unpinned-image', 2],
    ['container-privileged', 4],
    ['container-run-as-root', 5],
  ]);
});

test('a secret in a manifest is not shown', async () => {
  const password = ['blue', 'Ostrich', '77'].join('');
  const encoded = Buffer.from(password).toString('base64');
  const found = [
    ...(await scan('a.yaml', manifest('Secret', `data:\n  password: ${encoded}\n`))),
    ...(await scan('a.yaml', manifest('Secret', `stringData: {password: ${password}}\n`))),
    ...(await scan('a.yaml', pod(`env: [{name: DB_PASSWORD, value: ${password}}]`))),
  ].filter(({ rule }) => rule === 'kubernetes-secret-value');
  expect(found).toHaveLength(3);
  const said = JSON.stringify(found.map(({ hides: _, ...rest }) => rest));
  expect(said).not.toContain(password);
  expect(said).not.toContain(encoded);
});

test('a Terraform assignment ends where a comment of any kind begins', async () => {
  const block = (comment: string) =>
    `resource "aws_s3_bucket_acl" "a" {\n  acl = "public-read" ${comment}\n  bucket = "b"\n}\n`;
  for (const comment of ['# why', '// why', '/* why */', '/* why\n  and so */']) {
    expect(await scan('main.tf', block(comment))).toMatchObject([{ rule: 'public-s3-acl', line: 2 }]);
  }
});

test('Terraform with comments, heredocs and nested blocks is read', async () => {
  const text = `# a comment with { and "
locals { ports = [80, 443] } /* { */
resource "aws_security_group_rule" "all" {
  type = "ingress"
  from_port = 0 # { not a block
  to_port = 65535
  description = "with \\"quotes\\" and \${var.name["}"]}"
  cidr_blocks = [
    "10.0.0.0/8",
    "0.0.0.0/0",
  ]
  user_data = <<-EOT
    resource "aws_s3_bucket" "b" { acl = "public-read" }
  EOT
}
resource "azurerm_network_security_rule" "db" {
  direction = "Inbound"
  access = "Allow"
  destination_port_range = "5432"
  source_address_prefix = "*"
}
resource "aws_iam_role_policy" "a" {
  policy = <<EOF
{"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
EOF
}
resource "aws_kms_key" "after" { enable_key_rotation = false }
`;
  expect((await scan('infra/main.tf', text)).map(({ rule, line }) => [rule, line])).toEqual([
    ['cloud-open-port', 8],
    ['cloud-public-database', 20],
    ['cloud-wildcard-policy', 24],
    ['no-rotation-kms-key', 27],
  ]);
});

/** What may stand in a repository that someone means ill with; a hundred kilobytes and more of it. */
const HOSTILE: readonly (readonly [path: string, text: string])[] = [
  ...['[', '{', '(', '"${', '!', '-', 'f(', '{a=', 'a?', 'a ? b : ', '<<A\n', 'a[', '/*'].map(
    (part): [string, string] => ['main.tf', `resource "aws_s3_bucket" "a" {\n  acl = ${part.repeat(20_000)}`],
  ),
  [
    'main.tf',
    `locals {\n${Array.from({ length: 5000 }, (_, i) => `  a${i} = [local.a${i + 1}, local.a${i + 1}]\n`).join('')}}`,
  ],
  [
    'main.tf',
    `locals {\n  a = local.a\n  b = [local.c]\n  c = [local.b]\n}\nresource "aws_s3_bucket" "x" {\n  acl = local.b\n}`,
  ],
  ['stack.json', `{"Resources":{"A":{"Type":"AWS::S3::Bucket","Properties":${'['.repeat(100_000)}`],
  ['stack.yaml', `Resources:\n  A:\n    Type: AWS::S3::Bucket\n    Properties: ${'{a: '.repeat(20_000)}`],
  [
    'stack.yaml',
    `Resources:\n  A:\n    Type: AWS::S3::Bucket\n    Properties:\n      A: !Sub "${'${'.repeat(20_000)}"`,
  ],
  ['stack.yaml', `Resources:\n  A: {Type: AWS::S3::Bucket, Properties: ${'!Ref '.repeat(20_000)}x}`],
  ['main.tf', 'a {'.repeat(40_000)],
  ['main.tf', 'a = ['.repeat(40_000)],
  ['main.tf', '"${'.repeat(40_000)],
  ['main.tf', '<<A\n'.repeat(40_000)],
  ['Dockerfile', `FROM ${'a'.repeat(200_000)}`],
  ['Dockerfile', 'RUN a \\\n'.repeat(20_000)],
  ['Dockerfile', `RUN ${'curl '.repeat(40_000)}`],
  ['values.yaml', '['.repeat(20_000)],
  [
    'values.yaml',
    `a: &a [x,x,x]\n${Array.from({ length: 30 }, (_, i) => `${'b'.repeat(i + 1)}: &${'b'.repeat(i + 1)} [*${i === 0 ? 'a' : 'b'.repeat(i)},*${i === 0 ? 'a' : 'b'.repeat(i)}]`).join('\n')}`,
  ],
  ['values.yaml', `a: ${'x'.repeat(100_000)}`],
  ['.gitlab-ci.yml', '\t'.repeat(20_000)],
  ['a.yaml', `apiVersion: v1\nkind: Pod\n${'- '.repeat(10_000)}`],
  ['chart/templates/a.yaml', `apiVersion: v1\nkind: Pod\n${'{{'.repeat(20_000)}`],
];

test.each(HOSTILE)('hostile: %s', async (path, text) => {
  expect((await scan(path, text)).length).toBeLessThanOrEqual(300);
});

test('an action pinned by tag is medium where its job has write permissions or secrets, and is named once for each file', async () => {
  const found = async (steps: string, permissions = '') =>
    (await scan('.github/workflows/a.yml', workflow(steps, 'push', permissions)))
      .filter(({ rule }) => rule === 'workflow-unpinned-action')
      .map(({ line, severity }) => `${line} ${severity}`);
  const step = '      - uses: acme/deploy@v2';
  expect(await found(step, 'permissions: {contents: read}')).toEqual([expect.stringMatching(/ low$/)]);
  for (const rights of [
    'permissions: {contents: write}',
    'permissions: {id-token: write}',
    'permissions: write-all',
  ])
    expect(await found(step, rights)).toEqual([expect.stringMatching(/ medium$/)]);
  expect(await found(`${step}\n        with: {token: "\${{ secrets.GITHUB_TOKEN }}"}`)).toEqual([
    expect.stringMatching(/ low$/),
  ]);
  const [once, ...more] = await found(`${step}\n${step}\n        env: {KEY: "\${{ secrets.KEY }}"}\n${step}`);
  expect([once, more]).toEqual([expect.stringMatching(/ medium$/), []]);
  expect(await found(`${step}\n      - uses: acme/other@v1`)).toEqual([expect.stringMatching(/ low$/)]);
});

test('unpinned actions of jobs without write permissions or secrets are one finding that names them', async () => {
  const found = async (...uses: string[]) =>
    (await scan('.github/workflows/a.yml', workflow(uses.map((one) => `      - uses: ${one}`).join('\n'))))
      .filter(({ rule }) => rule === 'workflow-unpinned-action')
      .map(({ severity, description }) => `${severity} ${/\((.*)\)/.exec(description)?.[1]}`);
  expect(
    await found('acme/a@v1', 'actions/checkout@v6', 'acme/b@main', 'docker://alpine:3', 'acme/c@v2.1.3'),
  ).toEqual(['low acme/a@v1, actions/checkout@v6, acme/b@main, docker://alpine:3 and 1 more']);
  expect(await found('actions/checkout@v6', 'actions/setup-node@v4')).toEqual([
    'info actions/checkout@v6, actions/setup-node@v4',
  ]);
  expect(await found('actions/checkout@v6', 'actions/setup-node@main')).toEqual([
    'low actions/setup-node@main, actions/checkout@v6',
  ]);
  expect(await found(`actions/checkout@${'0a'.repeat(20)}`)).toEqual([]);
});

test('only secret values of a Secret are reported: no host, port, type or user name', async () => {
  const key = ['q8Zr4', 'Vn2Kx7', 'Lw9Tb3Ms'].join('');
  const login = `postgres://ada:${['blue', 'Ostrich77'].join('')}@db.acme.dev/shop`;
  const text = manifest(
    'Secret',
    `type: servicebinding.io/postgresql\nstringData:\n  type: postgresql\n  host: demo-db\n  port: "5432"\n  username: shop\n  password: shop\n  other: ${key}\n  address: ${login}\n  pin-password: blueOstrich\n`,
  );
  const found = (await scan('a.yaml', text)).filter(({ rule }) => rule === 'kubernetes-secret-value');
  expect(found.map(({ description, severity }) => [/\((.*)\)/.exec(description)?.[1], severity])).toEqual([
    ['password', 'low'],
    ['other', 'high'],
    ['address', 'high'],
    ['pin-password', 'medium'],
  ]);
});

test.each([
  [
    'Dockerfile',
    'FROM a:1\nRUN curl -fsSL https://acme.dev/install | bash\nUSER a\n',
    'shell-remote-script low',
  ],
  [
    'Dockerfile',
    'FROM a:1\nRUN curl -kfsSL https://acme.dev/install | bash\nUSER a\n',
    'shell-remote-script medium',
  ],
  ['Dockerfile', 'FROM a:1\nADD https://acme.dev/x.sh /x.sh\nUSER a\n', 'docker-remote-add low'],
  ['Dockerfile', 'FROM a:1\nCMD ["a"]\n', 'docker-root-user low'],
  ['Dockerfile', 'FROM a:1\nEXPOSE 80\nCMD ["a"]\n', 'docker-root-user medium'],
  ['examples/web/Dockerfile', 'FROM a:1\nEXPOSE 80\nCMD ["a"]\n', 'docker-root-user low'],
  ['.devcontainer/Dockerfile', 'FROM a:1\nEXPOSE 80\nCMD ["a"]\n', 'docker-root-user low'],
])('%s: %j is %s', async (path, text, expected) => {
  const found = (await scan(path, text)).map(({ rule, severity }) => `${rule} ${severity}`);
  expect(found).toContain(expected);
});
