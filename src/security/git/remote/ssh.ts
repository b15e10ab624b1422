import type { RemoteLocation } from './location.ts';

export interface SshOptions {
  readonly keyFile?: string;
  readonly agent?: string;
  readonly knownHosts: string;
}

/** Returns git's ssh command. The command ignores the user's ssh settings and refuses a changed host key. */
export function sshCommand(ssh: SshOptions, at: RemoteLocation, relayPort: number): string {
  const options: readonly (readonly [string, string])[] = [
    ['BatchMode', 'yes'],
    ['StrictHostKeyChecking', 'accept-new'],
    ['UserKnownHostsFile', inConfig(ssh.knownHosts)],
    ['HostName', '127.0.0.1'],
    ['Port', String(relayPort)],
    ['HostKeyAlias', at.port === 22 ? at.host : `[${at.host.replace(/^\[(.*)\]$/, '$1')}]:${at.port}`],
    ['CheckHostIP', 'no'],
    ['IdentityFile', ssh.keyFile === undefined ? 'none' : inConfig(ssh.keyFile)],
    ['IdentitiesOnly', ssh.agent === undefined ? 'yes' : 'no'],
    ...(ssh.agent === undefined ? ([['IdentityAgent', 'none']] as const) : []),
    ['ProxyCommand', 'none'],
    ['ProxyJump', 'none'],
    ['ControlPath', 'none'],
    ['PermitLocalCommand', 'no'],
    ['ForwardAgent', 'no'],
    ['ForwardX11', 'no'],
    ['ClearAllForwardings', 'yes'],
    ['ConnectTimeout', '20'],
    ['ServerAliveInterval', '15'],
    ['LogLevel', 'ERROR'],
  ];
  return ['ssh', '-F', '/dev/null', ...options.flatMap(([key, value]) => ['-o', `${key}=${value}`])]
    .map(quoted)
    .join(' ');
}

/** Quotes a path for an ssh option, in which `%` must be doubled. */
function inConfig(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
