import type { Severity } from '../../../lib/severity.ts';

export interface InfrastructureRule {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** What the danger is. */
  readonly danger: string;
  readonly fix: string;
}

/** Where a file breaks a rule. */
export interface RuleMatch {
  readonly rule: RuleName;
  /** From 1. */
  readonly line: number;
  /** What exactly, in a few words; stands after the danger. */
  readonly what?: string;
  /** Where it is another than the rule's. */
  readonly severity?: Severity;
  /** Texts that must not be shown. */
  readonly secrets?: readonly string[];
}

const ROOT = 'CWE-250';
const EXPOSED = 'CWE-668';
const UNTRUSTED = 'CWE-829';

/** By name; a finding's id is `infrastructure/<name>`. */
export const INFRASTRUCTURE_RULES = {
  'docker-root-user': {
    title: 'Container runs as root',
    severity: 'medium',
    cwe: ROOT,
    danger:
      'The image names no other user than root, so that an attacker who takes over the program is root in the container',
    fix: 'Make a user for the program, and name it with USER at the end of the last stage.',
  },
  'docker-unpinned-image': {
    title: 'Base image without a version',
    severity: 'low',
    cwe: UNTRUSTED,
    danger: 'The base image can change without a change here',
    fix: 'Name a version, preferably with its digest (image:1.2@sha256:...).',
  },
  'docker-remote-add': {
    title: 'Remote file added without a checksum',
    severity: 'medium',
    cwe: 'CWE-494',
    danger: 'Whatever the address serves at build time becomes part of the image',
    fix: 'Give ADD a --checksum, or fetch the file in a RUN that checks one.',
  },
  'docker-secret-argument': {
    title: 'Secret as a build argument',
    severity: 'medium',
    cwe: 'CWE-522',
    danger: 'Build arguments and environment stay readable in the image history',
    fix: 'Use RUN --mount=type=secret instead.',
  },
  'docker-ssh-port': {
    title: 'SSH port exposed by a container',
    severity: 'low',
    cwe: EXPOSED,
    danger: 'A login server in a container is one more way in',
    fix: 'Remove the server and EXPOSE 22; use the platform’s own exec.',
  },
  'shell-remote-script': {
    title: 'Remote script run unseen',
    severity: 'medium',
    cwe: 'CWE-494',
    danger: 'Whatever the address serves is run at once, without a check',
    fix: 'Fetch a fixed version, check its checksum or signature, then run it.',
  },
  'shell-unverified-download': {
    title: 'Download without verification',
    severity: 'medium',
    cwe: 'CWE-295',
    danger:
      'Certificates or signatures are not checked, so that anyone on the way can replace what is downloaded',
    fix: 'Remove the switch that turns the check off; add the missing certificate or key instead.',
  },
  'shell-world-writable': {
    title: 'Files writable by everyone',
    severity: 'low',
    cwe: 'CWE-732',
    danger: 'Any process there can change these files',
    fix: 'Give the owner or a group the rights that are needed, not everyone (chmod 777).',
  },
  'container-privileged': {
    title: 'Privileged container',
    severity: 'high',
    cwe: ROOT,
    danger: 'A privileged container has the rights of root on the host: leaving it is easy',
    fix: 'Remove privileged; add the one capability or device that is needed.',
  },
  'container-docker-socket': {
    title: 'Docker socket in a container',
    severity: 'high',
    cwe: ROOT,
    danger: 'Anyone who reaches the socket can start a container with the whole host in it',
    fix: 'Remove the mount; where it is needed, put a proxy before it that allows only the calls in use.',
  },
  'container-host-namespace': {
    title: 'Container in a namespace of the host',
    severity: 'high',
    cwe: EXPOSED,
    danger: 'The container sees processes, memory or network of the host',
    fix: 'Remove the setting; publish the ports that are needed.',
  },
  'container-host-path': {
    title: 'Sensitive folder of the host in a container',
    severity: 'high',
    cwe: EXPOSED,
    danger: 'What runs in the container can read or change files of the host',
    fix: 'Mount a volume, or only the one file that is needed, read-only.',
  },
  'container-capability': {
    title: 'Dangerous capability',
    severity: 'high',
    cwe: ROOT,
    danger: 'This capability is enough to leave the container or to listen in on other processes',
    fix: 'Drop ALL, and add only harmless ones such as NET_BIND_SERVICE.',
  },
  'container-unconfined': {
    title: 'Container without seccomp or AppArmor',
    severity: 'medium',
    cwe: 'CWE-693',
    danger: 'System calls that are denied by default are allowed',
    fix: 'Use the runtime’s default profile.',
  },
  'container-run-as-root': {
    title: 'Container may run as root',
    severity: 'medium',
    cwe: ROOT,
    danger: 'An attacker who takes over the program is root in the container',
    fix: 'Set runAsNonRoot: true and a runAsUser above 0.',
  },
  'container-privilege-escalation': {
    title: 'Process may gain privileges',
    severity: 'low',
    cwe: ROOT,
    danger: 'A process can gain more rights than its parent, through setuid programs for example',
    fix: 'Set allowPrivilegeEscalation: false.',
  },
  'container-writable-root': {
    title: 'Writable root file system',
    severity: 'low',
    cwe: 'CWE-732',
    danger: 'An intruder can change the program itself',
    fix: 'Set readOnlyRootFilesystem: true, and mount an emptyDir where it writes.',
  },
  'container-no-memory-limit': {
    title: 'No memory limit',
    severity: 'low',
    cwe: 'CWE-770',
    danger: 'One container can take the memory of all others on its node',
    fix: 'Set resources.limits.memory.',
  },
  'published-database': {
    title: 'Database port open to every network',
    severity: 'medium',
    cwe: EXPOSED,
    danger: 'The port is published on all addresses of the host, past its firewall in many set-ups',
    fix: 'Publish it on 127.0.0.1, or leave it to the internal network.',
  },
  'kubernetes-secret-value': {
    title: 'Secret written into a manifest',
    severity: 'high',
    cwe: 'CWE-798',
    danger: 'Anyone who reads this file has the secret',
    fix: 'Change it, and take it from a Secret that is made outside the repository (secretKeyRef, a sealed or external secret).',
  },
  'kubernetes-wildcard-role': {
    title: 'Role that allows everything',
    severity: 'high',
    cwe: 'CWE-269',
    danger: 'Anyone who gets this role can do anything to what it covers, secrets and pods included',
    fix: 'Name the verbs and resources that are needed.',
  },
  'kubernetes-cluster-admin': {
    title: 'Binding to cluster-admin',
    severity: 'high',
    cwe: 'CWE-269',
    danger: 'The subject controls the whole cluster',
    fix: 'Bind a role that has what is needed, in the namespace where it is needed.',
  },
  'kubernetes-anonymous-role': {
    title: 'Role for anonymous users',
    severity: 'critical',
    cwe: 'CWE-306',
    danger: 'Callers without any login get this role',
    fix: 'Remove system:anonymous and system:unauthenticated from the subjects.',
  },
  'kubernetes-plain-ingress': {
    title: 'Ingress without TLS',
    severity: 'medium',
    cwe: 'CWE-319',
    danger: 'What users send can be read and changed on its way',
    fix: 'Add a tls section with the hosts and a certificate.',
  },
  'cloud-open-port': {
    title: 'Port open to the whole internet',
    severity: 'high',
    cwe: 'CWE-284',
    danger: 'Anyone can try to get in here',
    fix: 'Name the networks that need it; reach administration through a VPN or a session manager.',
  },
  'cloud-public-storage': {
    title: 'Storage open to everyone',
    severity: 'high',
    cwe: 'CWE-732',
    danger: 'Anyone can read what is kept there, or even write it',
    fix: 'Make it private, and block public access for the account.',
  },
  'cloud-public-database': {
    title: 'Database open to the internet',
    severity: 'high',
    cwe: EXPOSED,
    danger: 'Anyone can try to log in to the database',
    fix: 'Put it into a private network.',
  },
  'cloud-wildcard-policy': {
    title: 'Policy that allows everything',
    severity: 'high',
    cwe: 'CWE-269',
    danger: 'Anyone who gets this policy controls the account',
    fix: 'Name the actions and resources that are needed.',
  },
  'cloud-wildcard-action': {
    title: 'Policy with every action',
    severity: 'medium',
    cwe: 'CWE-269',
    danger: 'Rights that no one has thought of are in it, deletion and changes of policies included',
    fix: 'Name the actions that are needed.',
  },
  'cloud-not-action': {
    title: 'Policy that allows all but a few actions',
    severity: 'medium',
    cwe: 'CWE-269',
    danger: 'Every action that is not named is allowed, those of new services too',
    fix: 'Name the actions that are needed, and use NotAction with Deny alone.',
  },
  'cloud-ruling-service': {
    title: 'Every action of a service that rules the account',
    severity: 'high',
    cwe: 'CWE-269',
    danger: 'With all rights on identities, keys or secrets an identity can give itself any other right',
    fix: 'Name the actions and resources that are needed.',
  },
  'cloud-service-wildcard': {
    title: 'Every action of a service, on every resource',
    severity: 'medium',
    cwe: 'CWE-269',
    danger: 'Deletion and changes of policies are in it, for resources of other applications too',
    fix: 'Name the actions and resources that are needed.',
  },
  'cloud-wildcard-resource': {
    title: 'Writing actions on every resource',
    severity: 'low',
    cwe: 'CWE-732',
    danger: 'The rights hold for resources of other applications too',
    fix: 'Name the resources, or add a condition on their tags.',
  },
  'cloud-privilege-escalation': {
    title: 'Rights with which an identity can raise its own',
    severity: 'high',
    cwe: 'CWE-269',
    danger: 'One of these actions on every resource is enough to become an administrator',
    fix: 'Name the resources, without those that have more rights than the identity itself.',
  },
  'cloud-pass-role': {
    title: 'Every role may be passed on',
    severity: 'medium',
    cwe: 'CWE-269',
    danger: 'The identity can start a service with a role that has more rights than itself',
    fix: 'Name the roles, and the service with a condition on iam:PassedToService.',
  },
  'cloud-credentials-for-all': {
    title: 'Credentials of every identity may be taken',
    severity: 'medium',
    cwe: 'CWE-522',
    danger: 'The identity can make or take credentials of any other one',
    fix: 'Name the resources that are needed.',
  },
  'cloud-secrets-for-all': {
    title: 'Every object or secret may be read',
    severity: 'low',
    cwe: 'CWE-732',
    danger: 'Data and secrets of other applications can be read',
    fix: 'Name the buckets, parameters, secrets and keys that are needed.',
  },
  'cloud-public-principal': {
    title: 'Resource policy that allows everyone',
    severity: 'high',
    cwe: 'CWE-284',
    danger: 'Any account, in some services any caller at all, can do what the policy allows',
    fix: 'Name the accounts or roles, or add a condition on the organisation or the source.',
  },
  'cloud-public-trust': {
    title: 'Role that everyone may take',
    severity: 'critical',
    cwe: 'CWE-284',
    danger: 'Any account of AWS can take this role',
    fix: 'Name the account, service or identity provider that needs it.',
  },
  'cloud-open-federation': {
    title: 'Role for every repository of GitHub',
    severity: 'high',
    cwe: 'CWE-284',
    danger: 'Workflows of any repository can take this role, since the subject of their token is not checked',
    fix: 'Add a condition on token.actions.githubusercontent.com:sub with the repository and branch.',
  },
  'unpinned-module': {
    title: 'Module without a version',
    severity: 'low',
    cwe: UNTRUSTED,
    danger: 'The module can change without a change here',
    fix: 'Name a version, or a ref of the git address.',
  },
  'unpinned-image': {
    title: 'Image without a version',
    severity: 'low',
    cwe: UNTRUSTED,
    danger: 'What runs can change without a change here',
    fix: 'Name a version, preferably with its digest.',
  },
  'workflow-script-injection': {
    title: 'Outside text in a workflow script',
    severity: 'high',
    cwe: 'CWE-78',
    danger:
      'Anybody who can open an issue or a pull request writes this text, and it is put into the script before the shell reads it',
    fix: 'Pass it through env: and use "$NAME" in the script.',
  },
  'workflow-untrusted-checkout': {
    title: 'Foreign code run with the repository’s rights',
    severity: 'critical',
    cwe: UNTRUSTED,
    danger: 'The workflow has secrets and a token that may write, and checks out code that anyone can send',
    fix: 'Use pull_request; where a token is needed, split the work in two workflows and run no code of the pull request in the second.',
  },
  'workflow-unpinned-action': {
    title: 'External action not pinned to a commit',
    severity: 'medium',
    cwe: UNTRUSTED,
    danger: 'A tag can be moved to other code, which then has this workflow’s secrets',
    fix: 'Name the full commit id, with the version in a comment.',
  },
  'workflow-broad-permissions': {
    title: 'Workflow token may write everything',
    severity: 'medium',
    cwe: ROOT,
    danger: 'Any step, any dependency of it, can change the repository, its releases and packages',
    fix: 'Set permissions: contents: read, and give single jobs what they need.',
  },
  'workflow-default-permissions': {
    title: 'Workflow without permissions',
    severity: 'low',
    cwe: ROOT,
    danger: 'The token has whatever the repository’s setting gives, often the right to write',
    fix: 'Set permissions: contents: read, and give single jobs what they need.',
  },
  'workflow-unsafe-commands': {
    title: 'Withdrawn workflow commands allowed',
    severity: 'high',
    cwe: 'CWE-78',
    danger: 'Whatever a step prints can set variables and paths of the next',
    fix: 'Remove ACTIONS_ALLOW_UNSECURE_COMMANDS; write to $GITHUB_ENV and $GITHUB_PATH.',
  },
  'workflow-printed-secret': {
    title: 'Secret printed by a workflow',
    severity: 'medium',
    cwe: 'CWE-532',
    danger: 'Logs are read by more people than secrets are meant for; masking is easily defeated',
    fix: 'Do not print it; pass it through env: to the one step that needs it.',
  },
  'pipeline-remote-include': {
    title: 'Pipeline that includes a remote file',
    severity: 'medium',
    cwe: UNTRUSTED,
    danger: 'Anyone who controls the address controls the pipeline and its variables',
    fix: 'Include from a project with a fixed ref, or add an integrity hash.',
  },
  'pipeline-eval': {
    title: 'Outside text run by a pipeline',
    severity: 'high',
    cwe: 'CWE-78',
    danger:
      'Titles, messages and branch names are written by anyone who opens a merge request, and are run here',
    fix: 'Use them as quoted variables only, never in eval or sh -c.',
  },
  'pipeline-plain-docker': {
    title: 'Docker service without TLS',
    severity: 'medium',
    cwe: 'CWE-319',
    danger: 'Other jobs in the network can control this Docker service',
    fix: 'Set DOCKER_TLS_CERTDIR: "/certs".',
  },
} as const satisfies Readonly<Record<string, InfrastructureRule>>;

export type RuleName = keyof typeof INFRASTRUCTURE_RULES;
