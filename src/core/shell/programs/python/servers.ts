import { exactlyOneOf } from '../../../text/alternatives';
import { eachNamed, type Family, type Judge } from '../../calls/manual';
import { flags, takes, values } from '../../calls/options';
import { doubt, note } from '../../effects/scope';
import {
  changesFiles,
  installsOrPublishes,
  readingManual,
  strictReadingManual,
  runsProjectStrictly,
  servesProject,
} from '../shared/kinds';
import { judgeTests, runProjectCode, staysInside } from '../shared/projectCode';

const readOnlyManagement = exactlyOneOf(['test check showmigrations help version']);
/** Options of Django's commands that change what runs, also abbreviated. */
const changesWhatRuns = /^--(?:s(?:et?(?:t\w*)?)?|p(?:yt?\w*)?|te\w*)(?:=|$)/;
/** Values of these options that only tests use. */
const choosesTests: readonly RegExp[] = [
  /^--settings=django\.conf\.global_settings$/,
  /^--settings=(?:[\w.]*[._])?test(?:s|ing)?(?:[._][\w.]*)?$/,
  /^--testrunner=django\.test\.runner\.DiscoverRunner$/,
];
const mayBeLive = /prod|live/;

const changesMoreThanTests = (option: string): boolean =>
  changesWhatRuns.test(option) && (mayBeLive.test(option) || !choosesTests.some((pattern) => pattern.test(option)));

/** Judges the commands of Django that only read or test. Returns undefined for others. `words`: the verb and its words. */
export const judgeReadingManagement: Judge = ({ words, scope, whole }) => {
  const [verb, ...more] = words;
  if (!readOnlyManagement.test(verb?.text ?? '')) return undefined;
  runProjectCode(scope, whole);
  staysInside(words, scope);
  if (more.some(({ text }) => changesMoreThanTests(text)))
    doubt(scope, whole, 'Uses an option that can change what runs.');
  note(scope, 'low', whole);
  return 'done';
};

export const serversFamily: Family = {
  programs: {
    ...eachNamed('uvicorn gunicorn hypercorn daphne', {
      ...servesProject,
      options: [
        flags('--reload --factory --version'),
        values('--port --host --workers -w -b --bind --log-level -k --timeout --access-logfile'),
        takes('search', '--app-dir'),
      ],
    }),
    flask: {
      level: 'high',
      reason: 'Changes data.',
      options: [flags('--debug --version'), values('--app -A')],
      verbs: {
        ...eachNamed('run routes', {
          ...servesProject,
          options: [flags('--debug --reload --no-reload'), values('--port -p --host -h --sort')],
        }),
        db: {
          ...installsOrPublishes,
          verbs: {
            ...eachNamed('current history heads check show', strictReadingManual),
            migrate: runsProjectStrictly,
          },
        },
      },
    },
    ...eachNamed('fastapi streamlit', {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('dev run hello', {
          ...servesProject,
          options: [flags('--reload'), values('--port --host --server.port')],
        }),
        version: strictReadingManual,
      },
    }),
    celery: {
      level: 'high',
      options: [values('-A')],
      verbs: {
        ...eachNamed('worker beat', {
          ...runsProjectStrictly,
          options: [flags('-B'), values('-l --loglevel -c --concurrency -Q')],
        }),
        status: strictReadingManual,
        inspect: {
          level: 'medium',
          reason: 'Queries the workers of the project.',
          operands: { rest: 'text' },
          options: [flags('-j --json'), values('-d --destination -t --timeout')],
        },
      },
    },
    'django-admin': {
      level: 'high',
      judge: judgeReadingManagement,
      verbs: {
        ...eachNamed('version help', strictReadingManual),
        ...eachNamed('startproject startapp makemessages compilemessages', {
          ...changesFiles,
          options: [flags('-a'), values('-l')],
        }),
      },
    },
    alembic: {
      ...installsOrPublishes,
      verbs: {
        ...eachNamed('current history heads check show branches', {
          ...readingManual,
          options: [flags('-v --verbose')],
        }),
      },
    },
    dbt: {
      level: 'high',
      reason: 'Changes data.',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('compile parse list ls', {
          level: 'medium',
          reason: 'Runs code of this project.',
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
  },
};
