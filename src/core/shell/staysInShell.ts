import { splitWords } from './syntax/value';
import { parse } from 'unbash';
import type { CompoundList, Statement } from 'unbash';
import { isHarmlessVariable, settable } from './syntax/environmentNames';
import { writtenOut } from './posix/words';

type Node = Statement['command'];

/** Built-ins that affect later commands in the shell, or may run others that do. */
const changing = new Set(
  splitWords(`
    export declare typeset readonly local alias unalias trap source . eval hash enable shopt set setopt unsetopt
    bind unset exec read mapfile readarray let getopts autoload zmodload functions coproc disable emulate
  `),
);

/**
 * Returns whether a text has a lasting effect on the shell that runs it: variables, aliases, functions, traps. Commands
 * in subshells have none. Returns true for a text that cannot be parsed.
 */
export function staysInShell(text: string): boolean {
  try {
    const script = parse(text);
    return ((script as { errors?: readonly unknown[] }).errors?.length ?? 0) > 0 || script.commands.some(stays);
  } catch {
    return true;
  }
}

const split = (word: string): [name: string, value: string] => {
  const at = word.indexOf('=');
  return at < 0 ? ['', ''] : [word.slice(0, at), word.slice(at + 1)];
};

const stays = ({ command, background }: Statement): boolean => background !== true && changes(command);
const any = (lists: readonly CompoundList[]): boolean => lists.some(({ commands }) => commands.some(stays));

function changes(node: Node): boolean {
  switch (node.type) {
    case 'AndOr':
      return node.commands.some(changes);
    // zsh runs the last command of a pipeline in the shell itself.
    case 'Pipeline':
      return node.commands.length === 1 ? changes(node.commands[0]!) : changes(node.commands.at(-1)!);
    case 'Redirected':
      return changes(node.command);
    case 'BraceGroup':
      return any([node.body]);
    case 'If':
      return any([
        node.clause,
        node.then,
        ...node.elif.flatMap((one) => [one.clause, one.then]),
        ...(node.else ? [node.else] : []),
      ]);
    case 'While':
      return any([node.clause, node.body]);
    case 'For':
      return !settable(node.name.value) || any([node.body]);
    case 'Case':
      return any(node.items.map(({ body }) => body));
    case 'Subshell':
    case 'TestCommand':
      return false;
    case 'Command':
      return commandChanges(node);
    default:
      return true;
  }
}

function commandChanges({ name, args, prefix }: Extract<Node, { type: 'Command' }>): boolean {
  if (!name) return prefix.some((part) => part.type === 'Assignment' && !settable(part.name));
  if (!writtenOut(name.parts)) return true;
  const all = [name.value, ...args.map((argument) => (argument.type === 'Word' ? argument.value : argument.text))];
  const start = all.findIndex((word) => !/^(builtin|command|noglob|nocorrect)$/.test(word));
  const words = start < 0 ? [] : all.slice(start);
  const [first = '', second = ''] = words;
  if (first === 'export' && words.length > 1 && words.slice(1).every((word) => isHarmlessVariable(...split(word))))
    return false;
  return changing.has(first) || (first === 'printf' && second.startsWith('-v'));
}
