import type { RuleCase } from './rule-case.ts';

const express = (...lines: string[]) =>
  `const express = require('express');\nconst app = express();\napp.get('/x', (req, res) => {\n${lines.join('\n')}\n});\n`;

/** Per rule one that must be found, and one of the same shape that must not. */
export const javascriptCases: readonly RuleCase[] = [
  {
    rule: 'source/sql-injection',
    found: express(
      "const db = require('mysql').createConnection({});",
      "db.query('select * from t where a = ' + req.query.a);",
    ),
    clean: express(
      "const db = require('mysql').createConnection({});",
      "db.query('select * from t where a = ?', [req.query.a]);",
    ),
  },
  {
    rule: 'source/nosql-injection',
    found: express("const { User } = require('./models');", 'User.findOne(req.body);'),
    clean: express("const { User } = require('./models');", 'User.findOne({ age: Number(req.body.age) });'),
  },
  {
    rule: 'source/command-injection',
    found: express("const { exec } = require('node:child_process');", "exec('ping ' + req.query.h);"),
    clean: express("const { execFile } = require('node:child_process');", "execFile('ping', [req.query.h]);"),
  },
  {
    rule: 'source/code-injection',
    found: express('eval(req.body.e);'),
    clean: express('JSON.parse(req.body.e);'),
  },
  {
    rule: 'source/template-injection',
    found: express("const ejs = require('ejs');", 'res.send(ejs.render(req.query.t));'),
    clean: express("const ejs = require('ejs');", "res.send(ejs.render('<%= t %>', { t: req.query.t }));"),
  },
  {
    rule: 'source/ldap-injection',
    found: express(
      "const client = require('ldapjs').createClient({});",
      "client.search('ou=a', '(uid=' + req.query.u + ')');",
    ),
    clean: express(
      "const client = require('ldapjs').createClient({});",
      "const e = require('ldap-escape');",
      "client.search('ou=a', '(uid=' + e.filter(req.query.u) + ')');",
    ),
  },
  {
    rule: 'source/xpath-injection',
    found: express(
      "const xpath = require('xpath');",
      'xpath.select("//a[@id=\'" + req.query.i + "\']", doc);',
    ),
    clean: express(
      "const xpath = require('xpath');",
      "xpath.select('//a[@id=' + Number(req.query.i) + ']', doc);",
    ),
  },
  {
    rule: 'source/path-traversal',
    found: express("const fs = require('fs');", "fs.readFile('/srv/' + req.params.f, () => {});"),
    clean: express(
      "const fs = require('fs'); const path = require('path');",
      "const p = path.resolve('/srv', req.params.f);",
      "if (!p.startsWith('/srv/')) return res.status(400).end();",
      'fs.readFile(p, () => {});',
    ),
  },
  {
    rule: 'source/server-side-request-forgery',
    found: express("const axios = require('axios');", 'axios.get(req.query.u);'),
    clean: express(
      "const axios = require('axios');",
      "axios.get('https://api.example.com/items/' + req.query.u);",
    ),
  },
  {
    rule: 'source/cross-site-scripting',
    found: express("res.send('<b>' + req.query.n);"),
    clean: express("const escape = require('escape-html');", "res.send('<b>' + escape(req.query.n));"),
  },
  {
    rule: 'source/unsafe-deserialisation',
    found: express("require('node-serialize').unserialize(req.cookies.p);"),
    clean: express('JSON.parse(req.cookies.p);'),
  },
  {
    rule: 'source/weak-hash',
    found: "import { createHash } from 'node:crypto';\ncreateHash('md5');\n",
    clean: "import { createHash } from 'node:crypto';\ncreateHash('sha256');\n",
  },
  {
    rule: 'source/weak-cipher',
    found: "import crypto from 'crypto';\ncrypto.createCipheriv('aes-128-ecb', k, null);\n",
    clean: "import crypto from 'crypto';\ncrypto.createCipheriv('aes-256-gcm', k, iv);\n",
  },
  {
    rule: 'source/weak-random',
    found: 'const sessionToken = Math.random().toString(36);\n',
    clean:
      "import { randomUUID } from 'crypto';\nconst sessionToken = randomUUID();\nconst delay = Math.random();\n",
  },
  {
    rule: 'source/tls-verification-off',
    found: "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';\n",
    clean: 'const agent = { rejectUnauthorized: true };\n',
  },
  {
    rule: 'source/weak-tls-version',
    found: "tls.connect({ minVersion: 'TLSv1' });\n",
    clean: "tls.connect({ minVersion: 'TLSv1.2' });\n",
  },
  {
    rule: 'source/open-redirect',
    found: express('res.redirect(req.query.next);'),
    clean: express(
      "if (['/a', '/b'].includes(req.query.next)) res.redirect(req.query.next);",
      "res.redirect('/page/' + req.query.n);",
    ),
  },
  {
    rule: 'source/xml-external-entities',
    found: express("require('libxmljs').parseXml(req.body, { noent: true });"),
    clean: express("require('libxmljs').parseXml(req.body, { noent: false });"),
  },
  {
    rule: 'source/prototype-pollution',
    found: express("const _ = require('lodash');", '_.merge({}, req.body);'),
    clean: express('Object.assign({}, req.body);'),
  },
  {
    rule: 'source/trust-boundary',
    found: express('req.session[req.query.k] = 1;'),
    clean: express('req.session.visits = 1;'),
  },
  {
    rule: 'source/debug-on',
    found: "app.use(require('errorhandler')());\n",
    clean: "app.use(require('errorhandler')({ log: false }));\n",
  },
  {
    rule: 'source/hard-coded-credentials',
    found: "const dbPassword = 'tr0ub4dor&3x';\n",
    clean: "const dbPassword = process.env.DB_PASSWORD;\nconst password = 'password';\n",
  },
  {
    rule: 'source/insecure-cookie',
    found: express("res.cookie('a', 'b', { secure: false });"),
    clean: express("res.cookie('session', 'b', { secure: true });"),
  },
  {
    rule: 'source/cookie-readable-by-script',
    found: express("res.cookie('a', 'b', { httpOnly: false });"),
    clean: express("res.cookie('a', 'b', { httpOnly: true });"),
  },
  {
    rule: 'source/jwt-unverified',
    found: "const jwt = require('jsonwebtoken');\njwt.sign(c, k, { algorithm: 'none' });\n",
    clean: "const jwt = require('jsonwebtoken');\njwt.verify(t, key, { algorithms: ['RS256'] });\n",
  },
  {
    rule: 'source/jwt-hard-coded-secret',
    found: "const jwt = require('jsonwebtoken');\njwt.sign(c, 's3cr3t-s3cr3t');\n",
    clean: "const jwt = require('jsonwebtoken');\njwt.sign(c, process.env.JWT_SECRET);\n",
  },
];
