import { plainName } from '../../text/looseFields';

interface GivenArgument {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Arguments of a call while they are read. A reader takes each argument under all the names that agents use for it;
 * arguments that nobody took are unknown. Case, `_` and `-` in names are ignored, and null means "not given".
 */
export class CallArguments {
  /** Reasons why the call cannot be carried out, worded for the model. */
  readonly refusals: string[] = [];
  private readonly taken = new Set<string>();
  private readonly within = new Set<string>();
  /** Arguments by normalized name. Two arguments may share one: `file_path` and `filePath`. */
  private readonly byName = new Map<string, GivenArgument[]>();

  /** `called` is the tool name as the model wrote it. */
  constructor(
    readonly called: string,
    input: Readonly<Record<string, unknown>>,
  ) {
    for (const [name, value] of Object.entries(input)) {
      if (value === undefined || value === null) continue;
      const key = argumentKey(name);
      this.byName.set(key, [...(this.byName.get(key) ?? []), { name, value }]);
    }
  }

  /**
   * Returns the value under the first of the names that is given. Conflicting values under the other names are refused
   * as ambiguous.
   */
  take(...names: readonly string[]): unknown {
    const found = this.under(names);
    for (const { name } of found) this.taken.add(name);
    const [first, ...others] = found;
    const another = others.find(({ value }) => JSON.stringify(value) !== JSON.stringify(first!.value));
    if (another) this.refuse(`${first!.name} and ${another.name} are both given and differ`);
    return first?.value;
  }

  /** Takes a string argument. */
  text(...names: readonly string[]): unknown {
    return this.take(...names);
  }

  /** Takes a number argument, also if it is written as a string. */
  number(...names: readonly string[]): unknown {
    const value = this.take(...names);
    return typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  }

  /** Takes a boolean argument, also if it is written as a string. */
  flag(...names: readonly string[]): unknown {
    const value = this.take(...names);
    if (typeof value !== 'string') return value;
    const word = value.trim().toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : value;
  }

  /** Returns the value under the first of the names that is given, without taking it. */
  peek(...names: readonly string[]): unknown {
    return this.under(names)[0]?.value;
  }

  has(...names: readonly string[]): boolean {
    return names.some((name) => this.byName.has(argumentKey(name)));
  }

  /** Accepts and ignores arguments that have no effect here. */
  ignore(...names: readonly string[]): void {
    for (const { name } of this.under(names)) this.taken.add(name);
  }

  /** Refuses arguments that Waymark does not support, unless their value is off or empty. */
  cannot(why: string, ...names: readonly string[]): void {
    for (const entry of this.under(names)) {
      if (this.taken.has(entry.name)) continue;
      this.taken.add(entry.name);
      const asksNothing =
        entry.value === false ||
        entry.value === 0 ||
        entry.value === '' ||
        (Array.isArray(entry.value) && entry.value.length === 0);
      if (!asksNothing) this.refuse(`${entry.name} cannot be used here: ${why}`);
    }
  }

  private under(names: readonly string[]): GivenArgument[] {
    const keys = new Set(names.map(argumentKey));
    return [...keys].flatMap((key) => this.byName.get(key) ?? []);
  }

  refuse(words: string): void {
    this.refusals.push(words);
  }

  /** Also counts nested arguments as understood, such as those of an edit in a list. */
  alsoUnderstood(within: CallArguments): void {
    for (const name of within.understood) this.within.add(name);
  }

  /** Names of the arguments that were understood. */
  get understood(): readonly string[] {
    return [...this.taken, ...this.within];
  }

  /** Names of the arguments that nobody took. */
  get unknown(): readonly string[] {
    return [...this.byName.values()]
      .flat()
      .map(({ name }) => name)
      .filter((name) => !this.taken.has(name));
  }
}

/** `-i` and `-n` are distinct flags: separators are only removed from names longer than one letter. */
const argumentKey = (name: string): string => (/^-\w$/.test(name) ? name : plainName(name));
