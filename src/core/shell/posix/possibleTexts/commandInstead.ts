import type { Command } from 'unbash';
import type { Around, Definitions } from './definitions';
import { inputOf, printedBy } from './printedText';
import { asWord, knownArguments, plainArguments, withoutDotSlash, wordText, quoted } from './plainWords';

/** What may stand in the place of a command. */
interface Instead {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
}

/** Shells that run a text. */
export const shell = /^(?:.*\/)?(?:ba|z|da|k|a)?sh$|^\/proc\/(?:self|\d+)\/exe$/;
/** Programs that run the rest of their words on this machine. */
const transparent = /^(?:.*\/)?(?:env|sudo|doas|timeout|nice|ionice|nohup|command|exec|builtin|setsid|stdbuf|busybox)$/;

/** Programs that start a command with the words of their input. */
export const startsForInput = /^(?:.*\/)?(?:xargs|parallel)$/;
/** Interpreters that read code from their input, with the option that takes it. */
export const takesCode = /^(?:.*\/)?(?:python[\d.]*|node|ruby|perl|php)$/;

/**
 * Returns a command that does the same as one that runs a text of the line: `eval`, `bash -c`, a shell that reads its
 * input, `source` of what is printed, `xargs`, `trap`, an alias. `bash -c 'rm $1' _ x` becomes `(set -- x; rm $1)`.
 */
export function commandInstead(
  command: Command,
  { input: around }: Around,
  definitions: Definitions,
): Instead | undefined {
  const { pos, end } = command;
  const started = startedByVariable(command, definitions) ?? inFolder(command, definitions);
  if (started) return started;
  const name = wordText(command.name);
  if (name === undefined) return undefined;
  const [first] = command.args;
  if (/^(?:command|builtin)$/.test(name) && first && !first.text.startsWith('-'))
    return { pos: command.name!.pos, end: first.pos, text: '' };
  const alias = definitions.aliases.get(name);
  if (alias !== undefined && alias.split(/\s/)[0] !== name)
    return { pos: command.name!.pos, end: command.name!.end, text: alias };
  const text = new TextRun(command, name, inputOf(command.redirects) ?? around, definitions).text();
  return text === undefined ? undefined : { pos, end, text };
}

/** Shells run the text of a variable before a prompt, and the files that others name when they start. */
function startedByVariable({ pos, end, prefix }: Command, { files }: Definitions): Instead | undefined {
  for (const part of prefix) {
    if (part.type !== 'Assignment' || part.value.type !== 'Word') continue;
    const text = wordText(part.value);
    if (part.name === 'PROMPT_COMMAND' && text !== undefined) return { pos, end, text: inShell(text) };
    if (!/^(?:BASH_ENV|ENV|ZDOTDIR)$/.test(part.name)) continue;
    const [substitution] = part.value.parts ?? [];
    const printed =
      substitution?.type === 'ProcessSubstitution'
        ? substitution.script && printedBy(substitution.script)
        : files.get(withoutDotSlash(text ?? ''));
    if (printed !== undefined) return { pos, end, text: inShell(printed) };
  }
  return undefined;
}

/** Programs that start another one in the folder that an option names. */
const startsInFolder = /^(?:.*\/)?(?:sudo|run0|systemd-run|parallel|nsenter|unshare|start-stop-daemon|bwrap|firejail)$/;
const folderOption = /^(?:-D|--chdir|--wd|--workdir|--working-directory)(?:=(.*))?$/s;

