import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { changesFiles, checksOrBuilds, installsDeclared, readingManual, runsProject } from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeFormats, judgeTests } from '../shared/projectCode';
import { readsWith } from '../shared/readsWith';

const installsTemplates: Manual = { level: 'high', reason: 'Installs code that the project may not declare.' };

/** `dotnet new install NAME` and its relatives are verbs. Any other first word is the name of a template. */
const judgeTemplates: Judge = (call) => {
  const [first, ...words] = call.words;
  const lists = first !== undefined && /^(?:list|search|details|--list|-l)$/.test(first.text);
  const installs = first !== undefined && /^(?:install|uninstall|update|create)$/.test(first.text);
  if (!lists && !installs) return undefined;
  judgeByManual({ ...call, words, manual: lists ? readingManual : installsTemplates });
  return 'done';
};

/** `dotnet add PROJECT reference OTHER` only connects projects of the workspace. */
const judgeReferences: Judge = (call) => {
  const at = call.words.findIndex(({ text }) => text === 'reference');
  if (at < 0 || at > 1) return undefined;
  judgeByManual({
    ...call,
    words: call.words.filter((_, index) => index !== at),
    manual: {
      level: 'medium',
      judge: judgeTests,
      reason: 'Changes which projects a project refers to.',
      operands: { rest: 'search' },
      options: [values('-f --framework')],
    },
  });
  return 'done';
};

/** `dotnet sln add PROJECT`, `dotnet sln App.sln list`. */
const judgeSolution: Judge = (call) => {
  const at = call.words.findIndex(({ text }) => !/\.slnx?$/.test(text));
  const verb = call.words[at]?.text ?? '';
  const others = call.words.filter((_, index) => index !== at);
  if (verb === 'list')
    judgeByManual({ ...call, words: others, manual: { ...readingManual, operands: { rest: 'search' } } });
  else if (/^(?:add|remove|migrate)$/.test(verb))
    judgeByManual({
      ...call,
      words: others,
      manual: {
        level: 'medium',
        judge: judgeTests,
        reason: 'Changes the solution.',
        operands: { rest: 'search' },
        options: [flags('--in-root'), values('-s --solution-folder')],
      },
    });
  else return undefined;
  return 'done';
};

