import type { Assignment, Command, Function as FunctionNode } from 'unbash';
import { fileWritten, formatted, inputOf } from './printedText';
import { knownArguments, withoutDotSlash, wordText, wordTexts } from './plainWords';

/** The function whose body a part of the line belongs to; undefined outside of functions. */
export type FunctionFrame = FunctionNode | undefined;

/** What a part of the line is in. */
export interface Around {
  readonly frame: FunctionFrame;
  /** Text that it may read. */
  readonly input: string | undefined;
}

/** Maximum number of values of one variable. */
const maxValues = 24;

/**
 * Values that a line may give its variables, whatever runs first. Each value is a list of words: an array has several.
 */
export class Definitions {
  private readonly values = new Map<string, string[][]>();
  private readonly listsOf = new Map<FunctionFrame, string[][]>();
  private readonly shifting = new Set<FunctionFrame>();
  private readonly loops: { readonly name: string; readonly frame: FunctionFrame }[] = [];
  private readonly calls: { readonly name: string; readonly words: readonly string[] }[] = [];
  /** `declare -n name=other` */
  private readonly references = new Map<string, string>();
  readonly aliases = new Map<string, string>();
  /** Where links and mounts that the line creates lead, by their paths. Only absolute places. */
  readonly links = new Map<string, string>();
  readonly functions = new Map<string, FunctionNode>();
  /** Texts that the line writes, by file. */
  readonly files = new Map<string, string>();
  /** What `exec <` opened. */
  private inputOfLine: string | undefined;
  /** Characters besides white space that may separate words. */
  private separators = '';

  /** Returns the possible values of a variable; undefined if the line gives it none. */
  valuesOf(name: string, frame: FunctionFrame): readonly string[][] | undefined {
    if (/^[@*]$/.test(name)) return this.positional(frame);
    if (/^[1-9]\d*$/.test(name)) return this.positionalAt(Number(name) - 1, frame);
    const ofLoops = this.loops
      .filter((loop) => loop.name === name)
      .flatMap((loop) => (this.positional(loop.frame) ?? []).flatMap((list) => list.map((word) => [word])));
    const target = this.references.get(name);
    if (target !== undefined) return this.values.get(target);
    return ofLoops.length > 0 ? [...(this.values.get(name) ?? []), ...ofLoops] : this.values.get(name);
  }

  /** `for name; do` */
  overArguments(name: string, frame: FunctionFrame): void {
    this.loops.push({ name, frame });
  }

  private positional(frame: FunctionFrame): readonly string[][] | undefined {
    const own = this.listsOf.get(frame) ?? [];
    const given = frame ? this.calls.filter(({ name }) => name === frame.name.text).map(({ words }) => [...words]) : [];
    const lists = [...own, ...given];
    const left = this.shifting.has(frame) ? lists.flatMap((list) => list.map((_, at) => list.slice(at))) : lists;
    return left.length > 0 ? left.slice(0, maxValues) : undefined;
  }

  private positionalAt(index: number, frame: FunctionFrame): readonly string[][] | undefined {
    const words = (this.positional(frame) ?? []).flatMap((list) => (index < list.length ? [[list[index]!]] : []));
    return words.length > 0 ? words : undefined;
  }

  /** Splits the value of a variable as the shell does outside of quotation marks. */
  wordsIn(text: string): string[] {
    return [...this.separators].reduce((rest, sign) => rest.replaceAll(sign, ' '), text).split(/\s+/);
  }

  define(name: string, value: readonly string[]): void {
    const known = this.values.get(name) ?? [];
    if (known.length >= maxValues) return;
    this.values.set(name, [...known, [...value]]);
    if (name === 'IFS' && value[0] !== undefined) this.separators += value[0];
  }

