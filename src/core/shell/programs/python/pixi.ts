import { eachNamed, type Family, type Manual } from '../../calls/manual';
import { flags, high, values } from '../../calls/options';
import { installsDeclared, installsOrPublishes, readingManual, runsProjectStrictly } from '../shared/kinds';
import { judgePythonRun } from '../shell/wrapping';

const ofPixi = [
  flags('--frozen --locked --no-lockfile-update -q --quiet -v --verbose --no-progress --json --as-is --no-install'),
  values('-e --environment -p --platform --color --summary --machine-readable'),
  // It decides what runs.
  high(values('--manifest-path')),
] as const;

const reads: Manual = {
  ...readingManual,
  options: [
    ...ofPixi,
    flags('--tree -i --invert -x --explicit --extended --json-pretty'),
    values('--sort-by --fields'),
  ],
};

export const pixiFamily: Family = {
  programs: {
    pixi: {
      ...installsOrPublishes,
      options: [flags('--version -V -h --help -q --quiet -v --verbose --no-progress'), values('--color')],
      verbs: {
        ...eachNamed('list ls info tree search', reads),
        ...eachNamed('task workspace project', {
          ...installsOrPublishes,
          verbs: { ...eachNamed('list ls', reads) },
        }),
        install: { ...installsDeclared, options: [...ofPixi, flags('-a --all'), high(values('--skip'))] },
        lock: { ...installsDeclared, options: ofPixi },
        run: {
          level: 'low',
          judge: judgePythonRun,
          options: [...ofPixi, flags('--skip-deps --clean-env'), values('--with-deps')],
        },
        test: runsProjectStrictly,
      },
    },
  },
};
