import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual, type Operands } from '../../calls/manual';
import { flags, high, medium, optionalValues, type Options, takes, values } from '../../calls/options';
import { doubt, note } from '../../effects/scope';
import { judgeTasks } from '../shared/buildTasks';
import { judgeInline } from '../shared/inline';
import {
  changesFiles,
  installsDeclared,
  installsOrPublishes,
  fileReadingManual,
  strictReadingManual,
  runsProject,
  runsProjectStrictly,
} from '../shared/kinds';
import { judgeTests } from '../shared/projectCode';

/** Allows only aliases of the project that test or check. */
const judgeClojure: Judge = (one) => {
  const { words, scope, whole } = one;
  if (words.length === 1 && /^-?-version$/.test(words[0]!.text)) {
    note(scope, 'low', whole);
    return 'done';
  }
  if (
    !/^-[MX](:(test|check|lint|fmt|kaocha|unit|ci|dev|build|cljfmt|clj-kondo))+$/.test(words[0]?.text ?? '') ||
    words.slice(1).some(({ text }) => /^-[eim]|^-S|[:/]\//.test(text))
  )
    doubt(scope, whole, 'Runs unknown code.');
  else {
    judgeTests(one);
    note(
      scope,
      /test|check|lint|kaocha|unit/.test(words[0]!.text) ? 'low' : 'medium',
      whole,
      'Runs code of this project.',
    );
  }
  return 'done';
};

/** Judges `R CMD check .`, which tests and builds a package of the workspace. */
const judgePackageChecks: Judge = (one) => {
  const {
    name,
    words: [first, verb, ...more],
    scope,
    whole,
  } = one;
  if (name !== 'R' || first?.text !== 'CMD' || !/^(check|build)$/.test(verb?.text ?? '')) return undefined;
  judgeTests(one);
  judgeByManual({
    manual: {
      level: verb!.text === 'check' ? 'low' : 'medium',
      reason: 'Packs files.',
      operands: { rest: 'search' },
      options: [flags('--no-manual --as-cran --no-build-vignettes --no-tests --no-vignettes')],
    },
    name: 'R CMD',
    words: more,
    scope,
    flow: one.flow,
    whole,
  });
  return 'done';
};

const build = (options: Options, operands: Operands = { rest: 'search' }): Manual => ({
  level: 'low',
  operands,
  options: [flags('--help -h --version -v --verbose -q --quiet'), ...options],
});

const buildsByVerb: Manual = {
  level: 'high',
  options: [flags('--version -v')],
  verbs: {
    ...eachNamed('build test runtest check spec compile ct eunit dialyzer xref deps', {
      level: 'low',
      operands: { rest: 'text' },
      options: [flags('--release --watch -w --warnings-as-errors --force --no-color'), values('--profile')],
      judge: judgeTests,
    }),
    'get-deps': { ...installsDeclared, options: [] },
    ...eachNamed('run fmt format clean', {
      ...runsProjectStrictly,
      options: [flags('--check --no-print-progress --release'), values('--target --runtime -m --module')],
    }),
    ...eachNamed('version help tree', strictReadingManual),
  },
};

export const functionalFamily: Family = {
  programs: {
    stack: {
      ...installsOrPublishes,
      options: [flags('--version --no-terminal --system-ghc')],
      verbs: {
        ...eachNamed('build test haddock bench', {
          ...build(
            [
              flags(
                '--fast --pedantic --test --no-run-tests --file-watch --dry-run --haddock --no-haddock --bench --no-run-benchmarks --keep-going --coverage --profile --trace --only-dependencies --force-dirty --install-ghc --color',
              ),
              values('--ta --test-arguments --flag -j --jobs'),
              high(values('--exec --ghc-options --copy-bins --local-bin-path')),
            ],
            {
              rest: 'text',
            },
          ),
          judge: judgeTests,
        }),
        ...eachNamed('path ls query', strictReadingManual),
        clean: { ...changesFiles, operands: { rest: 'text' } },
        run: runsProjectStrictly,
      },
    },
    cabal: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        ...eachNamed('build test check haddock bench list-bin', {
          ...build([flags('-O0 -O1 --enable-tests --enable-coverage --dry-run'), values('--test-show-details -j')], {
            rest: 'text',
          }),
          judge: judgeTests,
        }),
        run: runsProjectStrictly,
        clean: changesFiles,
        freeze: changesFiles,
      },
    },
    ...eachNamed('hlint ormolu fourmolu stylish-haskell', {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        flags('--check-idempotence --version -h --help -q --quiet -s --serialise --json --cc --no-exit-code -g --git'),
        values('--ignore --only --hide --color -X --language -j --threads'),
        medium(optionalValues('-r --report', 'write')),
        takes('search', '--hint'),
        medium(flags('-i --inplace'), values('--mode')),
        high(flags('--refactor'), values('--with-refactor --refactor-options')),
      ],
    }),
    ghc: {
      level: 'medium',
      reason: 'Compiles code.',
      style: 'words',
      operands: { rest: 'read' },
      options: [
        flags('--version -O -O0 -O1 -O2 -Wall -Werror --make -fno-code --info -V'),
        takes('write', '-o -outputdir'),
        high(flags('-F'), values('-package -pgmF -fplugin')),
      ],
    },
    ...eachNamed('lein boot', {
      level: 'high',
      verbs: {
        ...eachNamed('test check deps classpath version eastwood kibit', {
          level: 'low',
          operands: { rest: 'text' },
          options: [],
          judge: judgeTests,
        }),
        ...eachNamed('run uberjar jar compile clean cljfmt', runsProjectStrictly),
      },
    }),
    ...eachNamed('clojure clj', { level: 'high', options: [flags('--version -version')], judge: judgeClojure }),
    elm: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        make: {
          level: 'medium',
          reason: 'Builds the project.',
          operands: { rest: 'read' },
          options: [flags('--optimize --debug'), values('--report'), takes('write', '--output --docs')],
        },
      },
    },
    ...eachNamed('elm-test elm-format elm-review', {
      level: 'low',
      declared: true,
      operands: { rest: 'search' },
      options: [flags('--validate'), values('--fuzz --seed'), medium(flags('--fix --yes'))],
    }),
    ...eachNamed('dune crystal gleam rebar3 spago bloop', buildsByVerb),
    nimble: {
      ...buildsByVerb,
      verbs: {
        ...buildsByVerb.verbs,
        install: { ...installsDeclared, options: [flags('-d --depsOnly -y --accept -n --reject')] },
      },
    },
    nim: {
      level: 'medium',
      reason: 'Compiles code.',
      verbs: {
        ...eachNamed('check doc', { level: 'low', operands: ['read'], options: [] }),
        ...eachNamed('c compile cpp js', {
          level: 'medium',
          reason: 'Compiles code.',
          operands: ['read'],
          options: [
            values('-d --define --hints --hint --warning --opt --mm --gc --threads --app --styleCheck --verbosity'),
            flags('-r --run -f --forceBuild --debuginfo --lineDir --stackTrace --checks --assertions -w'),
            takes('write', '-o --out --outdir --nimcache'),
          ],
        }),
      },
    },
    ...eachNamed('opam cpan luarocks sbcl', {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        ...eachNamed('list show info', {
          ...strictReadingManual,
          options: [flags('--installed -i -a --all --short -s --outdated --porcelain'), values('--columns -f --field')],
        }),
      },
    }),
    luacheck: {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        flags('-q -qq --no-color --codes --no-unused --no-max-line-length -d -a -u'),
        values('--std --globals --exclude-files --ignore'),
      ],
    },
    selene: {
      level: 'low',
      operands: { rest: 'search' },
      options: [flags('--quiet -q --no-summary'), values('--display-style')],
    },
    julia: {
      ...runsProject,
      judge: judgeInline,
      startsPrograms: true,
      operands: { first: ['script'], rest: 'text' },
      needsOperand: true,
      options: [
        flags('--version -v --help -h -q --quiet'),
        values('--color -t --threads --check-bounds --depwarn --warn-overwrite'),
        optionalValues('-O --optimize --code-coverage'),
        optionalValues('--project', 'search'),
        high(values('--startup-file -L --load -J --sysimage')),
      ],
    },
    ...eachNamed('R ghci irb', {
      level: 'high',
      reason: 'Runs the code that it is given.',
      judge: judgePackageChecks,
      options: [flags('--version -v -h --help')],
    }),
    mix: {
      level: 'high',
      judge: judgeTasks,
      options: [
        values('--only --exclude --slowest --seed --max-failures --format --label --source --sink --min-cycle-size'),
        flags(`
          --force --all-warnings --check-formatted --cover --trace --failed --warnings-as-errors
          --stale --strict
        `),
      ],
    },
    lake: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('build test lint', {
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
        ...eachNamed('test vet check', {
          level: 'low',
          operands: { rest: 'search' },
          judge: judgeTests,
          options: [flags('-stats -v')],
        }),
        version: fileReadingManual([], []),
      },
    },
  },
};