export const dotnetFamily: Family = {
  programs: {
    fantomas: {
      ...changesFiles,
      judge: judgeFormats,
      options: [
        flags('--check --version -h --help --force -v -r --recurse'),
        values('--verbosity'),
        takes('write', '--out'),
      ],
    },
    dotnet: {
      level: 'high',
      options: [flags('--version --info --list-sdks --list-runtimes --help -h -d --diagnostics')],
      verbs: {
        csharpier: {
          ...changesFiles,
          judge: judgeFormats,
          options: [flags('--check --no-cache --fast')],
          verbs: { check: readingManual, format: changesFiles },
          bare: { ...changesFiles, judge: judgeFormats, options: [flags('--check --no-cache --fast')] },
        },
        ...eachNamed('build test', {
          ...checksOrBuilds([
            values(`
              -c --configuration --filter -f --framework --logger --verbosity -v --collect -r --runtime
            `),
            flags(`
              --no-restore --no-build --nologo --warnaserror --blame --list-tests -t --no-incremental --no-dependencies
              --force --interactive --self-contained --no-self-contained --use-current-runtime --ucr --sc --debug
              --tl --disable-build-servers --no-cache --blame-crash --blame-hang --no-ansi --minimum-expected-tests
            `),
            values('-a --arch --os --version-suffix --blame-hang-timeout --test-adapter-timeout'),
            takes('write', '--artifacts-path --results-directory'),
            optionalValues('-warnaserror --tl -m'),
            takes('write', '-o --output'),
            high(values('-s --settings'), optionalValues('-p')),
          ]),
          judge: judgeTests,
        }),
        restore: {
          ...installsDeclared,
          operands: ['search'],
          options: [
            flags(
              '--locked-mode --nologo --no-cache --no-http-cache --force --force-evaluate --ignore-failed-sources --no-dependencies --use-lock-file --interactive --disable-parallel -h --help',
            ),
            values('-v --verbosity -r --runtime'),
            takes('write', '--lock-file-path --packages'),
            high(values('-s --source --configfile')),
          ],
        },
        tool: {
          level: 'high',
          options: [flags('-h --help')],
          verbs: {
            restore: {
              ...installsDeclared,
              options: [flags('--no-cache --disable-parallel --ignore-failed-sources'), values('-v --verbosity')],
            },
            list: { ...readingManual, options: [flags('-g --global --local')] },
          },
        },
        publish: {
          ...runsProject,
          operands: ['search'],
          options: [
            flags(
              '--no-restore --no-build --nologo --no-self-contained --sc --force --no-dependencies --interactive -h --help',
            ),
            values('-c --configuration -r --runtime -f --framework -v --verbosity --version-suffix -a --arch --os'),
            optionalValues('--self-contained'),
            takes('write', '-o --output'),
          ],
        },
        new: {
          level: 'medium',
          reason: 'Writes files from a template.',
          operands: ['name'],
          options: [
            flags('--dry-run --no-update-check --no-restore --no-https --use-program-main --force -h --help'),
            values('-n --name -lang --language -f --framework --type --project-name --auth --langVersion'),
            takes('write', '-o --output'),
            takes('search', '--project'),
            high(flags('-i --install -u --uninstall --update-apply')),
          ],
          judge: judgeTemplates,
        },
        ef: {
          level: 'high',
          reason: 'Changes data.',
          verbs: {
            ...eachNamed('dbcontext', {
              level: 'high',
              reason: 'Changes data.',
              verbs: {
                ...eachNamed('list info', {
                  ...runsProject,
                  options: [
                    flags('--json --no-build -v --verbose --no-color --prefix-output'),
                    values('-c --context --configuration --framework'),
                    takes('search', '-p -s --project --startup-project'),
                  ],
                }),
              },
            }),
            migrations: {
              level: 'high',
              verbs: {
                list: readingManual,
                add: { ...runsProject, options: [takes('write', '-o'), takes('search', '-p -s')] },
              },
            },
          },
        },
        nuget: {
          level: 'high',
          verbs: {
            locals: {
              level: 'high',
              reason: 'Deletes caches of the account.',
              judge: readsWith('-l --list', { ...readingManual, options: [flags('-l --list')], others: 'high' }),
            },
          },
        },
        workload: {
          level: 'high',
          reason: 'Changes the installed SDK.',
          verbs: { ...eachNamed('list search', readingManual) },
        },
        add: { level: 'high', reason: 'Installs packages.', judge: judgeReferences },
        ...eachNamed('run watch', {
          ...runsProject,
          options: [
            flags(
              '--no-build --no-restore -- --no-launch-profile --force --no-dependencies --sc --self-contained --no-self-contained --no-hot-reload --non-interactive --list -q --quiet -h --help',
            ),
            values('-c --configuration -f --framework -r --runtime -a --arch --os -lp --launch-profile -v --verbosity'),
            takes('search', '-p --project'),
          ],
        }),
        format: {
          ...changesFiles,
          judge: judgeFormats,
          options: [flags('--verify-no-changes --no-restore'), values('--verbosity --include --severity')],
        },
        clean: {
          ...changesFiles,
          options: [flags('--verify-no-changes --no-restore --nologo'), values('--verbosity -c')],
        },
        list: { ...readingManual, options: [flags('--deprecated --outdated --vulnerable --include-transitive')] },
        ...eachNamed('sln solution', { level: 'high', judge: judgeSolution }),
      },
    },
  },
  claims: {
    dotnet: claimsOfInstaller('package'),
  },
};
