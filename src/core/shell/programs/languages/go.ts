import { eachNamed, type Family, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, saying, takes, values } from '../../calls/options';
import {
  changesFiles,
  checksOrBuilds,
  installsDeclared,
  readingManual,
  runsProject,
  strictReadingManual,
} from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeFormats, judgeTests } from '../shared/projectCode';
import { readsWith, readsWithoutWords } from '../shared/readsWith';

const goBuild = [
  flags(`
      -all -src -cmd -u -c -deps -versions -retracted -find -export -test -compiled -e -v -race -msan -asan
      -cover -short -benchmem -x -n -json -failfast -fullpath -trimpath -a -m -work -linkshared -modcacherw
      -args -unsafeptr -h -help --help
    `),
  values(`
      -composites -copylocks -printf -shadow -unusedresult -run -skip -bench -benchtime -count -timeout -tags
      -mod -parallel -p -list -vet -buildmode -compiler -installsuffix -f -covermode -coverpkg -shuffle
      -cpu -fuzz -fuzztime -fuzzminimizetime -blockprofilerate -memprofilerate -mutexprofilefraction
    `),
  optionalValues('-buildvcs'),
  takes('write', '-coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -o'),
  takes('flags', '-ldflags -gcflags'),
  high(flags('-w'), values('-asmflags -gccgoflags -toolexec -vettool -exec -overlay -modfile -pkgdir -pgo -C')),
];

const goReads: Manual = { ...strictReadingManual, style: 'words', operands: { rest: 'text' } };

