import { claim, type Claim, type Claims, joinNames, type Words } from '../../calls/claims';
import { eachNamed, type Family, type Judge, type Manual, type Manuals } from '../../calls/manual';
import { flags, high, medium, optionTable, readLeadingOptions, saying, takes, values } from '../../calls/options';
import { doubt, refuse } from '../../effects/scope';
import { judgeNotSecret } from '../shared/asks';
import { judgeInContainer } from '../shared/elsewhere';
import { strictReadingManual } from '../shared/kinds';
import { judgeRunsProject } from '../shared/projectCode';

const startsContainers = /^(up|start|restart|build|create|watch|run|exec|scale)$/;

/** Judges `docker compose up`. The compose files are read before the containers start. */
const judgeCompose: Judge = ({ words, scope, whole, manual }) => {
  const { options, rest } = readLeadingOptions(words, optionTable(manual.options ?? []), 'letters');
  const { lookUp } = scope.context;
  if (!startsContainers.test(rest[0]?.text ?? '')) return undefined;
  const files = options
    .filter(({ name, value }) => /^(-f|--f)/.test(name) && value !== undefined)
    .map(({ value }) => value!);
  const written = [...scope.written.keys()].find(
    (path) => /\.(ya?ml|env)$/i.test(path) || files.some(({ text }) => text === path),
  );
  if (written !== undefined) refuse(scope, whole, `Starts containers after the same line changed ${written}.`);
  if (!lookUp) return undefined;
  if (scope.cwd === undefined || files.some(({ kind }) => kind !== 'literal')) {
    doubt(scope, whole, 'Starts a compose file that is only known when it runs.');
    return undefined;
  }
  // Without a file, Docker looks for one. The empty name stands for that.
  for (const name of files.length > 0 ? files.map(({ text }) => text) : ['']) {
    const found = lookUp('compose', name, scope.cwd);
    if (!found)
      doubt(
        scope,
        whole,
        name === ''
          ? 'Starts containers, but no compose file could be read.'
          : `Starts containers from ${name}, which could not be read.`,
      );
    for (const alarm of found?.alarms ?? []) refuse(scope, whole, alarm);
  }
  return undefined;
};

const change: Manual = {
  level: 'medium',
  reason: 'Starts, stops or builds containers of the project.',
  operands: { rest: 'text' },
};

/** Containers by name may belong to anything on this machine. */
const changeNamed: Manual = { ...change, reason: 'Starts or stops containers.' };

const stop: Manual = { level: 'high', reason: 'Stops containers.' };

const inContainer: Manual = { level: 'high', reason: 'Runs a command in a container.', judge: judgeInContainer };

const composeVerbs: Manuals = {
  ...eachNamed('exec run', inContainer),
  ...eachNamed('ps logs images top version port ls stats events volumes', {
    ...strictReadingManual,
    options: [
      values('--tail -n --format'),
      flags('-a --all -q --quiet --services -t --no-log-prefix --no-color --timestamps --json --no-stream --no-trunc'),
      flags('-h --help --orphans --no-orphans --short'),
      values('--since --until --status --filter --index --protocol'),
      medium(flags('-f --follow')),
    ],
  }),
  config: {
    level: 'medium',
    reason: 'May show secrets in the settings.',
    operands: [],
    options: [
      flags('--services --quiet -q --volumes --images --profiles --no-interpolate --no-normalize -h --help --networks'),
      values('--format --hash'),
      takes('write', '-o --output'),
    ],
  },
  ...eachNamed('up start stop restart build create pause unpause watch', {
    ...change,
    options: [
      flags(`
          -d --detach --build --no-deps --force-recreate --remove-orphans --wait --no-cache --pull
          --quiet --no-start --quiet-pull --parallel --no-recreate --abort-on-container-exit --dry-run --timestamps
          --attach-dependencies --always-recreate-deps --menu --no-color --no-log-prefix --quiet-build -w --watch
          --no-attach-deps --with-dependencies --check --print -q -h --help --prune --no-up
        `),
      values(
        '-t --timeout --scale --progress --attach --no-attach --exit-code-from --wait-timeout --build-arg -m --memory',
      ),
      saying('Deletes volumes that no container names any more.', high(flags('-V --renew-anon-volumes'))),
      high(flags('--push'), values('--ssh --builder')),
    ],
  }),
  down: {
    ...change,
    options: [
      flags('--remove-orphans --dry-run -h --help'),
      values('-t --timeout'),
      high(flags('-v --volumes'), values('--rmi')),
    ],
  },
  pull: {
    ...change,
    options: [
      flags('-q --quiet --ignore-pull-failures --include-deps --ignore-buildable -h --help'),
      values('--policy'),
    ],
  },
};

