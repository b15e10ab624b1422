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
CWE-79 Rank 1: cross-site scripting => whole source/cross-site-scripting cwe:79 cwe:80 cwe:83
CWE-89 Rank 2: SQL injection => whole source/sql-injection cwe:89 cwe:564
CWE-352 Rank 3: cross-site request forgery => part cookies/csrf-without-same-site cwe:352
CWE-862 Rank 4: missing authorization => part cwe:862 infrastructure/kubernetes-anonymous-role
# Memory safety
CWE-787 Rank 5: out-of-bounds write => part cwe:787
# Files and resources
CWE-22 Rank 6: path traversal => whole source/path-traversal cwe:22 cwe:23 cwe:36
# Memory safety
CWE-416 Rank 7: use after free => part cwe:416
CWE-125 Rank 8: out-of-bounds read => part cwe:125
# Web and injection
CWE-78 Rank 9: OS command injection => whole source/command-injection infrastructure/workflow-script-injection infrastructure/pipeline-eval infrastructure/workflow-unsafe-commands cwe:78 cwe:88
CWE-94 Rank 10: code injection => whole source/code-injection source/template-injection cwe:94 cwe:95 cwe:1336
# Memory safety
CWE-120 Rank 11: buffer copy without checking the size of the input => part cwe:120
# Files and resources
CWE-434 Rank 12: upload of files of dangerous types => part cwe:434
# Memory safety
CWE-476 Rank 13: use of a null pointer => part cwe:476
CWE-121 Rank 14: stack-based buffer overflow => part cwe:121
# Web and injection
CWE-502 Rank 15: deserialisation of untrusted data => whole deserialisation
# Memory safety
CWE-122 Rank 16: heap-based buffer overflow => part cwe:122
# Access
CWE-863 Rank 17: incorrect authorization => part cwe:863
# Web and injection
CWE-20 Rank 18: input that is not validated => part input-handling injection
# Access
CWE-284 Rank 19: improper access control => part exposure rights
CWE-200 Rank 20: sensitive information shown to those it is not for => part secrets infrastructure/cloud-public-storage cwe:200 cwe:209 cwe:532
CWE-306 Rank 21: critical function without authentication => part infrastructure/kubernetes-anonymous-role cwe:306
# Web and injection
CWE-918 Rank 22: server-side request forgery => whole source/server-side-request-forgery cwe:918
CWE-77 Rank 23: command injection => whole source/command-injection infrastructure/workflow-script-injection infrastructure/pipeline-eval cwe:77 cwe:78
# Access
CWE-639 Rank 24: authorization bypassed by a key that the user chooses => part cwe:639
# Files and resources
CWE-770 Rank 25: resources taken without limit => part limits
`;
