import { type Dockerfile, DockerfileParser, From, type Instruction } from 'dockerfile-ast';
import { credentialKind } from '../../secrets/credential-name.ts';
import type { RuleMatch } from '../rules.ts';
import { isUnpinnedImage } from './container-risks.ts';
import { shellMatches } from './shell.ts';

export function dockerfileMatches(text: string): RuleMatch[] {
  const file = DockerfileParser.parse(text);
  const instructions = file.getInstructions();
  return [
    ...fromMatches(file),
    ...userMatches(instructions),
    ...instructions.flatMap((one) => instructionMatches(one, text)),
  ];
}

const lineOf = (instruction: Instruction): number => instruction.getRange().start.line + 1;

function fromMatches(file: Dockerfile): RuleMatch[] {
  const stages = new Set<string>();
  return file.getFROMs().flatMap((from): RuleMatch[] => {
    const image = from.getImage() ?? '';
    const known = image === 'scratch' || stages.has(image.toLowerCase());
    const stage = from.getBuildStage();
    if (stage) stages.add(stage.toLowerCase());
    return known || !isUnpinnedImage(image)
      ? []
      : [{ rule: 'docker-unpinned-image', line: lineOf(from), what: image }];
  });
}

function userMatches(instructions: readonly Instruction[]): RuleMatch[] {
  const from = instructions.findLast((one) => one instanceof From);
  if (!from || (from instanceof From && /nonroot|rootless/.test(from.getImage() ?? ''))) return [];
  const after = instructions.slice(instructions.indexOf(from));
  const user = after.findLast((one) => one.getKeyword() === 'USER');
  const name = user?.getArguments()[0]?.getValue() ?? 'root';
  // Images without `EXPOSE` are mostly tools. With `EXPOSE`, they can be attacked over the network.
  const serves = instructions.some((one) => one.getKeyword() === 'EXPOSE');
  const runs = after.some((one) => ['CMD', 'ENTRYPOINT', 'RUN'].includes(one.getKeyword()));
  return runs && /^(?:root|0)(?::|$)/.test(name)
    ? [{ rule: 'docker-root-user', line: lineOf(user ?? from), severity: serves ? 'medium' : 'low' }]
    : [];
}

function instructionMatches(instruction: Instruction, text: string): RuleMatch[] {
  const line = lineOf(instruction);
  const words = instruction.getArguments().map((argument) => argument.getValue());
  switch (instruction.getKeyword()) {
    case 'ADD': {
      const checked = /--checksum=/.test(text.split('\n')[line - 1] ?? '');
      const remote = words.find((word) => /^https?:/i.test(word));
      if (checked || remote === undefined) return [];
      return [{ rule: 'docker-remote-add', line, severity: /^https:/i.test(remote) ? 'low' : 'medium' }];
    }
    case 'ARG': {
      const name = (words[0] ?? '').split('=')[0] ?? '';
      return credentialKind(name) ? [{ rule: 'docker-secret-argument', line, what: name }] : [];
    }
    case 'EXPOSE':
      return words.some((word) => /^22(?:\/tcp)?$/.test(word)) ? [{ rule: 'docker-ssh-port', line }] : [];
    case 'RUN': {
      const { start, end } = instruction.getRange();
      return shellMatches(
        text
          .split('\n')
          .slice(start.line, end.line + 1)
          .join('\n'),
        line,
      );
    }
    default:
      return [];
  }
}