const compose: Manual = {
  level: 'high',
  reason: 'Runs or removes containers.',
  judge: judgeCompose,
  options: [
    flags('--version -h --help --dry-run --compatibility --all-resources'),
    values('-p --project-name --profile --ansi --progress --parallel'),
    takes('search', '--project-directory'),
    takes('search', '-f --file'),
    takes('read', '--env-file'),
  ],
  verbs: composeVerbs,
};

export const deletingVerb =
  /^(delete|remove|rm|destroy|terminate|purge|prune|drop|uninstall|deregister|empty|wipe)(-|$)|^rb$/;

/** Claims for Docker and Podman. */
const containers: Claims = (words) => {
  const {
    plain: [verb, ...more],
    all,
    has,
  } = words;
  const named = more.filter((word) => !deletingVerb.test(word));
  switch (verb) {
    case 'run':
    case 'create':
    case 'exec':
      return starting(words);
    case 'push':
      return claim('sends', `Uploads the image ${joinNames(more, '')}.`);
    case 'login':
    case 'logout':
      return claim('leaks', 'Uses or changes credentials of a registry.');
    case 'pull':
      return claim('unusual', `Downloads the image ${joinNames(more, '')}.`);
    case 'rm':
    case 'rmi':
      return claim('destroys', `Deletes ${joinNames(more, 'containers')}.`);
    case 'kill':
      return claim('unusual', `Stops ${joinNames(more, 'containers')}.`);
    case 'cp':
      return claim('changes', 'Copies files between this machine and a container.');
    case 'compose':
      return claimsOfCompose(all.slice(all.indexOf('compose') + 1));
    case 'system':
    case 'image':
    case 'container':
    case 'volume':
    case 'network':
    case 'builder':
    case 'buildx':
    case 'stack':
    case 'service':
    case 'secret': {
      const does = more.find((word) => deletingVerb.test(word));
      if (does === 'prune') {
        const what = verb === 'system' ? 'container, image and network' : verb;
        const volumes = has(/^--volumes$/) ? ', and volumes with their data' : '';
        return claim('destroys', `Deletes every ${what} that is not in use${volumes}.`);
      }
      return does
        ? claim('destroys', `Deletes the ${verb} ${joinNames(named, '')}${verb === 'volume' ? ' and its data' : ''}.`)
        : undefined;
    }
    default:
      return undefined;
  }
};

function starting({ plain, all, has }: Words): Claim {
  if (has(/^--privileged$/)) return claim('machine', 'Runs a container with all rights of root on this machine.');
  const mounts = all.flatMap((word, at) => {
    if (/^(-v|--volume|--mount)$/.test(word)) return [all[at + 1] ?? ''];
    return /^(--volume|--mount)=|^-v./.test(word) ? [word.replace(/^(--volume=|--mount=|-v)/, '')] : [];
  });
  const source = mounts.map((mount) => /(?:^|,)(?:source|src)=([^,]+)/.exec(mount)?.[1] ?? mount.split(':')[0] ?? '');
  if (source.some((path) => path === '/' || /^\/(etc|root|home|proc|sys|dev|boot)?\/?$/.test(path)))
    return claim(
      'machine',
      `Runs a container that can change ${source.find((path) => path.startsWith('/'))} of this machine.`,
    );
  if (source.some((path) => path.endsWith('docker.sock')))
    return claim('machine', 'Runs a container that controls all others, and with them this machine.');
  if (has(/^--(pid|net|network|ipc|userns)=host$/))
    return claim('changes', 'Runs a container that shares the network or processes of this machine.');
  return claim('unusual', `${plain[0] === 'exec' ? 'Runs a command in' : 'Starts'} the container ${plain[1] ?? ''}.`);
}

function claimsOfCompose(all: readonly string[]): Claim | undefined {
  const verb = all.find((word) => /^(down|rm|run|exec|kill|push)$/.test(word));
  if (verb === 'down' && all.some((word) => /^(-v|--volumes)$/.test(word)))
    return claim('destroys', 'Stops the containers of this project and deletes their volumes with the data.');
  if (verb === 'rm') return claim('destroys', 'Deletes stopped containers of this project.');
  if (verb === 'run' || verb === 'exec') return claim('unusual', 'Runs a command in a container of this project.');
  return verb === 'push' ? claim('sends', 'Uploads the images of this project.') : undefined;
}

/** `docker build - < file`: the build file may be anything. */
const judgeBuildsImage: Judge = (call) => {
  if (call.words.some(({ text }) => text === '-'))
    refuse(call.scope, call.whole, 'Builds an image from what it gets as input.');
  return judgeRunsProject(call);
};

