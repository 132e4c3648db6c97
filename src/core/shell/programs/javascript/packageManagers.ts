import { claim, type Claims, joinNames } from '../../calls/claims';
import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual, type Manuals } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  optionalValues,
  type Options,
  optionTable,
  readArguments,
  saying,
  takes,
  values,
} from '../../calls/options';
import { doubt, note, refuse, type Scope } from '../../effects/scope';
import { fieldsAt } from '../../files/manifestFields';
import { folderAfterCd, resolvePlace } from '../../syntax/place';
import { literal, type Value } from '../../syntax/value';
import { judgeNotSecret } from '../shared/asks';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import { alwaysNeedsApproval, installsDeclared, runsProjectStrictly, strictReadingManual } from '../shared/kinds';
import { claimOfInstall, consentForPackage, runsPackage } from '../shared/packageClaims';
import { readsWith, readsWithoutWords } from '../shared/readsWith';
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
  if (scope.cwd === undefined || resolvePlace(literal('package.json'), scope.cwd, scope.context).where !== 'inside')
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
  const place = resolvePlace(folder, scope.cwd, scope.context);
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

const installOptions: Options = [
  flags(`
      --no-audit --no-fund --no-save --prefer-offline --offline --ignore-scripts --silent -s -q --quiet
      --production --frozen-lockfile --immutable --immutable-cache --check-cache --legacy-peer-deps --no-optional
      --no-progress --package-lock-only --prod --dev -D -P --verbose --prefer-frozen-lockfile --dry-run --json
      --save --save-dev --save-prod --save-exact -E -S --no-package-lock --no-bin-links --prefer-dedupe
      --strict-peer-deps --foreground-scripts --no-color --lockfile-only --fix-lockfile --no-lockfile
      --pure-lockfile --ignore-engines --ignore-platform --ignore-optional --check-files --non-interactive --flat
      --no-prefer-offline --no-summary --no-cache --exact --audit --color -h --help --save-text-lockfile
      --shamefully-hoist --ignore-workspace --ignore-pnpmfile --no-strict-peer-dependencies
      --strict-peer-dependencies --resolution-only --inline-builds --refresh-lockfile --skip-integrity-check
    `),
  values(`
      --omit --include --progress --loglevel --install-strategy --before --cpu --os --libc --network-concurrency
      --network-timeout --fetch-timeout --concurrent-scripts --child-concurrency --reporter --mode --mutex
      --node-linker --linker --backend
    `),
  takes('write', '--store-dir --modules-dir --virtual-store-dir --cache-folder --modules-folder --cache-dir'),
  medium(flags('--no-frozen-lockfile --no-immutable --update-checksums')),
  saying('Installs packages despite conflicts between them.', high(flags('--force -f'))),
  saying('Lets packages run their own scripts.', high(flags('--trust'), values('--allow-build --allow-scripts'))),
  high(flags('--no-verify'), values('--registry --env-file --cafile --ca --config')),
];

export const runsScript: Manual = { level: 'medium', judge: judgeNpmRun };

const isReadingVerb = [
  flags(`
      -g --global --json --long -l -a --all -p -w -r -s --non-recursive --recursive --workspaces -h --help
      --include-workspace-root --package-lock-only --no-package-lock --link --no-unicode --install-links
    `),
  values('--depth --format --sbom-format --sbom-type --level --audit-level --omit --include --before --which'),
  flags(`
      --prod --production --dev --parseable --silent --no-color --severity --compatible -D -P
      --no-optional --optional --exclude-peers --only-projects --lockfile-only --no-table --notes --offline
      --expect-results --ignore-registry-errors --ignore-unfixable --no-browser --top -T --transitive -q --quiet
    `),
  values('--groups --pattern --filter --ignore --expect-result-count --sort-by --environment'),
];

const queriesRegistry: Manual = {
  level: 'medium',
  reason: 'Queries the registry.',
  operands: { rest: 'text' },
  others: 'high',
  options: [
    flags('--json --long -l -p --parseable --silent -s --no-description -h --help --no-color --offline'),
    flags('--prefer-online --prefer-offline'),
    values('--author --scope --searchlimit --searchopts --searchexclude --color'),
  ],
};

/** `npm repo` and `npm docs` open what the package names as its page. */
const opensPage: Manual = {
  level: 'medium',
  reason: 'Opens a page in the browser.',
  operands: { rest: 'text' },
  others: 'high',
  options: [flags('--no-browser -w -h --help')],
};

