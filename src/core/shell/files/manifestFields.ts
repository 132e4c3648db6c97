/** A part of package.json that makes other programs run something. */
interface RunField {
  /** Its path: `bin`, or dotted, `pnpm.onlyBuiltDependencies`. */
  readonly field: string;
  /** What it decides, worded to follow "which says". */
  readonly says: string;
  /** It runs without being named. Requires approval in every mode. */
  readonly byItself?: true;
}

const runs = (says: string, fields: string, byItself?: true): RunField[] =>
  fields.split(' ').map((field) => ({ field, says, ...(byItself && { byItself }) }));

/** Fields besides `scripts`. All others are ordinary settings. */
const fields: readonly RunField[] = [
  ...runs('which of its files others run by name', 'bin directories.bin'),
  ...runs('which settings scripts and their tools get', 'config'),
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

/** Lifecycle scripts that npm and similar tools run when packages are installed, packed or published. */
const byThemselves =
  /^((pre|post)?(install|uninstall|prepare|publish|pack|version|shrinkwrap)|prepublishOnly|preprepare|postprepare|dependencies)$/;

const runsByItself = (script: string): boolean => byThemselves.test(script);

/**
 * Returns the fields of a package.json that run or are obeyed when packages are installed, as a text that changes when
 * they do. Returns undefined if there are none. Install scripts are excluded: they are known by their names. If the
 * file cannot be parsed, returns the whole text.
 */
export function selfRunningFields(text: string): string | undefined {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest;
  } catch {
    return text;
  }
  const deciding = fields
    .filter(({ byItself }) => byItself)
    .map(({ field }) => [field, fieldOf(manifest, field)] as const)
    .filter(([, value]) => value !== undefined);
  return deciding.length > 0 ? JSON.stringify(deciding) : undefined;
}

type Manifest = Readonly<Record<string, unknown>>;

/** A relevant difference between two versions of package.json. `now` is absent if the field was removed. */
export interface RunChange {
  readonly field: string;
  readonly script?: string;
  readonly verb: 'Adds' | 'Changes' | 'Removes';
  readonly now?: unknown;
  readonly says?: string;
  readonly byItself: boolean;
}

/** Returns the changes to fields that make other programs run something. */
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
    was: fieldOf(before, field),
    is: fieldOf(after, field),
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

function verbOf(was: unknown, is: unknown): 'Adds' | 'Removes' | 'Changes' {
  if (was === undefined) return 'Adds';
  return is === undefined ? 'Removes' : 'Changes';
}

/**
 * Returns the fields affected by setting or deleting `path` (`scripts.test`, `bin`, `pnpm`). Empty for ordinary
 * settings.
 */
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

const verbs = ['Adds', 'Changes', 'Removes'] as const;

/** Sorts the changes in the order of the reasons. */
export function sortByWeight(changes: readonly RunChange[]): RunChange[] {
  const rank = ({ script, verb, byItself }: RunChange): number =>
    script === undefined ? 6 : verbs.indexOf(verb) * 2 + (byItself ? 0 : 1);
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

/** Describes the changes for people: one sentence per kind of change, with the names of the scripts. */
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
      const run = names.length > 1 ? 'run automatically' : 'runs automatically';
      const when = byItself ? `, which ${run} when packages are installed or published` : '';
      return [`${verb} the ${scripts} ${list} of ${path}${when}.`];
    }),
  );
  return [
    ...sentences,
    ...changes
      .filter(({ script }) => script === undefined)
      .map(({ verb, field, says }) => `${verb} “${field}” in ${path}, which decides ${says}.`),
  ];
}

function scriptsIn({ scripts }: Manifest): Manifest {
  return typeof scripts === 'object' && scripts !== null ? (scripts as Manifest) : {};
}

const own = (part: Manifest, name: string): unknown => (Object.hasOwn(part, name) ? part[name] : undefined);

function fieldOf(manifest: Manifest, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>(
      (part, name) => (typeof part === 'object' && part !== null ? own(part as Manifest, name) : undefined),
      manifest,
    );
}