const buildsImage: Manual = {
  ...change,
  judge: judgeBuildsImage,
  operands: ['search'],
  options: [
    flags('--no-cache --pull -q --quiet --rm --load --squash --force-rm --compress --check -h --help'),
    values(
      '-t --tag --target --build-arg --progress --platform --label --annotation --no-cache-filter -m --memory --shm-size --ulimit',
    ),
    takes('search', '-f --file'),
    high(
      flags('--push'),
      values(`
              --secret --ssh --output -o --network --add-host --allow --build-context --cache-from
              --cache-to
            `),
    ),
  ],
};

export const containersFamily: Family = {
  programs: {
    crictl: {
      level: 'high',
      reason: 'Runs or removes containers.',
      options: [flags('--version -v --help -h')],
      verbs: {
        ...eachNamed('ps pods images img inspect inspecti inspectp logs stats info version', {
          ...strictReadingManual,
          judge: judgeNotSecret,
          options: [
            flags('-a --all -q --quiet -v --verbose --no-trunc -l --latest'),
            values('-o --output --name --state --tail --since'),
          ],
        }),
      },
    },
    nerdctl: {
      level: 'high',
      reason: 'Runs or removes containers.',
      options: [flags('--version -v --help -h')],
      verbs: {
        ...eachNamed('ps images info version', {
          ...strictReadingManual,
          options: [flags('-a --all -q --quiet --no-trunc'), values('-f --filter --format')],
        }),
      },
    },
    ...eachNamed('docker podman', {
      level: 'high',
      reason: 'Runs or removes containers.',
      options: [flags('--version -v --help')],
      verbs: {
        ...eachNamed('ps images version info inspect logs stats top port history diff events', {
          ...strictReadingManual,
          judge: judgeNotSecret,
          options: [
            values('-f --filter --format -n --last --tail --since --until --type'),
            flags(`
              -a -q --all --quiet --no-trunc -t --timestamps --no-stream -l --latest -s --size --details
              --human -H --digests -h --help
            `),
            medium(flags('--follow')),
          ],
        }),
        manifest: {
          level: 'high',
          verbs: {
            inspect: { level: 'medium', reason: 'Queries the registry.', operands: ['text'], options: [flags('-v')] },
          },
        },
        ...eachNamed('start pause unpause wait stop restart', {
          ...changeNamed,
          options: [
            values('-t --time --timeout -s --signal --detach-keys'),
            flags('-a --attach -i --interactive -h --help'),
          ],
        }),
        kill: stop,
        exec: inContainer,
        build: buildsImage,
        pull: { level: 'high', reason: 'Downloads an image.' },
        search: {
          level: 'medium',
          reason: 'Queries the registry.',
          operands: ['text'],
          options: [values('--limit --filter -f --format'), flags('--no-trunc -h --help')],
        },
        tag: change,
        compose,
        ...eachNamed('image container volume network', {
          level: 'high',
          reason: 'Changes containers.',
          verbs: {
            build: buildsImage,
            ...eachNamed('ls list inspect logs top history ps stats port diff', {
              ...strictReadingManual,
              judge: judgeNotSecret,
              options: [
                flags(
                  '-a -q --all --quiet -l --latest -s --size --no-trunc -t --timestamps --details --digests --no-stream -v --verbose -h --help',
                ),
                values('--filter -f --format -n --last --tail --since --until'),
                medium(flags('--follow')),
              ],
            }),
            ...eachNamed('start stop restart pause unpause wait', {
              ...changeNamed,
              options: [values('-t --time --timeout -s --signal'), flags('-a --attach -i --interactive -h --help')],
            }),
          },
        }),
        system: {
          level: 'high',
          reason: 'Changes containers.',
          verbs: {
            ...eachNamed('df info', {
              ...strictReadingManual,
              options: [flags('-v --verbose -h --help'), values('--format -f')],
            }),
          },
        },
        context: {
          level: 'high',
          verbs: {
            ...eachNamed('ls show inspect', {
              ...strictReadingManual,
              options: [flags('-q --quiet'), values('--format -f')],
            }),
          },
        },
        buildx: {
          level: 'high',
          verbs: {
            ...eachNamed('build b', buildsImage),
            inspect: { ...strictReadingManual, options: [values('--builder --timeout')] },
            ...eachNamed('ls version du', {
              ...strictReadingManual,
              options: [values('--format --filter --builder'), flags('--no-trunc --verbose --timeout -h --help')],
            }),
          },
        },
      },
    }),
    ...eachNamed('docker-compose podman-compose', compose),
  },
  claims: {
    ...eachNamed('docker podman', containers),
    ...eachNamed<Claims>('docker-compose podman-compose', ({ all }) => claimsOfCompose(all)),
  },
};