export const goFamily: Family = {
  programs: {
    go: {
      level: 'high',
      style: 'words',
      options: [flags('-h -help --help')],
      verbs: {
        ...eachNamed('build test vet list doc', {
          ...checksOrBuilds(goBuild, { rest: 'search' }),
          style: 'words',
          judge: judgeTests,
        }),
        version: { ...checksOrBuilds([flags('-m -v -json')], { rest: 'search' }), style: 'words' },
        help: goReads,
        env: {
          level: 'low',
          operands: { rest: 'text' },
          options: [
            flags('-json -changed'),
            saying('Changes the settings of Go for the whole account.', high(flags('-w -u'))),
          ],
          style: 'words',
        },
        ...eachNamed('fmt fix', { ...changesFiles, operands: { rest: 'search' }, style: 'words', options: goBuild }),
        generate: { level: 'high', reason: 'Runs commands that the source files name.' },
        run: { ...runsProject, operands: { first: ['script'], rest: 'text' }, style: 'words', options: goBuild },
        clean: {
          ...changesFiles,
          reason: 'Deletes build output and caches.',
          operands: { rest: 'search' },
          style: 'words',
          options: [
            flags('-cache -testcache -i -r -n -x'),
            saying('Deletes the downloaded modules of the whole account.', high(flags('-modcache'))),
            saying('Deletes the inputs that fuzzing found.', high(flags('-fuzzcache'))),
          ],
        },
        mod: {
          level: 'high',
          verbs: {
            ...eachNamed('tidy download vendor init', {
              ...installsDeclared,
              operands: { rest: 'text' },
              style: 'words',
              options: [flags('-v -x -e -json -diff'), values('-go -compat'), takes('write', '-o')],
            }),
            ...eachNamed('verify why graph', { ...goReads, options: [flags('-m -vendor -x'), values('-go')] }),
            edit: {
              level: 'high',
              reason: 'Changes go.mod.',
              judge: readsWith('-print -json', { ...goReads, options: [flags('-print -json')] }),
            },
          },
        },
        work: {
          level: 'high',
          reason: 'Changes go.work.',
          verbs: {
            sync: { ...installsDeclared, style: 'words', options: [] },
            ...eachNamed('use init', {
              level: 'medium',
              reason: 'Adds modules of the workspace to go.work.',
              judge: judgeTests,
              style: 'words',
              operands: { rest: 'search' },
              options: [flags('-r')],
            }),
            edit: {
              level: 'high',
              reason: 'Changes go.work.',
              judge: readsWith('-print -json', { ...goReads, options: [flags('-print -json')] }),
            },
          },
        },
        telemetry: {
          level: 'high',
          reason: 'Changes what Go reports.',
          judge: readsWithoutWords({ ...goReads, options: [] }),
        },
        tool: {
          level: 'high',
          style: 'words',
          judge: readsWithoutWords({ ...goReads, options: [] }),
          verbs: {
            ...eachNamed('pprof trace nm objdump addr2line pack buildid', {
              level: 'low',
              operands: { rest: 'search' },
              style: 'words',
              options: [
                flags('-top -text -cum -svg -png -alloc_space -inuse_space -size -n -type -S -gnu'),
                values('-list -peek -nodecount -sample_index -sort -s'),
                takes('write', '-output'),
                high(flags('-w'), values('-http')),
              ],
            }),
            cover: {
              level: 'low',
              operands: { rest: 'search' },
              style: 'words',
              options: [takes('read', '-func -html'), values('-mode -var'), high(takes('write', '-o'))],
            },
            covdata: {
              level: 'high',
              verbs: {
                ...eachNamed('percent func pkglist debugdump', {
                  ...goReads,
                  options: [takes('search', '-i'), values('-pkg')],
                }),
                textfmt: { ...goReads, options: [takes('search', '-i'), takes('write', '-o'), values('-pkg')] },
              },
            },
            test2json: { ...goReads, operands: [], options: [flags('-t'), values('-p')] },
            dist: {
              level: 'high',
              verbs: { list: { ...goReads, options: [flags('-json -broken')] }, version: goReads },
            },
            vet: { level: 'high', verbs: { help: goReads } },
          },
        },
      },
    },
    templ: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        fmt: {
          ...changesFiles,
          operands: { rest: 'write' },
          style: 'words',
          judge: judgeFormats,
          options: [flags('-fail -v'), values('-w')],
        },
        generate: {
          ...runsProject,
          style: 'words',
          operands: [],
          options: [
            flags('-lazy -v -keep-orphaned-files -include-version'),
            takes('search', '-path'),
            takes('write', '-f'),
          ],
        },
        ...eachNamed('version info', goReads),
      },
    },
    gci: {
      level: 'high',
      verbs: {
        ...eachNamed('list diff', {
          ...goReads,
          operands: { rest: 'search' },
          options: [values('-s --section'), flags('--skip-generated')],
        }),
        ...eachNamed('write', {
          ...changesFiles,
          options: [values('-s --section'), flags('--skip-generated --custom-order')],
        }),
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
              --timeout -E -D -j -p --concurrency --max-same-issues --max-issues-per-linter --build-tags
              --issues-exit-code --modules-download-mode --out-format --enable --disable --enable-only --default
              --presets --color --new-from-rev --new-from-merge-base --path-mode --path-prefix
              --exclude --exclude-dirs --exclude-files
            `),
            flags(`
              -v --no-config --tests --allow-parallel-runners --allow-serial-runners --fast --fast-only --new -n
              --whole-files --show-stats --disable-all --enable-all --print-issued-lines --print-linter-name
              --uniq-by-line --sort-results -h --help
            `),
            takes('search', '-c --config'),
            takes('read', '--new-from-patch'),
            takes(
              'write',
              `
              --output.text.path --output.json.path --output.html.path --output.checkstyle.path
              --output.junit-xml.path --output.sarif.path --output.tab.path --output.code-climate.path
              --cpu-profile-path --mem-profile-path --trace-path
            `,
            ),
            medium(flags('--fix')),
          ],
        },
        fmt: {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: { rest: 'write' },
          judge: judgeFormats,
          options: [flags('-d --diff --diff-colored --stdin'), values('-E --enable'), takes('search', '-c --config')],
        },
        ...eachNamed('linters version help formatters', {
          ...readingManual,
          options: [
            flags('-h --help --short --json --debug'),
            takes('search', '-c --config'),
            values('--format -E -D'),
          ],
        }),
        completion: strictReadingManual,
        config: {
          level: 'high',
          verbs: { ...eachNamed('verify path', { ...readingManual, options: [takes('search', '-c --config')] }) },
        },
        cache: { level: 'high', verbs: { status: readingManual } },
      },
    },
    ...eachNamed(
      `
      staticcheck revive errcheck gocyclo ineffassign govulncheck gosec ginkgo gotestsum
    `,
      {
        level: 'low',
        style: 'words',
        operands: { rest: 'text' },
        options: [
          flags(`
            -v --fast --version -version -test -tests -json -r -race -p -short -- -h -help --help -quiet
            -exclude-generated -no-fail -stdout -color -sort -verbose -fail-on-error -track-suppressions
            --randomize-all --keep-going --trace -asserts -blank -ignoretests -avg -total -list-checks
          `),
          values(`
          --timeout -checks -f --out-format --enable --disable -over -top --new-from-rev --format -fmt -severity
          -confidence -include -exclude -exclude-rules -exclude-dir -tags -ignore -mode -scan -show -explain
          -set_exit_status -go -concurrency --label-filter --focus --skip --procs --repeat --formatter
        `),
          flags('-set_exit_status --set_exit_status --format-hide-empty-pkg --rerun-fails --hide-summary'),
          takes('search', '--config -c -config -conf'),
          takes('write', '-out --junitfile --jsonfile --output-dir'),
          medium(flags('--fix')),
          high(values('--raw-command --post-run-command --watch-chdir -formatter -db -vex -archive')),
        ],
        judge: judgeTests,
      },
    ),
  },
  claims: {
    go: claimsOfInstaller('module'),
  },
};
