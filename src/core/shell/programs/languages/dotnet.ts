import { each, type Family } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { changesFiles, checksOrBuilds, installsDeclared, readingManual, runsProject } from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeFormats, judgeTests } from '../shared/projectCode';

export const dotnetFamily: Family = {
  programs: {
    dotnet: {
      level: 'high',
      options: [flags('--version --info --list-sdks --list-runtimes --help')],
      verbs: {
        csharpier: {
          ...changesFiles,
          judge: judgeFormats,
          options: [flags('--check --no-cache --fast')],
          verbs: { check: readingManual, format: changesFiles },
          bare: { ...changesFiles, judge: judgeFormats, options: [flags('--check --no-cache --fast')] },
        },
        ...each('build test', {
          ...checksOrBuilds([
            values(`
              -c --configuration --filter -f --framework --logger --verbosity -v --collect -r --runtime
            `),
            flags(`
              --no-restore --no-build --nologo --warnaserror --blame --list-tests -t 
            `),
            optionalValues('-warnaserror --tl -m'),
            takes('write', '-o --output'),
            high(values('-s --settings'), optionalValues('-p')),
          ]),
          judge: judgeTests,
        }),
        restore: {
          ...installsDeclared,
          operands: ['search'],
          options: [flags('--locked-mode --nologo --no-cache'), values('-v')],
        },
        tool: {
          level: 'high',
          verbs: { restore: installsDeclared, list: { ...readingManual, options: [flags('-g --global --local')] } },
        },
        publish: {
          ...runsProject,
          operands: ['search'],
          options: [
            flags('--no-restore --no-build --nologo'),
            values('-c --configuration -r'),
            optionalValues('--self-contained'),
            takes('write', '-o --output'),
          ],
        },
        new: {
          level: 'high',
          reason: 'Writes files from a template.',
          verbs: { ...each('list --list', readingManual) },
        },
        ef: {
          level: 'high',
          reason: 'Changes data.',
          verbs: {
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
        ...each('run watch', {
          ...runsProject,
          options: [flags('--no-build --no-restore --'), values('-c'), takes('search', '--project')],
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
