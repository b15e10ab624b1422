import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

const LICENSE = 'OWASP Top 10: CC BY-SA 4.0 (categories and their CWE numbers); wording by Magpie';

/** OWASP Top 10 of 2021. */
export const owaspTop10of2021: Catalogue = {
  id: 'owasp-top-10-2021',
  title: 'OWASP Top 10',
  edition: '2021',
  source: 'https://owasp.org/Top10/2021/',
  license: LICENSE,
  spellings: ['owasp 2021', 'owasp10 2021', 'top10 2021', 'owasp top ten 2021'],
  controls: async () => controlsFrom(OF_2021),
};

/** OWASP Top 10 of 2025, the current one. */
export const owaspTop10of2025: Catalogue = {
  id: 'owasp-top-10-2025',
  title: 'OWASP Top 10',
  edition: '2025',
  source: 'https://owasp.org/Top10/2025/',
  license: LICENSE,
  spellings: [
    'owasp',
    'owasp top 10',
    'owasp top ten',
    'owasp top ten 2025',
    'owasp 2025',
    'owasp10 2025',
    'owasp10',
    'top10',
    'top10 2025',
  ],
  controls: async () => controlsFrom(OF_2025),
};

const OF_2021 = `
# OWASP Top 10:2021
A01:2021 Broken access control
A02:2021 Cryptographic failures
A03:2021 Injection
A04:2021 Insecure design
A05:2021 Security misconfiguration
A06:2021 Vulnerable and outdated components
A07:2021 Identification and authentication failures
A08:2021 Software and data integrity failures
A09:2021 Security logging and monitoring failures
A10:2021 Server-side request forgery
`;

const OF_2025 = `
# OWASP Top 10:2025
A01:2025 Broken access control
A02:2025 Security misconfiguration
A03:2025 Software supply chain failures
A04:2025 Cryptographic failures
A05:2025 Injection
A06:2025 Insecure design
A07:2025 Authentication failures
A08:2025 Software or data integrity failures
A09:2025 Security logging and alerting failures
A10:2025 Mishandling of exceptional conditions
`;
