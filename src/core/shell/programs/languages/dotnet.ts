import { eachNamed, type Family } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { changesFiles, checksOrBuilds, installsDeclared, readingManual, runsProject } from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeFormats, judgeTests } from '../shared/projectCode';

export const dotnetFamily: Family = {
  programs: {
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
          level: 'high',
          reason: 'Writes files from a template.',
          verbs: { ...eachNamed('list --list', readingManual) },
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
        nuget: { level: 'high', verbs: { locals: { level: 'high' } } },
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
        sln: { level: 'high', verbs: { list: readingManual } },
      },
    },
  },
  claims: {
    dotnet: claimsOfInstaller('package'),
  },
};
