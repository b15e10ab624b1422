import type { RemoteLocation } from './location.ts';

/** What ssh may use; with neither key nor agent it asks anonymously, which few servers answer. */
export interface SshOptions {
  /** A private key without a passphrase. */
  readonly keyFile?: string;
  /** Socket of an agent, whose keys are all tried. */
  readonly agent?: string;
  /** Where the keys of hosts are kept. */
  readonly knownHosts: string;
}

/**
 * How git calls ssh. The user's own configuration is not read, since it can name commands. A host's key is taken
 * on first sight and kept: another one later is refused (StrictHostKeyChecking=accept-new); who wants more puts
 * the keys into the file, or into the system's, beforehand.
 */
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

/** A value with spaces, as ssh's configuration takes it; a percent sign stands for itself. */
function inConfig(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

/** A word for the shell through which git calls ssh. */
function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