/** `sudo -D / rm -rf etc` becomes `(cd / && sudo rm -rf etc)`. */
function inFolder({ pos, end, name, prefix, args }: Command, definitions: Definitions): Instead | undefined {
  if (!startsInFolder.test(wordText(name) ?? '')) {
    // Git takes its folder from a variable.
    const tree = prefix.flatMap((part) =>
      part.type === 'Assignment' && part.name === 'GIT_WORK_TREE' ? [part.text] : [],
    )[0];
    const isGiven = args.some(({ text }) => text.startsWith('--work-tree'));
    const exported = definitions.valuesOf('GIT_WORK_TREE', undefined)?.at(-1)?.[0];
    if ((tree ?? exported) === undefined || isGiven || wordText(name) !== 'git') return undefined;
    return {
      pos: name!.pos,
      end: name!.end,
      text: `git --work-tree${tree?.slice('GIT_WORK_TREE'.length) ?? `=${asWord(exported!)}`}`,
    };
  }
  const words = args.map((word) => ('text' in word ? word.text : ''));
  const at = words.findIndex((text) => folderOption.test(text));
  const glued = folderOption.exec(words[at] ?? '')?.[1];
  const folder = glued ?? words[at + 1];
  if (at < 0 || folder === undefined) return undefined;
  const rest = words.filter((_, index) => index < at || index > (glued === undefined ? at + 1 : at));
  return { pos, end, text: inShell(`cd ${folder}\n${[name!.text, ...rest].join(' ')}`) };
}

const inShell = (text: string): string => `( ${text}\n)`;
const inThisShell = (text: string): string => `{ ${text}\n}`;

/** A command that may run a text. */
class TextRun {
  constructor(
    private readonly command: Command,
    private readonly name: string,
    private readonly input: string | undefined,
    private readonly definitions: Definitions,
  ) {}

  /** Returns the text, as a command; undefined if the command runs none, or it is not known. */
  text(): string | undefined {
    const { name, input, command } = this;
    const words = plainArguments(command.args);
    if (name === 'eval') return words?.length ? inThisShell(words.join(' ')) : undefined;
    if (name === 'trap') return words && words.length > 1 && !/^-?$/.test(words[0]!) ? inShell(words[0]!) : undefined;
    if (name === 'source' || name === '.') return this.ofFile(0, inThisShell);
    if (startsForInput.test(name)) return this.forInput(words);
    if (takesCode.test(name)) return words && (withArguments(name, words) ?? withCode(name, words, input));
    const written = this.definitions.files.get(withoutDotSlash(name));
    if (written !== undefined) return this.started(knownArguments(command.args), written);
    if (shell.test(name)) return this.ofShell(-1);
    if (!transparent.test(name)) return undefined;
    const at = command.args.findIndex((word) => word.type === 'Word' && shell.test(wordText(word) ?? ''));
    return at < 0 ? undefined : this.ofShell(at);
  }

  /** `xargs` and `parallel`, whose input may be a file or the words after `:::`. */
  private forInput(words: readonly string[] | undefined): string | undefined {
    const at = this.command.args.findIndex(({ text }) => /^(?:-a|--arg-file(?:=.*)?)$/s.test(text));
    const word = this.command.args[at];
    if (word?.type === 'Word') {
      const isGlued = word.text.startsWith('--arg-file=');
      const rest = this.command.args.filter((_, index) => index < at || index > (isGlued ? at : at + 1));
      const others = plainArguments(rest);
      return others && this.ofFile(isGlued ? at : at + 1, (input) => withInput(others, input) ?? '', '--arg-file=');
    }
    const list = words?.indexOf(':::') ?? -1;
    if (words && list >= 0) return withInput(words.slice(0, list), words.slice(list + 1).join('\n'));
    return words && this.input !== undefined ? withInput(words, this.input) : undefined;
  }

  /** `at`: index of the name of the shell in the arguments. */
  private ofShell(at: number): string | undefined {
    const { command, input } = this;
    const words = command.args.slice(at + 1);
    const texts = words.map((word) => (word.type === 'Word' ? wordText(word) : undefined));
    const option = texts.findIndex((text) => text !== undefined && /^-[a-zA-Z]*c$/.test(text));
    if (option >= 0) {
      const text = texts[option + 1];
      const [zeroth, ...given] = knownArguments(words.slice(option + 2));
      const whole = zeroth === undefined ? text : text?.replaceAll('$0', asWord(zeroth));
      return whole === undefined ? undefined : this.started(given, whole, at);
    }
    const readsInput = texts.some((text) => text !== undefined && /^-[a-zA-Z]*s$/.test(text));
    const operand = words.findIndex((_, nth) => texts[nth] === undefined || !/^-/.test(texts[nth]));
    const given = operand < 0 ? [] : knownArguments(words.slice(operand));
    if (operand >= 0 && !readsInput)
      return this.ofFile(at + 1 + operand, (text) => this.started(given.slice(1), text, at));
    return input === undefined ? undefined : this.started(given, input, at);
  }