/** `npm diff --diff a@1 --diff a@2`. A package that Git or another server provides may run its own scripts. */
const judgeDiff: Judge = ({ words, scope, manual }) => {
  const { options } = readArguments(words, optionTable(manual.options!), 'letters');
  for (const { name, value } of options)
    if (name === '--diff' && value && value.text !== '.' && consentForPackage(value) === undefined)
      refuse(scope, value.source, 'Compares with a package that does not come from the registry.');
  return undefined;
};

/** `npm install-test`: an installation, then the script "test". */
const judgeInstallAndTest: Judge = (call) => {
  judgeNpmInstall(call);
  judgeNpmRun({ ...call, name: 'npm test', words: [] });
  return undefined;
};

const everywhere = saying('Changes packages of the whole account.', high(flags('-g --global')));

const npmVerbs: Manuals = {
  ...eachNamed(
    `
      ls list ll la outdated why explain doctor query root prefix bin help help-search sbom find-dupes
    `,
    {
      ...strictReadingManual,
      options: isReadingVerb,
    },
  ),
  fund: {
    ...opensPage,
    judge: readsWithoutWords({ ...strictReadingManual, operands: [], options: isReadingVerb }),
  },
  ...eachNamed('repo docs home bugs issues', opensPage),
  ...eachNamed('view info show v', {
    ...strictReadingManual,
    options: [flags('--json --silent -w --workspaces -h --help')],
    reason: 'Queries the registry.',
  }),
  audit: {
    level: 'high',
    reason: 'Installs other versions of packages.',
    options: [...isReadingVerb, flags('--dry-run -f --force --ignore-scripts'), medium(flags('--fix'))],
    verbs: {
      signatures: { ...strictReadingManual, operands: [], options: isReadingVerb },
      fix: {
        level: 'high',
        reason: 'Installs other versions of packages.',
        judge: readsWith('--dry-run', {
          ...strictReadingManual,
          operands: [],
          options: [...isReadingVerb, flags('--dry-run -f --force')],
        }),
      },
    },
    judge: readsWithoutWords({
      level: 'low',
      operands: [],
      options: [
        ...isReadingVerb,
        flags('--dry-run -f --force --ignore-scripts'),
        saying('Changes package.json.', medium(optionalValues('--fix'))),
      ],
    }),
  },
  ...eachNamed('search find s se', queriesRegistry),
  ...eachNamed('whoami ping stars', queriesRegistry),
  star: {
    level: 'high',
    reason: 'Changes things on the registry.',
    judge: readsWith('--list', { ...queriesRegistry, options: [...queriesRegistry.options!, flags('--list')] }),
  },
  access: {
    level: 'high',
    verbs: { ...eachNamed('list get ls', queriesRegistry) },
  },
  ...eachNamed('team owner profile', {
    level: 'high',
    verbs: { ...eachNamed('ls list get', { ...queriesRegistry, judge: judgeNotSecret }) },
  }),
  'dist-tag': { level: 'high', verbs: { ...eachNamed('ls list', queriesRegistry) } },
  diff: {
    level: 'medium',
    reason: 'Queries the registry.',
    operands: { rest: 'search' },
    others: 'high',
    judge: judgeDiff,
    options: [
      values('--diff --diff-unified --diff-src-prefix --diff-dst-prefix --tag'),
      flags('--diff-name-only --diff-ignore-all-space --diff-no-prefix --diff-text -w --workspaces -h --help'),
    ],
  },
  ...eachNamed('install i ci clean-install add install-clean', { ...installs, options: installOptions }),
  ...eachNamed('install-test it cit install-ci-test', {
    ...installs,
    judge: judgeInstallAndTest,
    options: installOptions,
  }),
  ...eachNamed('rebuild dedupe ddp prune', {
    ...installs,
    reason: 'Rebuilds, merges or removes installed packages.',
    operands: { rest: 'text' },
    options: [
      flags(`
        --dry-run --silent --check -c --json --lock --strict --production --prod --verbose --no-cache --no-audit
        --no-fund --ignore-scripts --no-bin-links --no-package-lock --foreground-scripts --no-optional --pending
        --strict-peer-deps --legacy-bundling --global-style -h --help
      `),
      values('--omit --include --loglevel --install-strategy'),
      everywhere,
    ],
  }),
  ...eachNamed('uninstall remove rm un r', {
    level: 'medium',
    reason: 'Removes packages.',
    operands: { rest: 'text' },
    options: [
      flags(`
        -D --save-dev --save -S --no-save --silent --dry-run --save-prod -P --save-optional -O --save-peer --verbose
        --lockfile-only --no-package-lock --ignore-scripts --no-audit --no-fund -h --help --json
      `),
      everywhere,
    ],
  }),
  ...eachNamed('run run-script rum', runsScript),
  ...eachNamed('test t tst start stop restart', runsScript),
  version: {
    level: 'medium',
    reason: 'Changes package.json.',
    operands: ['text'],
    options: [flags('--no-git-tag-version --allow-same-version --json')],
    judge: judgeNpmVersion,
  },
  pack: {
    level: 'medium',
    reason: 'Packs files.',
    operands: [],
    options: [
      flags('--dry-run --json --silent --quiet -q --ignore-scripts -h --help'),
      values('--gzip-level'),
      takes('write', '--pack-destination --destination --filename --out'),
    ],
  },
  ...eachNamed('exec x', { level: 'medium', judge: judgeNpx }),
  pkg: {
    level: 'low',
    verbs: {
      get: { ...strictReadingManual, options: [flags('--json --ws --workspaces -w -h --help')] },
      ...eachNamed('set delete', { level: 'medium', judge: judgePackageFields }),
      fix: { level: 'medium', reason: 'Changes package.json.', operands: [], options: [] },
    },
  },
  'set-script': { level: 'high', judge: judgeSetScript },
  ...eachNamed('init innit', {
    level: 'medium',
    reason: 'Writes package.json.',
    operands: [],
    options: [flags('-y --yes -m --minimal -r --react -p --private -h --help'), values('-n --name --scope')],
  }),
  ...eachNamed('config c', {
    level: 'high',
    verbs: {
      ...eachNamed('list ls', {
        level: 'medium',
        reason: 'Shows the settings of npm.',
        operands: [],
        options: [flags('-l --long --json -g --global'), values('-L --location')],
      }),
      get: {
        level: 'low',
        operands: { rest: 'text' },
        options: [flags('--json -g --global -l --long'), values('-L --location')],
        judge: judgeNotSecret,
      },
    },
  }),
  cache: {
    level: 'high',
    verbs: {
      verify: { level: 'medium', reason: 'Checks the package cache.', operands: [] },
      ...eachNamed('ls list', strictReadingManual),
      npx: { level: 'high', verbs: { ...eachNamed('ls info', strictReadingManual) } },
    },
  },
};

