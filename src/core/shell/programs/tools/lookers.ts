import type { Manual, Manuals } from '../../calls/manual';
import { judgeTests } from '../special/building';
import { judgeJq } from '../special/search';

const look = (options = '', operands = 'read…'): Manual => ({
  level: 'low',
  operands,
  options: `--version -V --help -h ${options}`,
});
const check = (options = ''): Manual => ({
  level: 'low',
  operands: 'search…',
  declared: true,
  options: `--version -v --help -h --json --strict --quiet -q --silent -s ${options}`,
});
const document = (options: string): Manual => ({
  level: 'medium',
  reason: 'It makes documents of files of the workspace.',
  operands: 'read…',
  judge: judgeTests,
  style: 'words',
  others: 'high',
  options: `--version -v --help ${options}`,
});

/** Less common programs that only look, check, or make documents. */
export const lookerTools: Manuals = {
  'csvstat csvcut csvgrep csvlook csvjson csvsort csvstack csvjoin': look(
    '-c= -m= -r= -d= -t -n -H -S -I -i -l -y= -e= --names --columns= --match= --regex= --count --unique --mean --max --min --sum --nulls --freq --type --delimiter= --no-inference --reverse',
  ),
  'xsv qsv': {
    level: 'high',
    options: '--version --help',
    verbs: {
      'headers stats count frequency select slice search sort table sample flatten fmt join cat dedup schema sniff':
        look(
          '-o=write --output=write -s= -n= -i= -l= -d= -e= -r= -c= --limit= --select= --delimiter= --no-headers --just-names -R -N',
        ),
    },
  },
  dasel: {
    level: 'high',
    reason: 'It can change a file.',
    verbs: {
      'put delete': { level: 'high', reason: 'It can change a file.' },
      select: look('-f=read -p= -r= -w= -s= -m --plain --file=read --parser= --read= --write= --selector=', 'text'),
    },
    options: '--version',
  },
  'tomlq xq': {
    level: 'low',
    operands: 'text read…',
    judge: judgeJq,
    options: '-r -c -e -s -n -S -j --raw-output --arg= --version',
  },
  'htmlq pup': look(
    '-f=read --filename=read -t -a= -p -i= -c --text --attribute= --pretty --color -n --number',
    'text…',
  ),
  gron: look('-u -s -j -v --ungron --stream --json --no-sort --values --monochrome -m -c', 'read'),
  'glow mdcat': look('-s= -w= --style= --width= --columns= --no-pager', 'read…'),
  'difft delta': look('--display= --color= --width= --language= --side-by-side --line-numbers -s -n', 'read…'),
  'dust duf dua pdu': {
    level: 'low',
    operands: 'list…',
    options: '-d= -n= -r -s -b -i -f -a --depth= --all --json --only= --hide= --sort= --version --help -h',
  },
  procs: look('--tree -t --sorta= --sortd=', 'text…'),
  hexyl: look('-n= -c= -s= -o= --length= --skip= --color= -C -p --plain', 'read'),
  'xmlstarlet xml': {
    level: 'high',
    options: '--version',
    verbs: {
      'sel el val fo elements format select validate': look(
        '-t -v= -m= -n -c= -o= -q -e -u -a -N= -T --xpath= -w --well-formed -s= --noout',
        'text…',
      ),
    },
  },
  mlr: {
    level: 'low',
    style: 'words',
    operands: 'text…',
    others: 'high',
    options:
      '--icsv --ojson --opretty --ocsv --ijson --c2p --c2j --j2c --json --csv --tsv --from=read -n --version -I!',
  },
  last: { level: 'low', operands: 'text…', options: '-# -n= -a -x -F -w -f=!' },
  arp: { level: 'low', operands: '', options: '-a -n -e -v' },
  ldd: { level: 'medium', reason: 'It may run what it looks at.', operands: 'read…', options: '-v -u -r -d --version' },
  'pkg-config pkgconf': look(
    '--libs --cflags --modversion --exists --list-all --variable= --print-errors --static --libs-only-l --libs-only-L',
    'text…',
  ),
  ldconfig: { level: 'high', reason: 'It changes the system.', options: '-p' },
  'prove busted bats shellspec phpbench kaocha nextflow-lint protolint verilator-lint': {
    level: 'low',
    operands: 'search…',
    judge: judgeTests,
    others: 'high',
    options:
      '-l -r -v -b -q -t --tap -j= --jobs= --verbose --recursive --timing --pretty --formatter=name --version --help -o=name lint',
  },
  'gitleaks detect-secrets trufflehog': {
    level: 'high',
    options: '--version',
    verbs: {
      'detect scan protect git dir filesystem': {
        level: 'low',
        operands: 'search…',
        others: 'high',
        options:
          '--no-git --staged -v --verbose --redact --no-banner --all-files --only-verified --json -s=search --source=search',
      },
    },
  },
  'dot neato fdp circo twopi': {
    level: 'low',
    operands: 'read…',
    others: 'high',
    style: 'words',
    options: '-Tsvg -Tpng -Tpdf -Tjson -o=write -K= -G= -N= -E= -V',
  },
  fzf: {
    level: 'low',
    operands: '',
    others: 'high',
    options:
      '-f= --filter= -e -i --exact --no-sort -q= --query= -1 -0 -m --select-1 --exit-0 --multi --height= --reverse --version --help',
  },
  'nvidia-smi rocm-smi': {
    level: 'low',
    operands: '',
    others: 'high',
    options: '-L -q -l= --list-gpus --query-gpu= --format= -i= --version',
  },
  'times dirs': { level: 'low', operands: '', options: '-v -p -l' },
  'tsd tstyche bundlesize source-map-explorer type-coverage dpdm ls-engines browserslist': check(
    '--no-warning --circular --detail --at-least= -p=search --project=search --transform --tree --no-tree --only-warnings --mobile-to-desktop --coverage',
  ),
  envinfo: { ...check('--system --binaries --browsers --npmPackages= --languages --markdown --preset='), operands: '' },
  dockerfilelint: check('-o= --output='),
  'graphql-inspector': {
    level: 'high',
    declared: true,
    options: '--version',
    verbs: {
      'validate diff coverage similar': {
        level: 'low',
        operands: 'search…',
        others: 'high',
        options: '--deprecated --strictFragments',
      },
    },
  },
  karma: {
    level: 'high',
    declared: true,
    options: '--version',
    verbs: {
      start: {
        level: 'low',
        operands: 'search',
        judge: judgeTests,
        options:
          '--single-run --no-single-run --browsers=name --reporters=name --log-level= --auto-watch --no-auto-watch --no-colors',
      },
      run: { level: 'low', operands: 'search', judge: judgeTests, options: '' },
    },
  },
  lighthouse: {
    level: 'medium',
    reason: 'It opens an address in a browser.',
    operands: 'url',
    declared: true,
    options: '--quiet --output= --output-path=write --only-categories= --preset= --version --view^',
  },
  'clang-tidy': {
    level: 'low',
    operands: 'search…',
    style: 'words',
    others: 'high',
    options:
      '-checks= --checks= -p=search --quiet -quiet -warnings-as-errors= --warnings-as-errors= -header-filter= --list-checks -list-checks --version --fix^ -fix^ --',
  },
  cppcheck: {
    level: 'low',
    operands: 'search…',
    others: 'high',
    options:
      '-I=search -D= -U= -i= -j= -q --enable= --disable= --std= --quiet --error-exitcode= --suppress= --language= --inline-suppr --force -f --platform= --check-level= --template= --inconclusive --verbose -v --version --xml --max-configs= --library=name',
  },
  detekt: {
    level: 'low',
    operands: '',
    judge: judgeTests,
    others: 'high',
    options:
      '-i=search --input=search -c=search --config=search --build-upon-default-config --all-rules --parallel --version --excludes=',
  },
  semgrep: {
    level: 'medium',
    reason: 'It may ask the network for rules.',
    operands: 'search…',
    others: 'high',
    options:
      '--config=search -f=search --json --sarif --quiet -q --error --lang= -l= -e= --pattern= --metrics= --verbose --exclude= --include= --severity= --version --test --validate',
    verbs: {
      'scan ci': {
        level: 'medium',
        reason: 'It may ask the network for rules.',
        operands: 'search…',
        others: 'high',
        options: '--config=search --json --sarif --quiet -q --error --metrics= --exclude= --include= --severity=',
      },
    },
    bare: { level: 'medium', reason: 'It may ask the network for rules.', operands: 'search…' },
  },
  'conftest opa regal': {
    level: 'high',
    options: '--version',
    verbs: {
      'test verify check lint version': {
        level: 'low',
        operands: 'search…',
        others: 'high',
        options:
          '-p=search --policy=search -v --verbose -o= --output= --all-namespaces --namespace= -n= --coverage -b --bundle --fail-on-warn --strict -S',
      },
    },
  },
  'cfn-lint asyncapi': check('--template= -t=read --region= -i= --ignore-checks= --info -e -f= --format='),
  dbt: {
    level: 'high',
    reason: 'It changes data.',
    options: '--version',
    verbs: {
      'compile parse list ls': {
        level: 'medium',
        reason: 'It runs code of this project.',
        operands: '',
        judge: judgeTests,
        others: 'high',
        options: '-s= --select= -m= --models= --exclude= --target= -t= -q --quiet --output= --resource-type=',
      },
    },
  },
  'latexmk pdflatex xelatex lualatex bibtex biber makeindex': document(
    '-pdf -xelatex -lualatex -c -C -quiet -f -g -interaction= -halt-on-error -output-directory=write -outdir=write -jobname=write -synctex= -file-line-error -draftmode -no-shell-escape -silent',
  ),
  asciidoctor: document('-o=write -D=write -b= -a= -d= -q -v -w -s -n -t -S='),
  doxygen: {
    level: 'medium',
    reason: 'It makes documents of files of the workspace.',
    operands: 'search',
    judge: judgeTests,
    others: 'high',
    options: '-v --version -q',
  },
  typst: {
    level: 'high',
    options: '--version',
    verbs: {
      compile: {
        level: 'medium',
        reason: 'It makes documents of files of the workspace.',
        operands: 'read write',
        others: 'high',
        options: '--root=search --format= -f= --ppi= --pages=',
      },
      'fonts query': look('--variants --field= --one', 'read text'),
    },
  },
  lake: {
    level: 'high',
    options: '--version',
    verbs: { 'build test lint': { level: 'low', operands: 'text…', judge: judgeTests, options: '-v -q -K=!' } },
  },
  v: {
    level: 'high',
    options: '-v',
    verbs: {
      'test vet check': { level: 'low', operands: 'search…', judge: judgeTests, options: '-stats -v' },
      version: look('', ''),
    },
  },
  rye: {
    level: 'high',
    reason: 'It installs packages.',
    options: '--version',
    verbs: {
      'test lint show list': { level: 'low', operands: 'search…', judge: judgeTests, options: '-v -q --all -a' },
      'sync lock': {
        level: 'medium',
        reason: 'It installs what the project already declares.',
        operands: '',
        options: '--no-lock -f',
      },
      fmt: {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: 'write…',
        options: '--check -v -q',
      },
    },
  },
};
