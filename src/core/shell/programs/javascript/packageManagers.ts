import { claim, type Claims, joinNames } from '../../calls/claims';
import { judgeByManual } from '../../calls/judgeByManual';
import { each, type Family, type Judge, type Manual, type Manuals } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { doubt, note, refuse, type Scope } from '../../effects/scope';
import { fieldsAt } from '../../files/manifestFields';
import { resolvePlace } from '../../syntax/place';
import { literal, type Value } from '../../syntax/value';
import { judgeNotSecret } from '../shared/asks';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import { alwaysNeedsApproval, strictReadingManual, runsProjectStrictly } from '../shared/kinds';
import { claimOfInstall, consentForPackage, runsPackage } from '../shared/packageClaims';
import { judgeNpmInstall, judgeNpmRun, judgeNpx } from '../shared/scripts';

/** Allows changing the version only without a commit and a tag. */
const judgeNpmVersion: Judge = ({ words, scope, whole }) => {
  if (words.length > 0 && !words.some(({ text }) => text === '--no-git-tag-version'))
    refuse(scope, whole, 'Creates a commit and a tag.');
  return undefined;
};

const byItself = (reason: string, culprit: string, scope: Scope): void => {
  scope.effects.push({ kind: 'other', level: 'high', guarded: true, reason, culprit });
};

function judgeField(path: string, value: Value, verb: 'Changes' | 'Removes', scope: Scope): void {
  for (const { field, script, says, byItself: always } of fieldsAt(path)) {
    const itself = always ? ', which runs automatically when packages are installed or published' : '';
    const others =
      says === undefined ? 'the scripts of package.json' : `“${field}” in package.json, which decides ${says}`;
    const what = script === undefined ? others : `the script “${script}” of package.json${itself}`;
    if (always && verb === 'Changes') byItself(`${verb} ${what}.`, value.source, scope);
    else refuse(scope, value.source, `${verb} ${what}.`);
  }
}

/**
 * Judges `npm pkg set FIELD=VALUE` and `npm pkg delete FIELD`. Fields that make other programs run something require
 * approval; others are ordinary settings.
 */
const judgePackageFields: Judge = ({ name, words, scope, whole }) => {
  const deletes = name.endsWith('delete');
  if (
    scope.cwd === undefined ||
    resolvePlace(literal('package.json'), scope.cwd, scope.context.workspace).where !== 'inside'
  )
    refuse(scope, whole, 'Changes package.json of another folder.');
  for (const word of words) {
    if (/^(--json|-s|--silent)$/.test(word.text)) continue;
    const path = deletes ? word.text : /^([^=]+)=/s.exec(word.text)?.[1];
    if (word.kind === 'unknown' || word.text.startsWith('-') || path === undefined) {
      doubt(scope, word.source, 'Changes a field of package.json that is not written out.');
      continue;
    }
    if (
      !deletes &&
      /^((dev|peer|optional)?dependencies|bundled?Dependencies|overrides|resolutions|pnpm\.overrides)\b/i.test(path)
    )
      refuse(scope, word.source, 'Declares another package, which the next installation downloads.');
    judgeField(path, word, deletes ? 'Removes' : 'Changes', scope);
  }
  if (!deletes) scope.written.set('package.json', undefined);
  note(scope, 'medium', whole, 'Changes package.json.');
  return 'done';
};

/** Judges `npm set-script NAME COMMAND`. */
const judgeSetScript: Judge = ({ words: [script], scope, whole }) => {
  if (script?.kind === 'literal') judgeField(`scripts.${script.text}`, script, 'Changes', scope);
  else doubt(scope, whole, 'Changes a script that is only known when it runs.');
  scope.written.set('package.json', undefined);
  return 'done';
};

interface Choice {
  readonly folders: Value[];
  readonly filters: string[];
  readonly rest: Value[];
}

const folderOption = /^(-C|--dir|--cwd|--prefix)(?:=(.+))?$/;

const filterOption = /^(-w|--workspace|-F|--filter|--filter-prod)(?:=(.+))?$/;

const everyOne = /^(-r|--recursive|--workspaces|-ws|--include-workspace-root|-iwr)$/;

/** Verbs after which options still belong to the package manager. */
const keepsOptions = /^(run|run-script|exec|test|t|ci|install|i|ls|outdated)$/;

