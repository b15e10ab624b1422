import type { SourceRule } from '../rule.ts';

/** Every weakness that the source scanner knows; each language's rules say which code shows it. */
export const sourceRules: readonly SourceRule[] = [
  {
    id: 'source/sql-injection',
    title: 'SQL injection',
    severity: 'high',
    cwe: ['CWE-89'],
    description:
      'A query is built with text from outside. The sender can read or change any row that this connection can.',
    fix: 'Pass values as parameters of the query (placeholders), and choose names of tables and columns from a fixed list.',
  },
  {
    id: 'source/nosql-injection',
    title: 'NoSQL injection',
    severity: 'high',
    cwe: ['CWE-943'],
    description:
      'A database filter is taken from a request as an object. Operators in it ($ne, $where) change what the query matches.',
    fix: 'Take single values out of the request, and convert each to the type that the query expects.',
  },
  {
    id: 'source/command-injection',
    title: 'Command injection',
    severity: 'critical',
    cwe: ['CWE-78'],
    description: 'Text from outside becomes part of a command. The sender can run programs on this machine.',
    fix: 'Call the program without a shell, with its arguments as a list, and accept only values from a fixed list.',
  },
  {
    id: 'source/code-injection',
    title: 'Code injection',
    severity: 'critical',
    cwe: ['CWE-94', 'CWE-95'],
    description: 'Text from outside is run as code. The sender can do everything that this program can.',
    fix: 'Parse the text as data (JSON, a literal), or choose one of a fixed list of functions by name.',
  },
  {
    id: 'source/template-injection',
    title: 'Template injection',
    severity: 'high',
    cwe: ['CWE-1336'],
    description:
      'Text from outside is compiled as a template. Template languages can read objects and run code.',
    fix: 'Keep templates in files, and pass text from outside as their values only.',
  },
  {
    id: 'source/ldap-injection',
    title: 'LDAP injection',
    severity: 'high',
    cwe: ['CWE-90'],
    description:
      'A directory filter or name is built with text from outside, which can change what it matches.',
    fix: "Escape the text for filters (RFC 4515) or names (RFC 4514) with the library's own function.",
  },
  {
    id: 'source/xpath-injection',
    title: 'XPath injection',
    severity: 'high',
    cwe: ['CWE-643'],
    description: 'An XPath expression is built with text from outside, which can change what it selects.',
    fix: 'Pass the text as a variable of the expression, or refuse quotes in it.',
  },
  {
    id: 'source/path-traversal',
    title: 'Path traversal',
    severity: 'high',
    cwe: ['CWE-22'],
    description:
      'A file name comes from outside. With `..` or an absolute path it reaches files in other folders.',
    fix: 'Resolve the path and check that it is still inside the intended folder, or take its last part only.',
  },
  {
    id: 'source/server-side-request-forgery',
    title: 'Server-side request forgery',
    severity: 'high',
    cwe: ['CWE-918'],
    description: 'The address that this server requests comes from outside and can name internal services.',
    fix: 'Choose the host from a fixed list, and refuse private addresses when the connection is made.',
  },
  {
    id: 'source/cross-site-scripting',
    title: 'Cross-site scripting',
    severity: 'high',
    cwe: ['CWE-79'],
    description:
      'Text from outside becomes part of a page without escaping, and can run as a script in the reader’s browser.',
    fix: 'Let a template escape it, or escape it for its place in the page.',
  },
  {
    id: 'source/unsafe-deserialisation',
    title: 'Deserialisation of data from outside',
    severity: 'critical',
    cwe: ['CWE-502'],
    description: 'Data from outside is read in a format that can create any object, and so run code.',
    fix: 'Use a format of plain data (JSON), or the safe loader of the library.',
  },
  {
    id: 'source/unsafe-loader',
    title: 'Loader that can create any object',
    severity: 'low',
    cwe: ['CWE-502'],
    description:
      'This loader can create any object from what it reads, and so run code if the data is not trusted.',
    fix: 'Use the safe loader, or make sure that no one else can write the data.',
  },
  {
    id: 'source/weak-hash',
    title: 'Weak hash',
    severity: 'low',
    cwe: ['CWE-328'],
    description: 'MD5 and SHA-1 are broken: different contents can be given the same hash.',
    fix: 'Use SHA-256 or better; for passwords use Argon2, scrypt or bcrypt. Where it is not for security, say so in the code.',
  },
  {
    id: 'source/weak-cipher',
    title: 'Weak encryption',
    severity: 'medium',
    cwe: ['CWE-327'],
    description: 'The cipher or its mode is broken or outdated (DES, RC2, RC4, Blowfish, ECB).',
    fix: 'Use AES-GCM or ChaCha20-Poly1305.',
  },
  {
    id: 'source/weak-random',
    title: 'Predictable secret',
    severity: 'medium',
    cwe: ['CWE-330'],
    description:
      'A secret value comes from a generator that is not meant for secrets: its output can be predicted.',
    fix: "Use the cryptographic generator: Python's secrets, Node's crypto.randomBytes, Java's SecureRandom, crypto/rand, random_bytes.",
  },
  {
    id: 'source/tls-verification-off',
    title: 'TLS verification switched off',
    severity: 'high',
    cwe: ['CWE-295'],
    description:
      'Certificates are not checked, so that anyone on the network path can read and change the connection.',
    fix: 'Leave verification on; add the authority of an internal service to the trusted ones.',
  },
  {
    id: 'source/weak-tls-version',
    title: 'Outdated TLS version',
    severity: 'medium',
    cwe: ['CWE-326', 'CWE-327'],
    description: 'SSL 2, SSL 3, TLS 1.0 and TLS 1.1 are broken or outdated.',
    fix: 'Require TLS 1.2 or newer.',
  },
  {
    id: 'source/open-redirect',
    title: 'Open redirect',
    severity: 'medium',
    cwe: ['CWE-601'],
    description:
      'The address of a redirect comes from outside, so that a link to this site can lead to another site.',
    fix: 'Redirect to paths of this site only, or choose the host from a fixed list.',
  },
  {
    id: 'source/xml-external-entities',
    title: 'XML external entities',
    severity: 'high',
    cwe: ['CWE-611'],
    description:
      'XML is read with external entities on: a document can read files and reach internal services.',
    fix: "Switch external entities and document types off, or use a parser that does (Python's defusedxml).",
  },
  {
    id: 'source/prototype-pollution',
    title: 'Prototype pollution',
    severity: 'high',
    cwe: ['CWE-1321'],
    description:
      'A key from outside is written into an object: `__proto__` changes all objects of the program.',
    fix: 'Use a Map or Object.create(null), or refuse the keys __proto__, constructor and prototype.',
  },
  {
    id: 'source/trust-boundary',
    title: 'Unchecked data in the session',
    severity: 'medium',
    cwe: ['CWE-501'],
    description: 'Data from a request is put into the session unchecked, where other code trusts it.',
    fix: 'Check the value before it goes into the session, and never take the key from a request.',
  },
  {
    id: 'source/debug-on',
    title: 'Debug mode left on',
    severity: 'medium',
    cwe: ['CWE-489'],
    description: 'Debug mode shows internals to anyone who causes an error; some debuggers run code.',
    fix: 'Leave it off in the code, and switch it on by the environment on a developer’s machine only.',
  },
  {
    id: 'source/hard-coded-credentials',
    title: 'Credentials in the code',
    severity: 'medium',
    cwe: ['CWE-798'],
    description:
      'A password or key is in the code: everyone who can read the code has it, and changing it takes a release.',
    fix: 'Read it from the environment or a secret store, and replace the one in the code.',
  },
  {
    id: 'source/insecure-cookie',
    title: 'Cookie without Secure',
    severity: 'medium',
    cwe: ['CWE-614'],
    description: 'The cookie is also sent over unencrypted connections, where it can be read.',
    fix: 'Set Secure (and HttpOnly and SameSite) on it.',
  },
  {
    id: 'source/cookie-readable-by-script',
    title: 'Cookie that scripts can read',
    severity: 'low',
    cwe: ['CWE-1004'],
    description: 'HttpOnly is switched off: a script in the page can read the cookie.',
    fix: 'Set HttpOnly on it.',
  },
  {
    id: 'source/jwt-unverified',
    title: 'Token accepted without checking its signature',
    severity: 'high',
    cwe: ['CWE-347'],
    description: 'A JSON web token is read without checking its signature: anyone can write one.',
    fix: 'Verify it with the key and with a fixed list of algorithms, without `none`.',
  },
  {
    id: 'source/jwt-hard-coded-secret',
    title: 'Token signed with a secret in the code',
    severity: 'high',
    cwe: ['CWE-798', 'CWE-321'],
    description:
      'The secret that signs tokens is in the code: anyone who reads it can sign tokens for any user.',
    fix: 'Read the secret from the environment or a secret store, and replace this one.',
  },
];

const byId = new Map(sourceRules.map((rule) => [rule.id, rule]));

/** The rule of that id; throws for one that is not in the list: a mistake in a language's rules. */
export function ruleOf(id: string): SourceRule {
  const rule = byId.get(id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}