  /** Text that runs with arguments, and with the variables set before the command. */
  private started(words: readonly string[], text: string, at = -1): string {
    const { prefix, args } = this.command;
    const variables = [
      ...prefix.flatMap((part) => (part.type === 'Assignment' ? [part.text] : [])),
      ...args.slice(0, Math.max(at, 0)).flatMap((word) => (/^\w+=/.test(word.text) ? [word.text] : [])),
    ];
    const given = words.length > 0 ? [`set -- ${words.map(quoted).join(' ')}`] : [];
    return inShell([...variables, ...given, text].join('\n'));
  }

  /** A file that the line writes, what a substitution prints, or the input. */
  private ofFile(at: number, run: (text: string) => string, prefix = ''): string | undefined {
    const word = this.command.args[at];
    if (word?.type !== 'Word') return undefined;
    const part = word.parts?.find(({ type }) => type === 'ProcessSubstitution');
    if (part?.type === 'ProcessSubstitution') {
      const printed = part.script && printedBy(part.script);
      return printed === undefined ? undefined : run(printed);
    }
    const file = wordText(word)?.replace(prefix, '');
    if (file === undefined) return undefined;
    const text = /^(?:\/dev\/(?:stdin|fd\/0)|-)$/.test(file)
      ? this.input
      : this.definitions.files.get(withoutDotSlash(file));
    return text === undefined ? undefined : run(text);
  }
}

/** Returns the command that `xargs` starts with the words of its input. */
function withInput(words: readonly string[], input: string): string | undefined {
  let at = 0;
  let replaced: string | undefined;
  for (; at < words.length && /^-./.test(words[at]!); at++) {
    const [, glued] = /^-[Ii](.*)$/.exec(words[at]!) ?? [];
    if (glued !== undefined) replaced = glued || words[++at];
    else if (/^-[nLPsdEa]$/.test(words[at]!)) at++;
  }
  const command = words.slice(at);
  if (replaced === undefined && command.some((word) => word.includes('{}'))) replaced = '{}';
  if (command.length === 0) return undefined;
  // A shell reads the only word of a template.
  const text = (word: string): string => (command.length === 1 && /\s/.test(word) ? word : asWord(word));
  const items = input.split(replaced === undefined ? /[\s\0]+/ : /[\n\0]+/).filter(Boolean);
  if (replaced === undefined) return [...command, ...items].map(asWord).join(' ');
  return items.map((item) => command.map((word) => text(word.replaceAll(replaced, item))).join(' ')).join('\n');
}

/** Returns an interpreter with its input as code. */
function withCode(name: string, words: readonly string[], input: string | undefined): string | undefined {
  if (input === undefined || words.some((word) => word !== '-')) return undefined;
  const option = /php$/.test(name) ? '-r' : '-e';
  return `${name} ${/python[\d.]*$/.test(name) ? '-c' : option} ${quoted(input)}`;
}

/** How code refers to the words after it. In Python, PHP and Node the first has the number 1. */
const argument = /(?:sys\.|process\.)?(?:\$?argv|\$?ARGV)\[(\d)\]/g;

/** Returns an interpreter with the words after its code in the code. */
function withArguments(name: string, [option, code, ...words]: readonly string[]): string | undefined {
  if (code === undefined || words.length === 0 || !/^-[cepEr]$/.test(option ?? '')) return undefined;
  const first = /(?:perl|ruby)$/.test(name) ? 0 : 1;
  const whole = code.replace(argument, (written, at: string, index: number) => {
    const word = words[Number(at) - first];
    if (word === undefined) return written;
    const isInText = code.slice(0, index).split('"').length % 2 === 0;
    return isInText ? word : `"${word}"`;
  });
  return whole === code ? undefined : `${name} ${option} ${quoted(whole)}`;
}