/**
 * Handles options of package managers that choose a folder or packages of the workspace. They are removed, and the rest
 * is judged in each chosen folder. Packages that cannot be found are judged by the names of their scripts.
 */
const judgePackages: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const choice = chosen(name, name === 'yarn' ? plainYarn(words) : words);
  const { judge, ...table } = manual;
  if (choice.folders.length === 0 && choice.filters.length === 0) return undefined;
  if (choice.filters.some((filter) => /^[~/]|(^|\/)\.\.(\/|$)/.test(filter)))
    refuse(scope, whole, 'Runs code of another folder.');
  if (choice.rest.length === 0) {
    doubt(scope, whole, 'Runs something that is not written out.');
    return 'done';
  }
  const within = choice.folders.reduce<Scope>((at, folder) => inFolder(folder, at, whole), scope);
  const folders = choice.filters.length === 0 ? undefined : foldersOf(choice.filters, within);
  const { lookUp, ...nobodyLooks } = within.context;
  if (folders === undefined)
    judgeByManual({
      manual: table,
      name,
      words: choice.rest,
      scope: choice.filters.length === 0 ? within : { ...within, context: nobodyLooks },
      flow,
      whole,
    });
  else
    for (const folder of folders)
      judgeByManual({
        manual: table,
        name,
        words: choice.rest,
        scope: inFolder(literal(folder), within, whole),
        flow,
        whole,
      });
  return 'done';
};

/** `yarn workspace NAME …` and `yarn workspaces foreach … run …` express the same with words. */
function plainYarn(words: readonly Value[]): readonly Value[] {
  const [first, second, ...rest] = words;
  if (first?.text === 'workspace' && second?.kind === 'literal')
    return [literal(`--filter=${second.text}`, second.source), ...rest];
  if (first?.text !== 'workspaces') return words;
  if (second?.text === 'run') return [literal('-r'), literal('run'), ...rest];
  if (second?.text !== 'foreach') return words;
  const from = rest.findIndex(
    ({ text }) =>
      !/^(-[AaptivRW]+|--all|--parallel|--topological(-dev)?|--interlaced|--verbose|--worktree|--recursive|--no-private|-pt|-Apt)$/.test(
        text,
      ),
  );
  return from < 0 ? words : [literal('-r'), ...rest.slice(from)];
}

function chosen(name: string, words: readonly Value[]): Choice {
  const choice: Choice = { folders: [], filters: [], rest: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const last = choice.rest.at(-1);
    if (
      word.text === '--' ||
      word.kind === 'unknown' ||
      (name !== 'npm' && last && !last.text.startsWith('-') && !keepsOptions.test(last.text))
    ) {
      choice.rest.push(...words.slice(at));
      break;
    }
    // For pnpm, -w is the workspace root; for yarn, it means nothing.
    const filter = name === 'npm' || !word.text.startsWith('-w') ? filterOption.exec(word.text) : null;
    const folder = folderOption.exec(word.text);
    if (filter) choice.filters.push(filter[2] ?? words[++at]?.text ?? '');
    else if (folder && !(name === 'npm' && folder[1] === '-C'))
      choice.folders.push(folder[2] === undefined ? (words[++at] ?? literal('')) : { ...word, text: folder[2] });
    else if (
      everyOne.test(word.text) &&
      !/^(ls|list|ll|outdated|why|audit|licenses)$/.test(words.find(({ text }) => !text.startsWith('-'))?.text ?? '')
    )
      choice.filters.push('*');
    else choice.rest.push(word);
  }
  return choice;
}

function inFolder(folder: Value, scope: Scope, whole: string): Scope {
  const place = resolvePlace(folder, scope.cwd, scope.context.workspace);
  if (folder.kind !== 'literal' || place.where !== 'inside') refuse(scope, whole, 'Runs code of another folder.');
  return { ...scope, cwd: place.where === 'inside' && !place.glob ? place.path : undefined };
}

/** Returns the folders of the packages that the filters select, or undefined if they cannot be determined. */
function foldersOf(filters: readonly string[], scope: Scope): readonly string[] | undefined {
  if (scope.cwd === undefined || scope.context.lookUp === undefined) return undefined;
  const found = filters.map((filter) =>
    scope.context.lookUp!('packages', filter, scope.cwd!)?.text?.split('\n').filter(Boolean),
  );
  return found.every((folders) => folders !== undefined && folders.length > 0)
    ? [...new Set(found.flatMap((folders) => folders!))].slice(0, 20)
    : undefined;
}

