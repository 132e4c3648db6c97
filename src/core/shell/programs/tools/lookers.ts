import { flags, high, medium, takes, type Options, values } from '../../calls/options';
import { each, type Operands } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeTests } from '../special/building';
import { judgeJq } from '../special/search';

const look = (options: Options = [], operands: Operands = { rest: 'read' }): Manual => ({
  level: 'low',
  operands,
  options: [flags('--version -V --help -h'), ...options],
});
const check = (options: Options = []): Manual => ({
  level: 'low',
  operands: { rest: 'search' },
  declared: true,
  options: [flags('--version -v --help -h --json --strict --quiet -q --silent -s'), ...options],
});
const document = (options: Options): Manual => ({
  level: 'medium',
  reason: 'It makes documents of files of the workspace.',
  operands: { rest: 'read' },
  judge: judgeTests,
  style: 'words',
  others: 'high',
  options: [flags('--version -v --help'), ...options],
});

/** Less common programs that only look, check, or make documents. */
export const lookerTools: Manuals = {
  ...each(
    'csvstat csvcut csvgrep csvlook csvjson csvsort csvstack csvjoin',
    look([
      values('-c -m -r -d -y -e --columns --match --regex --delimiter'),
      flags(`
        -t -n -H -S -I -i -l --names --count --unique --mean --max --min --sum --nulls --freq --type
        --no-inference --reverse
      `),
    ]),
  ),
  ...each('xsv qsv', {
    level: 'high',
    options: [flags('--version --help')],
    verbs: {
      ...each(
        `
          headers stats count frequency select slice search sort table sample flatten fmt join cat
          dedup schema sniff
        `,
        look([
          flags('--no-headers --just-names -R -N'),
          values('-s -n -i -l -d -e -r -c --limit --select --delimiter'),
          takes('write', '-o --output'),
        ]),
      ),
    },
  }),
  dasel: {
    level: 'high',
    reason: 'It can change a file.',
    verbs: {
      ...each('put delete', { level: 'high', reason: 'It can change a file.' }),
      select: look(
        [flags('-m --plain'), values('-p -r -w -s --parser --read --write --selector'), takes('read', '-f --file')],
        ['text'],
      ),
    },
    options: [flags('--version')],
  },
  ...each('tomlq xq', {
    level: 'low',
    operands: { first: ['text'], rest: 'read' },
    judge: judgeJq,
    options: [flags('-r -c -e -s -n -S -j --raw-output --version'), values('--arg')],
  }),
  ...each(
    'htmlq pup',
    look(
      [
        flags('-t -p -c --text --pretty --color -n --number'),
        values('-a -i --attribute'),
        takes('read', '-f --filename'),
      ],
      { rest: 'text' },
    ),
  ),
  gron: look([flags('-u -s -j -v --ungron --stream --json --no-sort --values --monochrome -m -c')], ['read']),
  ...each('glow mdcat', look([flags('--no-pager'), values('-s -w --style --width --columns')], { rest: 'read' })),
  ...each(
    'difft delta',
    look([values('--display --color --width --language'), flags('--side-by-side --line-numbers -s -n')], {
      rest: 'read',
    }),
  ),
  ...each('dust duf dua pdu', {
    level: 'low',
    operands: { rest: 'list' },
    options: [
      values('-d -n --depth --only --hide --sort'),
      flags('-r -s -b -i -f -a --all --json --version --help -h'),
    ],
  }),
  procs: look([flags('--tree -t'), values('--sorta --sortd')], { rest: 'text' }),
  hexyl: look([flags('-C -p --plain'), values('-n -c -s -o --length --skip --color')], ['read']),
  ...each('xmlstarlet xml', {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each(
        'sel el val fo elements format select validate',
        look([flags('-t -n -q -e -u -a -T -w --well-formed --noout'), values('-v -m -c -o -N --xpath -s')], {
          rest: 'text',
        }),
      ),
    },
  }),
  mlr: {
    level: 'low',
    style: 'words',
    operands: { rest: 'text' },
    others: 'high',
    options: [
      flags(`
          --icsv --ojson --opretty --ocsv --ijson --c2p --c2j --j2c --json --csv --tsv -n --version
        `),
      takes('read', '--from'),
      high(flags('-I')),
    ],
  },
  last: {
    level: 'low',
    operands: { rest: 'text' },
    options: [flags('-# -a -x -F -w'), values('-n'), high(values('-f'))],
  },
  arp: { level: 'low', operands: [], options: [flags('-a -n -e -v')] },
  ldd: {
    level: 'medium',
    reason: 'It may run what it looks at.',
    operands: { rest: 'read' },
    options: [flags('-v -u -r -d --version')],
  },
  ...each(
    'pkg-config pkgconf',
    look(
      [
        flags(`
        --libs --cflags --modversion --exists --list-all --print-errors --static --libs-only-l
        --libs-only-L
      `),
        values('--variable'),
      ],
      { rest: 'text' },
    ),
  ),
  ldconfig: { level: 'high', reason: 'It changes the system.', options: [flags('-p')] },
  ...each(
    `
      prove busted bats shellspec phpbench kaocha nextflow-lint protolint verilator-lint
    `,
    {
      level: 'low',
      operands: { rest: 'search' },
      judge: judgeTests,
      others: 'high',
      options: [
        flags(`
          -l -r -v -b -q -t --tap --verbose --recursive --timing --pretty --version --help lint
        `),
        values('-j --jobs'),
        takes('name', '--formatter -o'),
      ],
    },
  ),
  ...each('gitleaks detect-secrets trufflehog', {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('detect scan protect git dir filesystem', {
        level: 'low',
        operands: { rest: 'search' },
        others: 'high',
        options: [
          flags(`
              --no-git --staged -v --verbose --redact --no-banner --all-files --only-verified --json
            `),
          takes('search', '-s --source'),
        ],
      }),
    },
  }),
  ...each('dot neato fdp circo twopi', {
    level: 'low',
    operands: { rest: 'read' },
    others: 'high',
    style: 'words',
    options: [flags('-Tsvg -Tpng -Tpdf -Tjson -V'), values('-K -G -N -E'), takes('write', '-o')],
  }),
  fzf: {
    level: 'low',
    operands: [],
    others: 'high',
    options: [
      values('-f --filter -q --query --height'),
      flags(`
          -e -i --exact --no-sort -1 -0 -m --select-1 --exit-0 --multi --reverse --version --help
        `),
    ],
  },
  ...each('nvidia-smi rocm-smi', {
    level: 'low',
    operands: [],
    others: 'high',
    options: [flags('-L -q --list-gpus --version'), values('-l --query-gpu --format -i')],
  }),
  ...each('times dirs', { level: 'low', operands: [], options: [flags('-v -p -l')] }),
  ...each(
    `
      tsd tstyche bundlesize source-map-explorer type-coverage dpdm ls-engines browserslist
    `,
    check([
      flags(`
        --no-warning --circular --detail --transform --tree --no-tree --only-warnings
        --mobile-to-desktop --coverage
      `),
      values('--at-least'),
      takes('search', '-p --project'),
    ]),
  ),
  envinfo: {
    ...check([flags('--system --binaries --browsers --languages --markdown'), values('--npmPackages --preset')]),
    operands: [],
  },
  dockerfilelint: check([values('-o --output')]),
  'graphql-inspector': {
    level: 'high',
    declared: true,
    options: [flags('--version')],
    verbs: {
      ...each('validate diff coverage similar', {
        level: 'low',
        operands: { rest: 'search' },
        others: 'high',
        options: [flags('--deprecated --strictFragments')],
      }),
    },
  },
  karma: {
    level: 'high',
    declared: true,
    options: [flags('--version')],
    verbs: {
      start: {
        level: 'low',
        operands: ['search'],
        judge: judgeTests,
        options: [
          flags('--single-run --no-single-run --auto-watch --no-auto-watch --no-colors'),
          values('--log-level'),
          takes('name', '--browsers --reporters'),
        ],
      },
      run: { level: 'low', operands: ['search'], judge: judgeTests, options: [] },
    },
  },
  lighthouse: {
    level: 'medium',
    reason: 'It opens an address in a browser.',
    operands: ['url'],
    declared: true,
    options: [
      flags('--quiet --version'),
      values('--output --only-categories --preset'),
      takes('write', '--output-path'),
      medium(flags('--view')),
    ],
  },
  'clang-tidy': {
    level: 'low',
    operands: { rest: 'search' },
    style: 'words',
    others: 'high',
    options: [
      flags('--quiet -quiet --list-checks -list-checks --version --'),
      values('-checks --checks -warnings-as-errors --warnings-as-errors -header-filter'),
      takes('search', '-p'),
      medium(flags('--fix -fix')),
    ],
  },
  cppcheck: {
    level: 'low',
    operands: { rest: 'search' },
    others: 'high',
    options: [
      flags(`
          -q --quiet --inline-suppr --force -f --inconclusive --verbose -v --version --xml
        `),
      values(`
          -D -U -i -j --enable --disable --std --error-exitcode --suppress --language --platform
          --check-level --template --max-configs
        `),
      takes('search', '-I'),
      takes('name', '--library'),
    ],
  },
  detekt: {
    level: 'low',
    operands: [],
    judge: judgeTests,
    others: 'high',
    options: [
      flags('--build-upon-default-config --all-rules --parallel --version'),
      values('--excludes'),
      takes('search', '-i --input -c --config'),
    ],
  },
  semgrep: {
    level: 'medium',
    reason: 'It may ask the network for rules.',
    operands: { rest: 'search' },
    others: 'high',
    options: [
      flags('--json --sarif --quiet -q --error --verbose --version --test --validate'),
      values('--lang -l -e --pattern --metrics --exclude --include --severity'),
      takes('search', '--config -f'),
    ],
    verbs: {
      ...each('scan ci', {
        level: 'medium',
        reason: 'It may ask the network for rules.',
        operands: { rest: 'search' },
        others: 'high',
        options: [
          flags('--json --sarif --quiet -q --error'),
          values('--metrics --exclude --include --severity'),
          takes('search', '--config'),
        ],
      }),
    },
    bare: { level: 'medium', reason: 'It may ask the network for rules.', operands: { rest: 'search' } },
  },
  ...each('conftest opa regal', {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('test verify check lint version', {
        level: 'low',
        operands: { rest: 'search' },
        others: 'high',
        options: [
          flags(`
              -v --verbose --all-namespaces --coverage -b --bundle --fail-on-warn --strict -S
            `),
          values('-o --output --namespace -n'),
          takes('search', '-p --policy'),
        ],
      }),
    },
  }),
  ...each(
    'cfn-lint asyncapi',
    check([values('--template --region -i --ignore-checks -f --format'), flags('--info -e'), takes('read', '-t')]),
  ),
  dbt: {
    level: 'high',
    reason: 'It changes data.',
    options: [flags('--version')],
    verbs: {
      ...each('compile parse list ls', {
        level: 'medium',
        reason: 'It runs code of this project.',
        operands: [],
        judge: judgeTests,
        others: 'high',
        options: [
          flags('-q --quiet'),
          values('-s --select -m --models --exclude --target -t --output --resource-type'),
        ],
      }),
    },
  },
  ...each(
    'latexmk pdflatex xelatex lualatex bibtex biber makeindex',
    document([
      flags(`
        -pdf -xelatex -lualatex -c -C -quiet -f -g -halt-on-error -file-line-error -draftmode
        -no-shell-escape -silent
      `),
      values('-interaction -synctex'),
      takes('write', '-output-directory -outdir -jobname'),
    ]),
  ),
  asciidoctor: document([flags('-q -v -w -s -n -t'), values('-b -a -d -S'), takes('write', '-o -D')]),
  doxygen: {
    level: 'medium',
    reason: 'It makes documents of files of the workspace.',
    operands: ['search'],
    judge: judgeTests,
    others: 'high',
    options: [flags('-v --version -q')],
  },
  typst: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      compile: {
        level: 'medium',
        reason: 'It makes documents of files of the workspace.',
        operands: ['read', 'write'],
        others: 'high',
        options: [values('--format -f --ppi --pages'), takes('search', '--root')],
      },
      ...each('fonts query', look([flags('--variants --one'), values('--field')], ['read', 'text'])),
    },
  },
  lake: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('build test lint', {
        level: 'low',
        operands: { rest: 'text' },
        judge: judgeTests,
        options: [flags('-v -q'), high(values('-K'))],
      }),
    },
  },
  v: {
    level: 'high',
    options: [flags('-v')],
    verbs: {
      ...each('test vet check', {
        level: 'low',
        operands: { rest: 'search' },
        judge: judgeTests,
        options: [flags('-stats -v')],
      }),
      version: look([], []),
    },
  },
  rye: {
    level: 'high',
    reason: 'It installs packages.',
    options: [flags('--version')],
    verbs: {
      ...each('test lint show list', {
        level: 'low',
        operands: { rest: 'search' },
        judge: judgeTests,
        options: [flags('-v -q --all -a')],
      }),
      ...each('sync lock', {
        level: 'medium',
        reason: 'It installs what the project already declares.',
        operands: [],
        options: [flags('--no-lock -f')],
      }),
      fmt: {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: { rest: 'write' },
        options: [flags('--check -v -q')],
      },
    },
  },
};
