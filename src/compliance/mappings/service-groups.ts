import { type CheckGroup, infrastructureRuleIds, sourceRuleIds } from './check-group.ts';

export const SERVICE_GROUPS: Readonly<Record<string, CheckGroup>> = {
  'transport-settings': {
    title: 'unprotected transport in code and infrastructure files',
    checks: [
      ...sourceRuleIds('tls-verification-off', 'weak-tls-version'),
      ...infrastructureRuleIds(
        'old-tls-*',
        'plain-transport-*',
        'kubernetes-plain-ingress',
        'cluster-api-kubelet-https',
        'cluster-api-insecure-port',
        'cluster-api-insecure-address',
        // Included despite its name: the rule is about encrypted messages between nodes, not about storage.
        'unencrypted-service-fabric',
      ),
    ],
    except: infrastructureRuleIds('plain-transport-cloudfront-hsts'),
    cwe: [295, 319],
  },
  'live-tls': {
    title: 'certificates, protocols and redirection to HTTPS of the running service',
    // Leaves out a certificate that ends soon, which still protects, and forward secrecy and CBC, which are minor.
    checks: [
      'certificate/expired',
      'certificate/not-yet-valid',
      'certificate/wrong-name',
      'certificate/untrusted',
      'certificate/incomplete-chain',
      'certificate/no-alternative-name',
      'certificate/expired-issuer',
      'certificate/wrong-issuer',
      'certificate/wrong-usage',
      'certificate/weak-key',
      'certificate/weak-signature',
      'protocol/ssl-3',
      'protocol/tls-1-0',
      'protocol/tls-1-1',
      'protocol/no-encryption',
      'protocol/short-keys',
      'protocol/rc4',
      'protocol/short-blocks',
      'protocol/weak-key-exchange',
      'headers/no-https',
      'redirection/missing',
      'redirection/not-to-https',
      'redirection/untrusted',
    ],
  },
  certificates: {
    title: 'how certificates of the running service are managed',
    checks: ['certificate/*', ...infrastructureRuleIds('no-log-acm-transparency')],
  },
  headers: { title: 'security headers of the running service', checks: ['headers/*', 'cors/*'] },
  scripts: {
    title: 'what keeps foreign scripts out of pages of the running service',
    checks: [
      'headers/csp-missing',
      'headers/csp-invalid',
      'headers/csp-unsafe-inline',
      'headers/csp-unsafe-eval',
      'headers/csp-insecure-scheme',
      'headers/scripts-unpinned',
      'headers/scripts-insecure',
    ],
  },
  cookies: {
    title: 'flags of cookies',
    checks: ['cookies/*', ...sourceRuleIds('insecure-cookie', 'cookie-readable-by-script')],
    cwe: [614, 1004],
  },
  'open-ports': {
    title: 'open ports of the running service',
    checks: ['ports/exposed', 'ports/unlisted'],
  },
  availability: {
    title: 'whether the running service answers',
    checks: ['reachability/*', 'ports/closed'],
    except: ['reachability/slow', 'reachability/too-slow', 'reachability/client-certificate'],
  },
  slowness: {
    title: 'how fast the running service answers',
    checks: ['reachability/slow', 'reachability/too-slow'],
  },
  mail: {
    title: 'DNS records that protect mail of the domain',
    checks: ['dns/spf-missing', 'dns/spf-invalid', 'dns/dmarc-missing', 'dns/dmarc-none'],
  },
};