const version = [flags('--version -v -V --help -h --silent -s')];

/** With `-u`, it writes newer versions to package.json. */
const judgeUpgrades: Judge = ({ words, scope }) => {
  if (words.some(({ text }) => /^-[a-tv-z]*u|^--upgrade$/.test(text)))
    scope.written.set(folderAfterCd(scope.cwd ?? '.', 'package.json'), undefined);
  return undefined;
};

const yarnVerbs: Manuals = {
  ...npmVerbs,
  ...eachNamed('test start dev build lint format check typecheck', runsScript),
  ...eachNamed('why licenses versions info', { ...strictReadingManual, options: isReadingVerb }),
  ...eachNamed('up upgrade upgrade-interactive policies plugin patch patch-commit', {
    level: 'high',
    reason: 'Changes which packages are installed.',
  }),
  dlx: { level: 'high', reason: 'Downloads and runs a package.' },
  store: { level: 'high', verbs: { ...eachNamed('path status', strictReadingManual) } },
  npm: {
    level: 'high',
    reason: 'Queries or publishes to the registry.',
    verbs: {
      ...eachNamed('audit info outdated', {
        ...strictReadingManual,
        options: [flags('--json --all --recursive'), values('--severity --fields -f')],
      }),
    },
  },
  workspaces: {
    level: 'low',
    verbs: {
      ...eachNamed('list info', strictReadingManual),
      focus: { ...installsDeclared, operands: { rest: 'text' }, options: [flags('--production --all -A --json')] },
    },
  },
  fetch: { ...installsDeclared, options: [flags('-P --prod -D --dev --offline')] },
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
      return claimOfInstall(names, { everywhere });
    case 'global':
      return claimOfInstall(names.slice(1), { everywhere: true });
    case 'publish':
      return claim('sends', 'Publishes this package to the registry.');
    case 'unpublish':
      return claim('destroys', `Removes ${joinNames(names, 'this package')} from the registry.`);
    case 'deprecate':
    case 'dist-tag':
    case 'owner':
    case 'access':
    case 'team':
      if (/^(?:ls|list|get)$/.test(names[0] ?? '')) return undefined;
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
    ...eachNamed('rush lerna', {
      level: 'high',
      reason: 'Installs, runs or publishes packages.',
      declared: true,
      options: [flags('--version')],
      verbs: {
        ...eachNamed('list ls changed diff info', {
          ...strictReadingManual,
          options: [flags('--json -a --all -l --long'), values('--since')],
        }),
        ...eachNamed('build rebuild test lint', runsProjectStrictly),
        run: { level: 'medium', judge: judgeNpmRun },
        // Without further words, too: it commits, tags and pushes.
        version: { level: 'high', reason: 'Changes versions, commits, tags and pushes.' },
      },
    }),
    ...eachNamed('npm-check-updates ncu npm-check updates', {
      judge: judgeUpgrades,
      level: 'low',
      declared: true,
      operands: { rest: 'text' },
      options: [
        values(`
          --filter -f --reject -x -t --target --dep --filter-version --reject-version --cooldown -c --concurrency
          --timeout --retry -l --loglevel --format -p --package-manager --enginesNode --prefix
        `),
        flags(`
          --version -V --deep -g --global --peer --pre --jsonUpgraded --jsonDeps --jsonAll -j -m --minimal --removeRange
          --errorLevel -e -s --silent --no-color --root -ws --workspaces --skip-unused -h --help --no-emoji
          -E --save-exact --skip --no-progress --no-deprecated --stdin
        `),
        takes('read', '--packageFile'),
        saying('Changes package.json.', medium(flags('-u --upgrade'))),
        saying('Installs the packages that a person chooses.', medium(flags('-i --interactive'))),
        saying(
          'Installs other versions of packages.',
          high(flags('--update -y --update-all -a --doctor'), values('--install --doctorInstall --doctorTest')),
        ),
        high(values('--configFileName --configFilePath --mergeConfig --registry')),
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
        why: { ...strictReadingManual, options: [...isReadingVerb, values('--depth')] },
        pm: {
          level: 'high',
          reason: 'Changes packages, their cache or what they may run.',
          verbs: {
            ...eachNamed('ls list bin hash hash-string hash-print default-trusted untrusted why view whoami', {
              ...strictReadingManual,
              options: isReadingVerb,
            }),
            cache: {
              level: 'high',
              reason: 'Deletes the cache of packages of the whole account.',
              judge: readsWithoutWords(strictReadingManual),
            },
            pack: npmVerbs['pack']!,
            version: {
              level: 'high',
              reason: 'Changes package.json, and creates a commit and a tag.',
              judge: readsWithoutWords(strictReadingManual),
            },
            pkg: npmVerbs['pkg']!,
          },
        },
        test: runsScript,
        build: {
          level: 'medium',
          reason: 'Writes build output.',
          operands: { rest: 'read' },
          options: [
            flags(`
              --minify --minify-syntax --minify-whitespace --minify-identifiers --keep-names --splitting --compile
              --watch --production --bytecode --no-bundle --react-fast-refresh --css-chunking --no-clear-screen
              --emit-dce-annotations -h --help
            `),
            values(`
              --target --format --banner --footer --public-path -e --external --packages --entry-naming
              --chunk-naming --asset-naming --conditions --root
            `),
            optionalValues('--sourcemap'),
            takes('write', '--outdir --outfile --metafile --metafile-md'),
          ],
        },
      },
    },
    ...eachNamed('npx bunx', { level: 'medium', judge: judgeNpx }),
    corepack: {
      level: 'high',
      reason: 'Downloads package managers.',
      options: [flags('--version -v -h --help')],
      verbs: {},
    },
    ...eachNamed('npm-run-all run-s run-p', alwaysNeedsApproval('Runs several scripts.')),
  },
  claims: {
    bun: claimsOfInterpreter,
    ...eachNamed('npm pnpm yarn', node),
    ...eachNamed('npx bunx uvx', npx),
  },
};
