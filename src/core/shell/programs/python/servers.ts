import { eachNamed, type Family } from '../../calls/manual';
import { flags, takes, values } from '../../calls/options';
import {
  changesFiles,
  installsOrPublishes,
  readingManual,
  strictReadingManual,
  runsProjectStrictly,
  servesProject,
} from '../shared/kinds';
import { judgeTests } from '../shared/projectCode';

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
