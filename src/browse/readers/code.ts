/** Parses entries such as `cpp:cpp,cc`, which maps the names `cpp` and `cc` to the language `cpp`. */
const languages = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/\s+/).flatMap((entry) => {
      const [language = '', names = ''] = entry.split(':');
      return names.split(',').map((name) => [name, language] as const);
    }),
  );

const BY_EXTENSION = languages(
  `js:js,mjs,cjs jsx:jsx ts:ts,mts,cts tsx:tsx python:py,pyw,pyi ruby:rb go:go rust:rs java:java kotlin:kt,kts c:c,h
  cpp:cpp,cc,cxx,hpp,hh csharp:cs fsharp:fs php:php swift:swift objectivec:m scala:scala clojure:clj,cljs elixir:ex,exs
  erlang:erl haskell:hs ocaml:ml,mli lua:lua perl:pl,pm r:r julia:jl dart:dart zig:zig nim:nim groovy:groovy,gradle
  bash:sh,bash,zsh fish:fish powershell:ps1,psm1 batch:bat,cmd sql:sql graphql:graphql,gql proto:proto
  css:css scss:scss less:less yaml:yaml,yml toml:toml ini:ini,cfg,conf,properties dockerfile:dockerfile makefile:mk
  cmake:cmake nix:nix hcl:tf,hcl diff:diff,patch vue:vue svelte:svelte tex:tex,sty,bib vim:vim lisp:lisp,el scheme:scm
  asm:asm,s pascal:pas fortran:f90,f95 vb:vb solidity:sol wat:wat`,
);

const BY_NAME = languages(
  'dockerfile:dockerfile makefile:makefile,gnumakefile cmake:cmakelists.txt ruby:gemfile,rakefile bash:.bashrc,.zshrc',
);

const BY_TYPE = languages(
  `js:javascript,ecmascript ts:typescript css:css yaml:yaml toml:toml bash:sh,shellscript sql:sql
  graphql:graphql python:python,script.python ruby:ruby rust:rust go:go perl:perl java:java,java-source
  c:csrc,chdr,c cpp:c++src,c++hdr,c++ csharp:csharp php:httpd-php,php tex:tex,latex diff:diff,patch
  lua:lua`,
);

export function detectCodeLanguage(contentType: string, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const extension = /\.([a-z0-9]+)$/.exec(name)?.[1] ?? '';
  const subtype = /^(?:text|application)\/(?:x-|vnd\.)?(.+)$/.exec(contentType)?.[1] ?? '';
  return BY_TYPE.get(subtype) ?? BY_NAME.get(name) ?? BY_EXTENSION.get(extension);
}
