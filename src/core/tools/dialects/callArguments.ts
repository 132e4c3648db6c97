import { plainName } from '../../text/fields';

interface Given {
  readonly name: string;
  readonly value: unknown;
}

/**
 * The arguments of a call while they are read. Whoever reads takes each argument by the names that
 * agents have for it; what nobody took is strange. Capitals, `_` and `-` in names do not count, and
 * null means that an argument is not given.
 */
export class CallArguments {
  /** Why the call cannot be carried out, in words for the model. */
  readonly refusals: string[] = [];
  private readonly taken = new Set<string>();
  private readonly within = new Set<string>();
  /** By plain name. Two arguments may have the same: `file_path` and `filePath`. */
  private readonly given = new Map<string, Given[]>();

  /** `called`: the name of the tool, as the model wrote it. */
  constructor(
    readonly called: string,
    input: Readonly<Record<string, unknown>>,
  ) {
    for (const [name, value] of Object.entries(input)) {
      if (value === undefined || value === null) continue;
      const key = keyOf(name);
      this.given.set(key, [...(this.given.get(key) ?? []), { name, value }]);
    }
  }

  /**
   * The value under the first of the names that is given. Other values under the rest of the names
   * are refused: it is not clear which counts.
   */
  take(...names: readonly string[]): unknown {
    const found = this.under(names);
    for (const { name } of found) this.taken.add(name);
    const [first, ...others] = found;
    const another = others.find(({ value }) => JSON.stringify(value) !== JSON.stringify(first!.value));
    if (another) this.refuse(`${first!.name} and ${another.name} are both given and say different things`);
    return first?.value;
  }

  /** A text. */
  text(...names: readonly string[]): unknown {
    return this.take(...names);
  }

  /** A number, also where it is written as text. */
  number(...names: readonly string[]): unknown {
    const value = this.take(...names);
    return typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  }

  /** A truth value, also where it is written as text. */
  flag(...names: readonly string[]): unknown {
    const value = this.take(...names);
    if (typeof value !== 'string') return value;
    const word = value.trim().toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : value;
  }

  /** The value under the first of the names that is given; it stays to be taken. */
  peek(...names: readonly string[]): unknown {
    return this.under(names)[0]?.value;
  }

  has(...names: readonly string[]): boolean {
    return names.some((name) => this.given.has(keyOf(name)));
  }

  /** Arguments that change nothing here, whatever they say. */
  ignore(...names: readonly string[]): void {
    for (const { name } of this.under(names)) this.taken.add(name);
  }

  /** Arguments that Waymark cannot carry out; those that are off or empty ask for nothing. */
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

  private under(names: readonly string[]): Given[] {
    const keys = new Set(names.map(keyOf));
    return [...keys].flatMap((key) => this.given.get(key) ?? []);
  }

  refuse(words: string): void {
    this.refusals.push(words);
  }

  /** Counts the arguments within an argument, of an edit in a list, as well. */
  alsoUnderstood(within: CallArguments): void {
    for (const name of within.understood) this.within.add(name);
  }

  /** Names that were understood. */
  get understood(): readonly string[] {
    return [...this.taken, ...this.within];
  }

  /** Names that nobody took. */
  get strange(): readonly string[] {
    return [...this.given.values()]
      .flat()
      .map(({ name }) => name)
      .filter((name) => !this.taken.has(name));
  }
}

/** `-i` and `-n` are flags of their own: only names of more than one letter lose their signs. */
const keyOf = (name: string): string => (/^-\w$/.test(name) ? name : plainName(name));
