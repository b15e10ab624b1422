const BY_EXTENSION: Readonly<Record<string, string>> = Object.fromEntries(
  `js:js,mjs,cjs jsx:jsx ts:ts,mts,cts tsx:tsx python:py,pyw,pyi ruby:rb go:go rust:rs java:java kotlin:kt,kts c:c,h
  cpp:cpp,cc,cxx,hpp,hh csharp:cs fsharp:fs php:php swift:swift objectivec:m scala:scala clojure:clj,cljs elixir:ex,exs
  erlang:erl haskell:hs ocaml:ml,mli lua:lua perl:pl,pm r:r julia:jl dart:dart zig:zig nim:nim groovy:groovy,gradle
  bash:sh,bash,zsh fish:fish powershell:ps1,psm1 batch:bat,cmd sql:sql graphql:graphql,gql proto:proto
  css:css scss:scss less:less yaml:yaml,yml toml:toml ini:ini,cfg,conf,properties dockerfile:dockerfile makefile:mk
  cmake:cmake nix:nix hcl:tf,hcl diff:diff,patch vue:vue svelte:svelte tex:tex,sty,bib vim:vim lisp:lisp,el scheme:scm
  asm:asm,s pascal:pas fortran:f90,f95 vb:vb solidity:sol wat:wat`
    .split(/\s+/)
    .flatMap((entry) => {
      const [language = '', extensions = ''] = entry.split(':');
      return extensions.split(',').map((extension) => [extension, language]);
    }),
);

const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  'cmakelists.txt': 'cmake',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.bashrc': 'bash',
  '.zshrc': 'bash',
};

const BY_TYPE: Readonly<Record<string, string>> = {
  javascript: 'js',
  ecmascript: 'js',
  typescript: 'ts',
  css: 'css',
  yaml: 'yaml',
  toml: 'toml',
  sh: 'bash',
  shellscript: 'bash',
  sql: 'sql',
  graphql: 'graphql',
  python: 'python',
  'script.python': 'python',
  ruby: 'ruby',
  rust: 'rust',
  go: 'go',
  perl: 'perl',
  java: 'java',
  'java-source': 'java',
  csrc: 'c',
  chdr: 'c',
  'c++src': 'cpp',
  'c++hdr': 'cpp',
  c: 'c',
  'c++': 'cpp',
  csharp: 'csharp',
  'httpd-php': 'php',
  php: 'php',
  tex: 'tex',
  latex: 'tex',
  diff: 'diff',
  patch: 'diff',
  lua: 'lua',
};

export function detectCodeLanguage(contentType: string, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const extension = /\.([a-z0-9]+)$/.exec(name)?.[1] ?? '';
  const subtype = /^(?:text|application)\/(?:x-|vnd\.)?(.+)$/.exec(contentType)?.[1] ?? '';
  return own(BY_TYPE, subtype) ?? own(BY_NAME, name) ?? own(BY_EXTENSION, extension);
}

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
