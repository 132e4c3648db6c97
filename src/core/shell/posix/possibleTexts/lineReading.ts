import type { Command, CommandNode, HereDoc, ParsedScript, Pipeline, Redirected, Script, Word, WordPart } from 'unbash';
import { definesValues, Definitions, type Around } from './definitions';
import { commandInstead, shell, startsForInput, takesCode } from './commandInstead';
import { inputOf, printedBy } from './printedText';
import { wordText, wordTexts, quoted } from './plainWords';

/** Where an expansion is: this decides how its value is written there. */
type Quoting = 'separate words' | 'one word' | 'double quotes' | 'here-document';

/** An expansion in the line. */
export interface Expansion {
  readonly part: WordPart;
  readonly quoting: Quoting;
  /** The quotation that contains nothing else. */
  readonly alone?: WordPart;
  /** True if a variable may get its value. */
  readonly defines: boolean;
  readonly around: Around;
}

/** A part of the text, and what may stand there instead. */
export interface Edit {
  readonly pos: number;
  readonly end: number;
  readonly texts: readonly string[];
}

/** Parts of a compound command, each of which is a node or a list of nodes. */
type SomeNode = { readonly type: string };

const isNode = (value: unknown): value is SomeNode =>
  typeof value === 'object' && value !== null && typeof (value as SomeNode).type === 'string';

/** Collects what a line gives its variables, the expansions in it, and the commands that run other text of the line. */
export class LineReading {
  readonly definitions = new Definitions();
  readonly expansions: Expansion[] = [];
  /** Commands that run text, each with that text in its place. */
  readonly commands: Edit[] = [];
  private readonly hereDocuments: HereDoc[] = [];

  constructor(
    private readonly text: string,
    script: ParsedScript,
  ) {
    this.script(script, { frame: undefined, input: undefined });
    this.removeHereDocuments();
  }

  /** The text of a here-document follows its command. It goes with the command. */
  private removeHereDocuments(): void {
    for (const { pos, end } of [...this.commands])
      for (const { pos: operator, body, closing } of this.hereDocuments)
        if (operator >= pos && operator < end && body.pos >= end)
          this.commands.push({ pos: body.pos, end: closing?.end ?? body.end, texts: [''] });
  }

  private script(script: Script, around: Around): void {
    for (const statement of script.commands) this.node(statement, around);
  }