const installs = {
  level: 'medium',
  judge: judgeNpmInstall,
  reason: 'Installs dependencies that the project already declares.',
  operands: [],
  others: 'high',
  furtherWords: consentForPackage,
} as const;

export const runsScript: Manual = { level: 'medium', judge: judgeNpmRun };

const isReadingVerb = [
  flags(`
      -g --global --json --long -l -a --all -p -w -r -s --non-recursive --recursive --workspaces
    `),
  values('--depth --format --sbom-format --level --audit-level --omit --include'),
  flags(`
      --prod --production --dev --parseable --silent --no-color --severity --compatible
    `),
  values('--groups --pattern --filter'),
];

const npmVerbs: Manuals = {
  ...each(
    `
      ls list ll la outdated why explain fund doctor query root prefix bin help help-search sbom
    `,
    {
      ...strictReadingManual,
      options: isReadingVerb,
    },
  ),
  ...each('view info show v', {
    ...strictReadingManual,
    options: [flags('--json --silent')],
    reason: 'Queries the registry.',
  }),
  audit: { level: 'low', operands: [], options: isReadingVerb },
  ...each('search find', { level: 'medium', reason: 'Queries the registry.', options: [flags('--json --long')] }),
  ...each('install i ci clean-install add install-clean', {
    ...installs,
    options: [
      flags(`
          --no-audit --no-fund --no-save --prefer-offline --offline --ignore-scripts --silent -s
          --production --frozen-lockfile --immutable --legacy-peer-deps --no-optional --no-progress
          --package-lock-only --prod --dev -D --verbose --prefer-frozen-lockfile
        `),
      values('--omit --include --progress --loglevel'),
      medium(flags('--no-frozen-lockfile')),
      high(flags('--force -f')),
    ],
  }),
  ...each('rebuild dedupe ddp prune', {
    ...installs,
    operands: { rest: 'text' },
    options: [flags('--dry-run --silent --check -c')],
  }),
  ...each('uninstall remove rm un r', {
    level: 'medium',
    reason: 'Removes packages.',
    operands: { rest: 'text' },
    options: [flags('-D --save-dev --save -S --no-save --silent')],
  }),
  ...each('run run-script rum', runsScript),
  ...each('test t tst start stop restart', runsScript),
  version: {
    level: 'medium',
    reason: 'Changes package.json.',
    operands: ['text'],
    options: [flags('--no-git-tag-version --allow-same-version --json')],
    judge: judgeNpmVersion,
  },
  pack: { level: 'medium', reason: 'Packs files.', operands: [], options: [flags('--dry-run --json --silent')] },
  ...each('exec x', { level: 'medium', judge: judgeNpx }),
  pkg: {
    level: 'low',
    verbs: {
      get: { ...strictReadingManual, options: [] },
      ...each('set delete', { level: 'medium', judge: judgePackageFields }),
      fix: { level: 'medium', reason: 'Changes package.json.', operands: [], options: [] },
    },
  },
  'set-script': { level: 'high', judge: judgeSetScript },
  init: { level: 'medium', reason: 'Writes package.json.', operands: [], options: [flags('-y --yes')] },
  config: {
    level: 'high',
    verbs: {
      ...each('list ls', {
        level: 'medium',
        reason: 'Shows the settings of npm.',
        operands: [],
        options: [flags('-l --long --json')],
      }),
      get: { level: 'low', operands: ['text'], options: [], judge: judgeNotSecret },
    },
  },
  cache: {
    level: 'high',
    verbs: { verify: { level: 'medium', reason: 'Checks the package cache.', operands: [] } },
  },
};

const version = [flags('--version -v -V --help -h --silent -s')];

const yarnVerbs: Manuals = {
  ...npmVerbs,
  ...each('test start dev build lint format check typecheck', runsScript),
  ...each('why licenses versions info', { ...strictReadingManual, options: isReadingVerb }),
  ...each('up upgrade upgrade-interactive policies plugin patch patch-commit', {
    level: 'high',
    reason: 'Changes which packages are installed.',
  }),
  dlx: { level: 'high', reason: 'Downloads and runs a package.' },
  store: { level: 'high', verbs: { ...each('path status', strictReadingManual) } },
  npm: {
    level: 'high',
    reason: 'Queries or publishes to the registry.',
    verbs: {
      ...each('audit info outdated', {
        ...strictReadingManual,
        options: [flags('--json --all --recursive'), values('--severity')],
      }),
    },
  },
  workspaces: { level: 'low', verbs: { ...each('list info', strictReadingManual) } },
};

