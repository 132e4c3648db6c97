import { claim, listed, requestMethod, type Claim, type Claims, type Words } from '../../calls/claims';

const deleting = /^(delete|remove|rm|destroy|terminate|purge|prune|drop|uninstall|deregister|empty|wipe)(-|$)|^rb$/;
const secret = /secret|token|credential|password|kubeconfig|access-key|private-key/i;

/** The two containers programs. */
const containers: Claims = (words) => {
  const {
    plain: [verb, ...more],
    all,
    has,
  } = words;
  const named = more.filter((word) => !deleting.test(word));
  switch (verb) {
    case 'run':
    case 'create':
    case 'exec':
      return starting(words);
    case 'push':
      return claim('sends', `Uploads the image ${listed(more, '')}.`);
    case 'login':
    case 'logout':
      return claim('leaks', 'Uses or changes credentials of a registry.');
    case 'pull':
      return claim('unusual', `Downloads the image ${listed(more, '')}.`);
    case 'rm':
    case 'rmi':
      return claim('destroys', `Deletes ${listed(more, 'containers')}.`);
    case 'kill':
      return claim('unusual', `Stops ${listed(more, 'containers')}.`);
    case 'cp':
      return claim('changes', 'Copies files between this machine and a container.');
    case 'compose':
      return compose(all.slice(all.indexOf('compose') + 1));
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
      const does = more.find((word) => deleting.test(word));
      if (does === 'prune')
        return claim(
          'destroys',
          `Deletes every ${verb === 'system' ? 'container, image and network' : verb} that is not in use${has(/^--volumes$/) ? ', and volumes with their data' : ''}.`,
        );
      return does
        ? claim('destroys', `Deletes the ${verb} ${listed(named, '')}${verb === 'volume' ? ' and its data' : ''}.`)
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

function compose(all: readonly string[]): Claim | undefined {
  const verb = all.find((word) => /^(down|rm|run|exec|kill|push)$/.test(word));
  if (verb === 'down' && all.some((word) => /^(-v|--volumes)$/.test(word)))
    return claim('destroys', 'Stops the containers of this project and deletes their volumes with the data.');
  if (verb === 'rm') return claim('destroys', 'Deletes stopped containers of this project.');
  if (verb === 'run' || verb === 'exec') return claim('unusual', 'Runs a command in a container of this project.');
  return verb === 'push' ? claim('sends', 'Uploads the images of this project.') : undefined;
}

const kubernetes: Claims = ({ plain: [verb, ...more], all }) => {
  switch (verb) {
    case 'delete':
      return claim(
        'destroys',
        `Deletes ${listed(more.length > 0 ? [more.join(' ')] : [], 'what the file names')} from the cluster.`,
      );
    case 'drain':
    case 'cordon':
    case 'taint':
      return claim('changes', `Takes the node ${more[0] ?? ''} of the cluster out of use.`);
    case 'exec':
    case 'run':
    case 'attach':
    case 'debug':
      return claim('changes', `Runs a command in the pod ${more[0] ?? ''} of the cluster.`);
    case 'cp':
      return claim('leaks', 'Copies files between this machine and a pod of the cluster.');
    case 'get':
    case 'describe':
      return all.some((word) => secret.test(word)) ? claim('leaks', 'Shows secrets of the cluster.') : undefined;
    case 'port-forward':
    case 'proxy':
      return claim('changes', 'Opens a way from this machine into the cluster.');
    case 'config':
      return claim('leaks', 'Shows or changes the credentials for clusters.');
    case undefined:
      return undefined;
    default:
      return claim('changes', `Changes the cluster (${verb}).`);
  }
};

const helm: Claims = ({ plain: [verb, ...more] }) => {
  if (verb === 'uninstall' || verb === 'delete')
    return claim('destroys', `Removes ${listed(more, 'a release')} from the cluster.`);
  if (verb === 'install' || verb === 'upgrade' || verb === 'rollback')
    return claim('changes', `Changes ${more[0] ?? 'a release'} in the cluster.`);
  return verb === 'get' ? claim('leaks', 'Shows the values of a release, which may hold secrets.') : undefined;
};

const infrastructure: Claims = ({ plain: [verb], has }) => {
  if (verb === 'destroy' || (verb === 'apply' && has(/^-destroy$/)))
    return claim('destroys', 'Destroys the infrastructure that this project describes.');
  if (verb === 'apply' || verb === 'up')
    return claim('destroys', 'Changes real infrastructure; it may destroy what is there.');
  if (verb === 'state' || verb === 'import' || verb === 'taint' || verb === 'untaint')
    return claim('changes', 'Changes what is recorded of the infrastructure.');
  return verb === 'output' || verb === 'show'
    ? claim('leaks', 'Shows values of the infrastructure, which may hold secrets.')
    : undefined;
};

/** Clouds, of which the verb says what happens. */
const cloud: Claims = ({ program, plain, all, has }) => {
  const said = plain.filter((word) => !word.includes('://') && word !== program).slice(0, 4);
  const doing = plain.find((word) => deleting.test(word));
  const target =
    plain.slice(plain.indexOf(doing ?? '') + 1)[0] ??
    all.find((_, at) => /^--[\w-]*(id|ids|name)$/.test(all[at - 1] ?? '')) ??
    '';
  if (doing)
    return claim(
      'destroys',
      `Deletes ${target || doing.replace(/^\w+-/, '')} in the cloud (${said.slice(0, 2).join(' ')}).`,
    );
  if (program === 'aws' && said[0] === 's3' && /^(cp|mv|sync)$/.test(said[1] ?? '')) {
    const to = plain.at(-1) ?? '';
    if (has(/^--delete$/)) return claim('destroys', `Makes ${to} the same, and deletes what is only there.`);
    return to.startsWith('s3://')
      ? claim('sends', `Uploads ${plain[2] ?? 'files'} to ${to}.`)
      : claim('unusual', `Downloads ${plain[2] ?? 'files'}.`);
  }
  if (all.some((word) => secret.test(word)) || /^(configure|auth|login|sso|iam)$/.test(said[0] ?? ''))
    return claim('leaks', `Shows or changes credentials of the cloud (${program}).`);
  if (
    /^(deploy|publish|release|promote|rollback)/.test(said.at(-1) ?? '') ||
    said.some((word) => /^(deploy|publish|release)$/.test(word))
  )
    return claim('changes', `Deploys with ${program}.`);
  return undefined;
};

const github: Claims = ({ program, plain: [area, verb, ...more], all, has }) => {
  const server = program === 'glab' ? 'GitLab' : 'GitHub';
  if (area === 'auth')
    return claim(
      'leaks',
      verb === 'token' || has(/^(-t|--show-token)$/)
        ? `Shows the token of your ${server} account.`
        : `Changes how you are signed in to ${server}.`,
    );
  if (area === 'secret' || area === 'variable')
    return claim(
      'changes',
      verb === 'delete' || verb === 'remove'
        ? `Deletes the ${area} ${more[0] ?? ''} on ${server}.`
        : `Changes the ${area} ${more[0] ?? ''} on ${server}.`,
    );
  if (area === 'gist' && verb === 'create') return claim('sends', `Uploads ${listed(more, 'a text')} to ${server}.`);
  if (area === 'api') {
    const how = requestMethod(all);
    const target = [verb, ...more].find((word) => word !== undefined && word.toUpperCase() !== how) ?? '';
    if (how === 'DELETE') return claim('destroys', `Deletes ${target} on ${server}.`);
    return how && how !== 'GET' ? claim('changes', `Sends a change of ${target} to ${server}.`) : undefined;
  }
  if (verb === 'delete' || verb === 'remove')
    return claim('destroys', `Deletes the ${area} ${more[0] ?? ''} on ${server}.`);
  if (verb === 'clone') return claim('unusual', `Downloads the repository ${more[0] ?? ''}.`);
  // What a look may show is said by who judged its options.
  if (verb === undefined || looks.test(verb)) return undefined;
  return claim('changes', `Changes things on ${server} (${area} ${verb}).`);
};

const looks = /^(view|list|ls|diff|checks|status|watch)$/;

const sql: Claims = ({ program, all }) => {
  const query = all.find((word) =>
    /\b(drop|delete|truncate|alter|update|insert|create|grant|copy|\\copy)\b/i.test(word),
  );
  if (query === undefined) return undefined;
  const gone =
    /\b(drop|delete|truncate)\b(?:\s+(?:from|table|database|schema|index|view|if|exists|only))*\s+["`]?([\w.]+)?/i.exec(
      query,
    );
  return gone
    ? claim('destroys', `Deletes ${gone[2] ?? 'data'} in the database.`)
    : claim('changes', `Changes data through ${program}.`);
};

const redis: Claims = ({ plain }) => {
  const verb = plain
    .find((word) => /^(flushall|flushdb|del|unlink|set|config|shutdown|eval)$/i.test(word))
    ?.toLowerCase();
  if (verb === undefined) return undefined;
  return /^(flush|del|unlink)/.test(verb)
    ? claim('destroys', `Deletes ${verb.startsWith('flush') ? 'all keys' : 'keys'} of the Redis database.`)
    : claim('changes', 'Changes the Redis database.');
};

export const serviceClaims: Readonly<Record<string, Claims>> = {
  'docker podman': containers,
  'docker-compose podman-compose': ({ all }) => compose(all),
  'kubectl oc k': kubernetes,
  helm,
  'terraform tofu pulumi terragrunt cdk': infrastructure,
  'aws gcloud az doctl hcloud heroku fly flyctl vercel netlify firebase supabase wrangler gsutil railway': cloud,
  'gh glab': github,
  'psql mysql mariadb sqlite3 duckdb': sql,
  'redis-cli valkey-cli': redis,
  'dropdb dropuser': ({ program, plain }) =>
    claim('destroys', `Deletes the ${program.slice(4) === 'db' ? 'database' : 'user'} ${plain.at(-1) ?? ''}.`),
};