  assign({ name, value, index, append }: Assignment): void {
    const before = this.values.get(name)?.at(-1) ?? [];
    if (value.type !== 'Word') {
      const words = knownArguments(value.elements).map((text) => text.replace(/^\[[^\]]*\]=/, ''));
      return this.define(name, append ? [...before, ...words] : words);
    }
    // Braces are not expanded here, but where the value is evaluated.
    const text = wordText(value) ?? (wordTexts(value) && value.text);
    if (text === undefined) return;
    if (index) this.define(name, [...before, text]);
    else this.define(name, append ? [(before[0] ?? '') + text] : [text]);
  }

  /** Records what a command gives to variables, and its words for a function of the line. */
  read(command: Command, around: Around): void {
    for (const part of command.prefix) if (part.type === 'Assignment') this.assign(part);
    const name = wordText(command.name);
    if (name === undefined) return;
    const written = fileWritten(command, around.input);
    if (written) this.files.set(withoutDotSlash(written.file), written.text);
    const own = inputOf(command.redirects);
    if (name === 'exec' && command.args.length === 0) this.inputOfLine = own ?? this.inputOfLine;
    this.call(name, command, { ...around, input: own ?? around.input ?? this.inputOfLine });
  }

  private call(name: string, command: Command, { frame, input }: Around): void {
    const words = knownArguments(command.args);
    switch (name) {
      case 'declare':
      case 'typeset':
      case 'local':
      case 'export':
      case 'readonly':
      case 'integer':
        return this.declare(command);
      case 'read':
        return this.readLines(words, input);
      case 'mapfile':
      case 'readarray':
        return this.readAll(words, input);
      case 'set':
        return this.setPositional(words, frame);
      case 'shift':
      case 'getopts':
        return void this.shifting.add(frame);
      case 'cd':
      case 'pushd':
        return this.define('OLDPWD', [words.at(-1) ?? '~']);
      case 'unset':
        return words.forEach((each) => this.define(each, ['']));
      case 'alias':
        return this.alias(words);
      case 'hash':
        return this.hash(words);
      case 'ln':
        return this.link(words, /^(?:-[a-rt-zA-Z]*s|--symbolic$)/);
      case 'mount':
        return this.link(words, /^(?:-B|-R|-o|--r?bind)$/);
      case 'printf':
        if (words[0] === '-v') return this.print(words.slice(1));
    }
    this.calls.push({ name, words });
  }

  private declare(command: Command): void {
    const isReference = command.args.some(({ text }) => /^-[a-zA-Z]*n/.test(text));
    for (const argument of command.args) {
      if (argument.type === 'Assignment' && isReference && argument.value.type === 'Word')
        this.references.set(argument.name, argument.value.text);
      else if (argument.type === 'Assignment') this.assign(argument);
      else if (/^\w+$/.test(argument.text)) this.define(argument.text, ['']);
    }
  }

  private readLines(words: readonly string[], input: string | undefined): void {
    if (input === undefined) return;
    const isList = words.some((word) => /^-[a-zA-Z]*a$/.test(word));
    const names = namesRead(words, /^-[a-zA-Z]*[dinNptu]$/);
    for (const line of linesOf(input)) {
      const fields = this.wordsIn(line.trim());
      if (isList) this.define(names[0] ?? 'REPLY', fields);
      else if (names.length < 2) this.define(names[0] ?? 'REPLY', [line.trim()]);
      else
        names.forEach((name, at) =>
          this.define(name, [at < names.length - 1 ? (fields[at] ?? '') : fields.slice(at).join(' ')]),
        );
    }
  }

  private readAll(words: readonly string[], input: string | undefined): void {
    if (input !== undefined) this.define(namesRead(words, /^-[a-zA-Z]*[cCdnOsu]$/)[0] ?? 'MAPFILE', linesOf(input));
  }

  private print([name, ...words]: readonly string[]): void {
    const text = formatted(words[0] === '--' ? words.slice(1) : words);
    if (name !== undefined && text !== undefined) this.define(name, [text]);
  }

  /** Options of `set` come before the words. */
  private setPositional(words: readonly string[], frame: FunctionFrame): void {
    const first = words.findIndex((word) => !/^[-+]./.test(word) || word === '--');
    if (first < 0) return;
    const list = words.slice(words[first] === '--' ? first + 1 : first);
    this.listsOf.set(frame, [...(this.listsOf.get(frame) ?? []), list]);
  }

  /** `hash -p /bin/rm ls` */
  private hash([option, program, name]: readonly string[]): void {
    if (option === '-p' && program !== undefined && name !== undefined) this.aliases.set(name, program);
  }

  /** `ln -s / x`, `mount --bind / x`. `option`: the option without which it creates no second path. */
  private link(words: readonly string[], option: RegExp): void {
    if (!words.some((word) => option.test(word))) return;
    const [target, name] = words.filter((word) => !word.startsWith('-') && !/^r?bind$/.test(word));
    if (target !== undefined && name !== undefined && /^[/~]/.test(target))
      this.links.set(withoutDotSlash(name).replace(/(?<=[^/])\/$/, ''), target);
  }

  private alias(words: readonly string[]): void {
    for (const word of words) {
      const [, name, text] = /^([\w.:-]+)=(.+)$/s.exec(word) ?? [];
      if (name !== undefined && text !== undefined) this.aliases.set(name, text);
    }
  }
}

/** Commands whose words become values of variables. */
export const definesValues =
  /^(?:declare|typeset|local|export|readonly|integer|read|mapfile|readarray|printf|set|cd|pushd|alias)$/;

const linesOf = (input: string): string[] => input.replace(/\n$/, '').split(/[\n\0]/);

/** Returns the operands of `read` and similar. `takesNext`: matches options whose value is the next word. */
function namesRead(words: readonly string[], takesNext: RegExp): string[] {
  return words.filter((word, at) => !word.startsWith('-') && !(at > 0 && takesNext.test(words[at - 1]!)));
}