const node: Claims = ({ program, plain: [verb, ...names], has }) => {
  const everywhere = has(/^(-g|--global|--location=global)$/);
  switch (verb) {
    case 'install':
    case 'i':
    case 'add':
    case 'update':
    case 'up':
    case 'upgrade':
    case 'link':
      if (names.length === 0 && !everywhere)
        return has(/^(-f|--force)$/)
          ? claim('installs', 'Installs packages despite conflicts between them.')
          : undefined;
      return claimOfInstall(names, everywhere);
    case 'global':
      return claimOfInstall(names.slice(1), true);
    case 'publish':
      return claim('sends', 'Publishes this package to the registry.');
    case 'unpublish':
      return claim('destroys', `Removes ${joinNames(names, 'this package')} from the registry.`);
    case 'deprecate':
    case 'dist-tag':
    case 'owner':
    case 'access':
    case 'team':
      return claim('changes', `Changes ${joinNames(names, 'this package')} on the registry.`);
    case 'login':
    case 'adduser':
    case 'token':
      return claim('leaks', `Uses or changes the credentials of ${program}.`);
    case 'dlx':
    case 'x':
    case 'exec':
    case 'create':
    case 'init':
      return runsPackage(names);
    case 'config':
    case 'set':
      return claim('changes', `Changes the settings of ${program}.`);
    case 'cache':
      return claim('unusual', `Changes the package cache of ${program}.`);
    default:
      return undefined;
  }
};

const npx: Claims = ({ plain }) => runsPackage(plain);

export const packageManagersFamily: Family = {
  programs: {
    ...each('rush lerna', {
      level: 'high',
      reason: 'Installs, runs or publishes packages.',
      declared: true,
      options: [flags('--version')],
      verbs: {
        ...each('list ls changed diff info', {
          ...strictReadingManual,
          options: [flags('--json -a --all -l --long'), values('--since')],
        }),
        ...each('build rebuild test lint', runsProjectStrictly),
        run: { level: 'medium', judge: judgeNpmRun },
      },
    }),
    ...each('npm-check-updates ncu npm-check updates', {
      level: 'low',
      declared: true,
      operands: { rest: 'text' },
      options: [
        values('--filter -f --reject -x -t --target --dep'),
        flags('--version --deep'),
        medium(flags('-u --upgrade')),
      ],
    }),
    npm: {
      level: 'high',
      reason: 'Installs or publishes packages.',
      judge: judgePackages,
      options: version,
      verbs: npmVerbs,
    },
    pnpm: {
      level: 'high',
      reason: 'Installs or publishes packages.',
      judge: judgePackages,
      options: [
        ...version,
        flags(`
        -w --workspace-root --stream --parallel --no-bail --aggregate-output --if-present
      `),
        values('--reporter'),
      ],
      verbs: yarnVerbs,
      bare: { level: 'medium', judge: judgeNpx },
    },
    yarn: {
      level: 'medium',
      reason: 'Installs dependencies that the project already declares.',
      judge: judgePackages,
      options: [...version, flags('--frozen-lockfile --immutable --offline --prefer-offline')],
      verbs: yarnVerbs,
      bare: { level: 'medium', judge: judgeNpx },
    },
    bun: {
      level: 'high',
      judge: judgePackages,
      options: [...version, flags('--bun')],
      verbs: {
        ...npmVerbs,
        pm: { level: 'high', verbs: { ...each('ls bin cache hash', strictReadingManual), pkg: npmVerbs['pkg']! } },
        test: runsScript,
        build: {
          level: 'medium',
          reason: 'Writes build output.',
          operands: { rest: 'read' },
          options: [
            flags('--minify'),
            values('--target'),
            optionalValues('--sourcemap'),
            takes('write', '--outdir --outfile'),
          ],
        },
      },
    },
    ...each('npx bunx', { level: 'medium', judge: judgeNpx }),
    corepack: { level: 'high', reason: 'Downloads package managers.', options: [flags('--version')] },
    ...each('npm-run-all run-s run-p', alwaysNeedsApproval('Runs several scripts.')),
  },
  claims: {
    bun: claimsOfInterpreter,
    ...each('npm pnpm yarn', node),
    ...each('npx bunx uvx', npx),
  },
};
