/** What a part of package.json makes other programs run. */
export interface RunField {
  /** Its place: `bin`, or with dots `pnpm.onlyBuiltDependencies`. */
  readonly field: string;
  /** What it decides, to go behind "which says". */
  readonly says: string;
  /** It runs without anybody naming it: asked about in every mode. */
  readonly byItself?: true;
}

const runs = (says: string, fields: string, byItself?: true): RunField[] =>
  fields.split(' ').map((field) => ({ field, says, ...(byItself && { byItself }) }));

/** The parts beside `scripts`. All others are settings like those of any file. */
const fields: readonly RunField[] = [
  ...runs('which of its files others run by a name', 'bin directories.bin'),
  ...runs('what scripts and the tools they run are given as settings', 'config'),
  ...runs('which package manager is downloaded and run', 'packageManager devEngines'),
  ...runs(
    'what runs when something is committed or pushed',
    'husky gitHooks simple-git-hooks pre-commit pre-push ghooks yorkie lint-staged',
    true,
  ),
  ...runs(
    'whose install scripts run',
    'trustedDependencies allowScripts lavamoat dependenciesMeta pnpm.onlyBuiltDependencies pnpm.neverBuiltDependencies pnpm.onlyBuiltDependenciesFile pnpm.dangerouslyAllowAllBuilds pnpm.allowBuilds',
    true,
  ),
];

/** Scripts that npm and its kin run when packages are installed, packed or published. */
const byThemselves =
  /^((pre|post)?(install|uninstall|prepare|publish|pack|version|shrinkwrap)|prepublishOnly|preprepare|postprepare|dependencies)$/;

const runsByItself = (script: string): boolean => byThemselves.test(script);

/**
 * The parts of a package.json that run or are obeyed when packages are installed, without its install scripts, which
 * are known by their
 * names: as a text that changes when they do, undefined where there are none. What cannot be read decides as a whole.
 */
export function byThemselvesIn(text: string): string | undefined {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest;
  } catch {
    return text;
  }
  const deciding = fields
    .filter(({ byItself }) => byItself)
    .map(({ field }) => [field, at(manifest, field)] as const)
    .filter(([, value]) => value !== undefined);
  return deciding.length > 0 ? JSON.stringify(deciding) : undefined;
}

type Manifest = Readonly<Record<string, unknown>>;

/** One difference between two package.json that matters. `now` is absent where it is gone. */
export interface RunChange {
  readonly field: string;
  readonly script?: string;
  readonly verb: 'adds' | 'changes' | 'takes away';
  readonly now?: unknown;
  readonly says?: string;
  readonly byItself: boolean;
}

/** What of the parts that make others run something is another than it was. */
export function runChanges(before: Manifest, after: Manifest): RunChange[] {
  const [old, now] = [scriptsIn(before), scriptsIn(after)];
  const scripts = [...new Set([...Object.keys(old), ...Object.keys(now)])].map((script) => ({
    script,
    field: `scripts.${script}`,
    was: own(old, script),
    is: own(now, script),
    byItself: runsByItself(script),
  }));
  const others = fields.map(({ field, says, byItself }) => ({
    field,
    says,
    was: at(before, field),
    is: at(after, field),
    byItself: byItself ?? false,
  }));
  return [...scripts, ...others]
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is))
    .map(({ was, is, ...rest }) => ({
      ...rest,
      verb: verbOf(was, is),
      ...(is !== undefined && { now: is }),
    }));
}

function verbOf(was: unknown, is: unknown): 'adds' | 'takes away' | 'changes' {
  if (was === undefined) return 'adds';
  return is === undefined ? 'takes away' : 'changes';
}

/** What setting or deleting the part at `path` (`scripts.test`, `bin`, `pnpm`) touches; nothing for plain settings. */
export function fieldsAt(
  path: string,
): { readonly script?: string; readonly field: string; readonly says?: string; readonly byItself: boolean }[] {
  const plain = path.replace(
    /\[([^[\]]*)\]/g,
    (_whole, inner: string) => `.${inner.trim().replace(/^["']|["']$/g, '')}`,
  );
  const script = /^scripts(?:\.(.+))?$/s.exec(plain);
  if (script)
    return [
      {
        field: plain,
        byItself: script[1] === undefined || runsByItself(script[1]),
        ...(script[1] !== undefined && { script: script[1] }),
      },
    ];
  return fields
    .filter(({ field }) => plain === field || plain.startsWith(`${field}.`) || field.startsWith(`${plain}.`))
    .map(({ field, says, byItself }) => ({ field, says, byItself: byItself ?? false }));
}

const verbs = ['adds', 'changes', 'takes away'] as const;

/** The changes in the order of the reasons. */
export function byWeight(changes: readonly RunChange[]): RunChange[] {
  const rank = ({ script, verb, byItself }: RunChange): number =>
    script === undefined ? 6 : verbs.indexOf(verb) * 2 + (byItself ? 0 : 1);
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

/** What a person reads: one sentence per kind of change, naming the scripts. */
export function changeReasons(path: string, changes: readonly RunChange[]): string[] {
  const named = (verb: RunChange['verb'], byItself: boolean): string[] =>
    changes
      .filter((one) => one.script !== undefined && one.verb === verb && one.byItself === byItself)
      .map(({ script }) => `“${script}”`);
  const sentences = verbs.flatMap((verb) =>
    [true, false].flatMap((byItself) => {
      const names = named(verb, byItself);
      if (names.length === 0) return [];
      const list = names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ');
      const scripts = names.length > 1 ? 'scripts' : 'script';
      const run = names.length > 1 ? 'run by themselves' : 'runs by itself';
      const when = byItself ? `, which ${run} when packages are installed or published` : '';
      return [`It ${verb} the ${scripts} ${list} of ${path}${when}.`];
    }),
  );
  return [
    ...sentences,
    ...changes
      .filter(({ script }) => script === undefined)
      .map(({ verb, field, says }) => `It ${verb} “${field}” in ${path}, which says ${says}.`),
  ];
}

function scriptsIn({ scripts }: Manifest): Manifest {
  return typeof scripts === 'object' && scripts !== null ? (scripts as Manifest) : {};
}

const own = (part: Manifest, name: string): unknown => (Object.hasOwn(part, name) ? part[name] : undefined);

function at(manifest: Manifest, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>(
      (part, name) => (typeof part === 'object' && part !== null ? own(part as Manifest, name) : undefined),
      manifest,
    );
}
