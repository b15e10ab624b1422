import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** CWE Top 25 of 2025; the names are our short forms of CWE's. */
export const cweTop25: Catalogue = {
  id: 'cwe-top-25',
  title: 'CWE Top 25 Most Dangerous Software Weaknesses',
  edition: '2025 (December 2025)',
  source: 'https://cwe.mitre.org/top25/archive/2025/2025_cwe_top25.html',
  license: 'CWE ids, ranks and titles: CWE Terms of Use (The MITRE Corporation); wording by Magpie',
  spellings: [
    'cwe',
    'cwe25',
    'cwe top 25 2025',
    'cwe/sans top 25',
    'sans/cwe top 25',
    'sans top 25',
    'sans25',
    'mitre top 25',
    'top 25',
  ],
  controls: async () => controlsFrom(CONTROLS),
};

const CONTROLS = `
# Web and injection
CWE-79 Rank 1: cross-site scripting
CWE-89 Rank 2: SQL injection
CWE-352 Rank 3: cross-site request forgery
CWE-862 Rank 4: missing authorization
# Memory safety
CWE-787 Rank 5: out-of-bounds write
# Files and resources
CWE-22 Rank 6: path traversal
# Memory safety
CWE-416 Rank 7: use after free
CWE-125 Rank 8: out-of-bounds read
# Web and injection
CWE-78 Rank 9: OS command injection
CWE-94 Rank 10: code injection
# Memory safety
CWE-120 Rank 11: buffer copy without checking the size of the input
# Files and resources
CWE-434 Rank 12: upload of files of dangerous types
# Memory safety
CWE-476 Rank 13: use of a null pointer
CWE-121 Rank 14: stack-based buffer overflow
# Web and injection
CWE-502 Rank 15: deserialisation of untrusted data
# Memory safety
CWE-122 Rank 16: heap-based buffer overflow
# Access
CWE-863 Rank 17: incorrect authorization
# Web and injection
CWE-20 Rank 18: input that is not validated
# Access
CWE-284 Rank 19: improper access control
CWE-200 Rank 20: sensitive information shown to those it is not for
CWE-306 Rank 21: critical function without authentication
# Web and injection
CWE-918 Rank 22: server-side request forgery
CWE-77 Rank 23: command injection
# Access
CWE-639 Rank 24: authorization bypassed by a key that the user chooses
# Files and resources
CWE-770 Rank 25: resources taken without limit
`;