  private node(node: SomeNode, around: Around): void {
    switch (node.type) {
      case 'Command':
        return this.command(node as Command, around);
      case 'Pipeline':
        return this.pipeline(node as Pipeline, around);
      case 'Redirected':
        return this.redirected(node as Redirected, around);
      case 'Word':
        return this.word(node as Word, 'separate words', { around, defines: false });
      case 'For':
      case 'Select': {
        const loop = node as Extract<CommandNode, { type: 'For' | 'Select' }>;
        this.loop(loop, around);
        return this.node(loop.body, around);
      }
      case 'Function': {
        const definition = node as Extract<CommandNode, { type: 'Function' }>;
        this.definitions.functions.set(definition.name.text, definition);
        return this.node(definition.body, { ...around, frame: definition });
      }
    }
    for (const value of Object.values(node))
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) this.node(each, around);
  }

  /** `for name in words`; without words, the loop is over the arguments. */
  private loop({ name, wordlist }: Extract<CommandNode, { type: 'For' | 'Select' }>, around: Around): void {
    if (!wordlist) this.definitions.overArguments(name.value, around.frame);
    for (const word of wordlist ?? [])
      for (const text of wordTexts(word) ?? []) this.definitions.define(name.value, [text]);
    for (const word of wordlist ?? []) this.word(word, 'separate words', { around, defines: true });
  }

  private command(command: Command, around: Around): void {
    this.definitions.read(command, around);
    const instead = commandInstead(command, around, this.definitions);
    if (instead) this.commands.push({ ...instead, texts: [instead.text] });
    const defines =
      definesValues.test(command.name?.text ?? '') || this.definitions.functions.has(command.name?.text ?? '');
    const inCommand = { around, defines };
    for (const part of command.prefix) if (part.type === 'Assignment') this.assignment(part, around);
    if (command.name) this.word(command.name, 'separate words', inCommand);
    for (const argument of command.args) if (argument.type === 'Word') this.linked(argument, command);
    for (const argument of command.args)
      if (argument.type === 'Word') this.word(argument, 'separate words', inCommand);
      else this.assignment(argument, around);
    for (const redirect of command.redirects) this.redirection(redirect, inCommand);
  }

  /** `x/etc` stands for `/etc` after `ln -s / x`, and so does `x` for `cd`. */
  private linked({ pos, text }: Word, { name }: Command): void {
    const { links } = this.definitions;
    if (links.size === 0 || /^(?:ln|mount)$/.test(name?.text ?? '')) return;
    const [start = '', dot = '', path = ''] = /^(\.\/)?([^'"$`*?[{]+)/.exec(text) ?? [];
    for (const [link, target] of links) {
      const isWhole = path === link && start === text && /^(?:cd|pushd)$/.test(name?.text ?? '');
      if (!isWhole && !path.startsWith(`${link}/`)) continue;
      const end = pos + dot.length + link.length;
      this.commands.push({ pos, end, texts: [isWhole ? target : target.replace(/(?<!\/)\/$/, '')] });
      return;
    }
  }

  private assignment({ value }: Extract<Command['prefix'][number], { type: 'Assignment' }>, around: Around): void {
    if (value.type === 'Word') this.word(value, 'one word', { around, defines: true });
    else for (const word of value.elements) this.word(word, 'separate words', { around, defines: true });
  }

  private redirection(redirect: Command['redirects'][number], inside: Pick<Expansion, 'around' | 'defines'>): void {
    if (redirect.type !== 'HereDoc') {
      if (redirect.target) this.word(redirect.target, 'one word', inside);
      return;
    }
    this.hereDocuments.push(redirect);
    if (!redirect.delimiter?.quoted) this.parts(redirect.body.parts ?? [], 'here-document', inside);
  }

  private redirected({ command, redirects }: Redirected, around: Around): void {
    for (const redirect of redirects) this.redirection(redirect, { around, defines: true });
    this.node(command, { ...around, input: inputOf(redirects) ?? around.input });
  }

  /** What a stage prints becomes the input of the next one. */
  private pipeline({ commands, end }: Pipeline, around: Around): void {
    const { functions } = this.definitions;
    let input = around.input;
    for (const [at, stage] of commands.entries()) {
      this.node(stage, { ...around, input });
      input = printedBy(
        { commands: [{ ...statement, command: stage, pos: stage.pos, end: stage.end }] },
        input,
        functions,
      );
      const next = commands[at + 1];
      if (input === undefined || !next) return;
      if (!readsInput(next)) continue;
      const rest = this.text.slice(commands[at + 2]?.pos ?? end, end);
      const given = `${this.text.slice(next.pos, next.end)} <<< ${quoted(input.replace(/\n$/, ''))}`;
      this.commands.push({ pos: commands[0]!.pos, end, texts: [rest === '' ? given : `${given} | ${rest}`] });
      return;
    }
  }

  private word(word: Word, quoting: Quoting, inside: Pick<Expansion, 'around' | 'defines'>): void {
    this.parts(word.parts ?? [], quoting, inside);
  }

  private parts(
    parts: readonly WordPart[],
    quoting: Quoting,
    inside: Pick<Expansion, 'around' | 'defines'>,
    alone?: WordPart,
  ): void {
    for (const part of parts) {
      if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
        const isAlone = part.parts.length === 1 && quoting === 'separate words';
        this.parts(part.parts, 'double quotes', inside, isAlone ? part : undefined);
      } else if (
        part.type === 'SimpleExpansion' ||
        part.type === 'ParameterExpansion' ||
        part.type === 'CommandExpansion'
      ) {
        this.expansions.push({ part, quoting, ...inside, ...(alone && { alone }) });
      }
      this.nested(part, inside);
    }
  }

  /** Positions in a script between escaped backticks are those of another text. */
  private nested(part: WordPart, { around }: Pick<Expansion, 'around'>): void {
    const isScript = part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution';
    if (isScript && part.script && part.script.source === undefined) this.script(part.script, around);
    if (part.type !== 'ParameterExpansion' || part.operation?.type !== 'Default') return;
    const { operator, operand } = part.operation;
    const text = wordText(operand);
    if (operator.includes('=') && text !== undefined) this.definitions.define(part.parameter, [text]);
    this.word(operand, 'one word', { around, defines: true });
  }
}

const statement = { type: 'Statement', background: undefined } as const;

const readsLines = /^(?:.*\/)?(?:source|\.|read|mapfile|readarray|tee)$/;

/** Returns whether a stage of a pipeline uses its input for more than to print it. */
function readsInput(node: CommandNode): boolean {
  if (node.type !== 'Command') return true;
  const name = node.name?.text ?? '';
  const isReader = [shell, startsForInput, takesCode, readsLines].some((pattern) => pattern.test(name));
  return isReader && !node.redirects.some(({ operator }) => operator.startsWith('<'));
}
