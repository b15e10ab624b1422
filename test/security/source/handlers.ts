import { createSourceScanner } from '../../../src/security/scanners/source.ts';

const scanner = createSourceScanner();
const INDENT = '    ';

/** What stands around the lines of a request's handler; in each, the text of the request is in `p` (`$p` in PHP). */
const AROUND = {
  python: [
    'a.py',
    'import os, re, html\nfrom flask import Flask, request, redirect\napp = Flask("x")\n@app.route("/")\ndef view():\n    p = request.args["p"]\n',
    '',
  ],
  javascript: [
    'a.js',
    "const { exec } = require('child_process');\nconst app = require('express')();\napp.get('/', (req, res) => {\n    let p = req.query.p;\n",
    '});\n',
  ],
  java: [
    'A.java',
    'import javax.servlet.http.*;\nimport java.util.*;\npublic class A extends HttpServlet {\n  public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {\n    String p = req.getParameter("p");\n',
    '  }\n}\n',
  ],
  go: [
    'a.go',
    'package a\n\nimport (\n\t"net/http"\n\t"os/exec"\n\t"strings"\n)\n\nfunc h(w http.ResponseWriter, r *http.Request) {\n    p := r.URL.Query().Get("p")\n',
    '}\n',
  ],
  php: ['a.php', '<?php\n$p = $_GET["p"];\n', ''],
  ruby: [
    'a.rb',
    'class AController < ApplicationController\n  def show\n    p = params[:p]\n',
    '  end\nend\n',
  ],
  csharp: [
    'A.cs',
    'using System;\nusing System.IO;\nusing Microsoft.AspNetCore.Mvc;\npublic class AController : Controller {\n  public IActionResult Get() {\n    string p = Request.Query["p"];\n',
    '    return Ok();\n  }\n}\n',
  ],
} as const;

export type Language = keyof typeof AROUND;

/** Lines, counted from the first one given, in which a rule finds a weakness of a request's handler of these lines. */
export async function linesFound(
  rule: string,
  language: Language,
  lines: readonly string[],
): Promise<number[]> {
  const [path, head, tail] = AROUND[language];
  const text = head + lines.map((line) => `${INDENT}${line}\n`).join('') + tail;
  const before = head.split('\n').length - 1;
  const found = await scanner.scan({ path, text }, { deep: true });
  return found.filter((one) => one.id === rule).map((one) => (one.line ?? 0) - before);
}

/** A line that runs the text of `p` in a shell. */
export const RUNS: Readonly<Record<Language, string>> = {
  python: 'os.system(p)',
  javascript: 'exec(p);',
  java: 'Runtime.getRuntime().exec(p);',
  go: 'exec.Command("sh", "-c", p)',
  php: 'system($p);',
  ruby: 'system(p)',
  csharp: 'System.Diagnostics.Process.Start("cmd", "/c " + p);',
};
/** The rule that finds `RUNS`. */
export const COMMAND = 'source/command-injection';

/** An `if` of the condition with a body of these lines, and an `else`. */
export const IF: Readonly<Record<Language, (test: string, yes: string, no: string) => string[]>> = {
  python: (test, yes, no) => [`if ${test}:`, `    ${yes}`, 'else:', `    ${no}`],
  ruby: (test, yes, no) => [`if ${test}`, `    ${yes}`, 'else', `    ${no}`, 'end'],
  go: (test, yes, no) => [`if ${test} {`, `    ${yes}`, '} else {', `    ${no}`, '}'],
  javascript: (test, yes, no) => [`if (${test}) {`, `    ${yes}`, '} else {', `    ${no}`, '}'],
  java: (test, yes, no) => [`if (${test}) {`, `    ${yes}`, '} else {', `    ${no}`, '}'],
  php: (test, yes, no) => [`if (${test}) {`, `    ${yes}`, '} else {', `    ${no}`, '}'],
  csharp: (test, yes, no) => [`if (${test}) {`, `    ${yes}`, '} else {', `    ${no}`, '}'],
};

/** The lines of an `if` with the weakness in both branches that the scanner reports: 2 is the first branch, 4 the second. */
export async function taken(language: Language, condition: string): Promise<readonly number[]> {
  return linesFound(COMMAND, language, IF[language](condition, RUNS[language], RUNS[language]));
}
