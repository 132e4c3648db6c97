import { each, type Family } from '../../calls/manual';
import { flags, high, medium, takes, values } from '../../calls/options';
import { changesFiles, checksOrBuilds, installsDeclared, readingManual, runsProject } from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeTests } from '../shared/projectCode';

const goBuild = [
  flags(`
      -all -src -cmd -deps -versions -retracted -find -e -compiled -v -race -cover -short
      -benchmem -x -n -json -failfast -trimpath -a -m -u
    `),
  values(`
      -composites -copylocks -printf -shadow -unusedresult -run -count -timeout -bench -tags -mod
      -parallel -p -list -buildvcs -f -covermode -coverpkg -shuffle -cpu -fuzz -fuzztime
    `),
  takes('write', '-coverprofile -o'),
  takes('flags', '-ldflags'),
  high(flags('-w'), values('-gcflags -toolexec -vettool -exec -overlay -modfile -C')),
];

export const goFamily: Family = {
  programs: {
    go: {
      level: 'high',
      style: 'words',
      options: [flags('-h')],
      verbs: {
        ...each('build test vet list version doc help', {
          ...checksOrBuilds(goBuild, { rest: 'search' }),
          style: 'words',
          judge: judgeTests,
        }),
        env: { level: 'low', operands: { rest: 'text' }, options: [flags('-json')], style: 'words' },
        ...each('fmt fix', { ...changesFiles, operands: { rest: 'search' }, style: 'words', options: goBuild }),
        run: { ...runsProject, operands: { first: ['script'], rest: 'text' }, style: 'words', options: goBuild },
        clean: {
          ...changesFiles,
          operands: { rest: 'search' },
          style: 'words',
          options: [flags('-cache -testcache -i -r -n -x')],
        },
        mod: {
          level: 'high',
          verbs: {
            ...each('tidy download vendor init', {
              ...installsDeclared,
              operands: { rest: 'text' },
              style: 'words',
              options: [flags('-v -x'), values('-go -compat')],
            }),
            ...each('verify why graph', { ...readingManual, style: 'words', options: [flags('-m')] }),
          },
        },
        tool: {
          level: 'high',
          verbs: {
            ...each('pprof trace nm objdump addr2line pack buildid', {
              level: 'low',
              operands: { rest: 'search' },
              style: 'words',
              options: [
                flags('-top -text -cum -svg -png -alloc_space -inuse_space -size -n -type -S'),
                values('-list -peek -nodecount -sample_index -sort'),
                takes('write', '-output'),
                high(values('-http')),
              ],
            }),
            cover: {
              level: 'low',
              operands: { rest: 'search' },
              style: 'words',
              options: [takes('read', '-func -html'), high(takes('write', '-o'))],
            },
          },
        },
      },
    },
    'golangci-lint': {
      level: 'low',
      options: [flags('--version')],
      verbs: {
        run: {
          level: 'low',
          operands: { rest: 'search' },
          style: 'words',
          judge: judgeTests,
          options: [
            values(`
              --timeout -E -D -j --max-same-issues --max-issues-per-linter --build-tags --issues-exit-code
              --modules-download-mode --out-format --enable --disable
            `),
            flags('-v --no-config --tests --allow-parallel-runners --fast --new'),
            takes('search', '-c --config'),
            values('--new-from-rev'),
            medium(flags('--fix')),
          ],
        },
        fmt: {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: { rest: 'write' },
          options: [flags('-d --diff')],
        },
        ...each('linters version help formatters', readingManual),
        config: { level: 'high', verbs: { ...each('verify path', readingManual) } },
        cache: { level: 'high', verbs: { status: readingManual } },
      },
    },
    ...each(
      `
      staticcheck revive errcheck gocyclo ineffassign govulncheck gosec ginkgo gotestsum
    `,
      {
        level: 'low',
        style: 'words',
        operands: { rest: 'text' },
        options: [
          flags('-v --fast --version -version -test -json -r -race -p -short --'),
          values(`
          --timeout -checks -f --out-format --enable --disable -over --new-from-rev --format
        `),
          takes('search', '--config -c'),
          medium(flags('--fix')),
        ],
        judge: judgeTests,
      },
    ),
  },
  claims: {
    go: claimsOfInstaller('module'),
  },
};
