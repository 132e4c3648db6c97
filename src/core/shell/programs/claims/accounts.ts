import { claim, optionValue, requestMethod, type Claims } from '../../calls/claims';

const nameOf: Readonly<Record<string, string>> = {
  python: 'Python',
  python3: 'Python',
  py: 'Python',
  node: 'JavaScript',
  deno: 'JavaScript',
  bun: 'JavaScript',
  tsx: 'TypeScript',
  'ts-node': 'TypeScript',
  perl: 'Perl',
  ruby: 'Ruby',
  php: 'PHP',
  lua: 'Lua',
  r: 'R',
  rscript: 'R',
  awk: 'AWK',
  osascript: 'AppleScript',
};
const inlineOption = /^(-e|-c|-p|-pe|-ep|-ne|-pie?|-r|-E|--eval|--print|eval)$/;

/** Code that stands in the command, in the language it is in. */
const interpreters: Claims = ({ program, all, plain }) => {
  const language = nameOf[program.replace(/(?<![\d.])[\d.]+$/, '')] ?? program;
  if (all.some((word) => inlineOption.test(word) || /^-[a-zA-Z]*[ce]$/.test(word)))
    return claim('unusual', `Runs ${language} code that is written in the command.`);
  return plain.every((word) => word === '-')
    ? claim('unusual', `Runs ${language} code that it gets as input.`)
    : undefined;
};

const secretValues: Claims = ({ program, plain }) =>
  claim(
    'leaks',
    plain.length > 0 && program === 'printenv'
      ? `Shows the variable ${plain[0]}, which may hold a secret.`
      : 'Shows the environment, which may hold secrets.',
  );

/** Programs that talk to another machine. */
const elsewhere: Claims = ({ program, plain, has }) => {
  const [host, ...rest] = plain;
  switch (program) {
    case 'scp':
    case 'rsync': {
      const to = plain.at(-1) ?? '';
      if (/^(?:[\w.-]*@)?[\w.-]+:/.test(to))
        return claim('sends', `Copies ${plain.slice(0, -1).join(' and ')} to another machine, ${to.split(':')[0]}.`);
      return plain.some((word) => /^(?:[\w.-]*@)?[\w.-]+:/.test(word))
        ? claim('unusual', 'Copies files from another machine.')
        : undefined;
    }
    case 'ssh':
      return claim(
        'sends',
        rest.length > 0 ? `Runs a command on another machine, ${host}.` : `Signs in to another machine, ${host ?? ''}.`,
      );
    case 'nc':
    case 'ncat':
    case 'netcat':
    case 'telnet':
    case 'socat':
      if (/^n/.test(program) && has(/^(-l|--listen)$/)) {
        const port = plain.findLast((word) => /^\d+$/.test(word));
        const where = port === undefined ? '' : ` at port ${port}`;
        return claim('sends', `Lets other machines connect${where}, and sends them what it gets as input.`);
      }
      return claim(
        'sends',
        `Opens a connection to another machine${host ? `, ${host}` : ''}, and sends what it gets as input.`,
      );
    default:
      return claim('sends', `Talks to another machine${host ? `, ${host}` : ''}.`);
  }
};

/** What is sent, and where. */
const web: Claims = (words) => {
  const { all, plain, has } = words;
  const address =
    all.find((word) => /^https?:\/\//.test(word)) ??
    plain.find((word) => /^[\w-]+(\.[\w-]+)+(\/|$)/.test(word)) ??
    'another machine';
  const where = address.replace(/[?#].*/s, '');
  const socket = optionValue(all, '--unix-socket') ?? optionValue(all, '--abstract-unix-socket');
  if (socket !== undefined && /docker|podman|containerd|crio/i.test(socket))
    return claim(
      'machine',
      `Gives orders to the container service behind ${socket}, which can change this whole machine.`,
    );
  const value =
    all.find((_, at) =>
      /^(-d|--data|--data-raw|--data-binary|--data-ascii|--data-urlencode|--json|-F|--form|-T|--upload-file|--post-file|--body-file)$/.test(
        all[at - 1] ?? '',
      ),
    ) ??
    all
      .find((word) => /^--(data|data-binary|post-file|body-file|upload-file|form|json)=/.test(word))
      ?.replace(/^--[\w-]+=/, '');
  const isFile = has(/^(-T|--upload-file|--post-file|--body-file)/) || /^@|=@/.test(value ?? '');
  const file = value?.replace(/^.*=?@/, '');
  if (value !== undefined && isFile)
    return claim(
      'sends',
      file === '-' ? `Sends what it gets as input to ${where}.` : `Sends the file ${file} to ${where}.`,
    );
  const how = requestMethod(all);
  if (how === 'DELETE') return claim('destroys', `Asks ${where} to delete something.`);
  if (value !== undefined || has(/^--post-data/)) return claim('sends', `Sends data to ${where}.`);
  if (how && how !== 'GET' && how !== 'HEAD')
    return claim('changes', `Sends a ${how} request to ${where}, which may change something there.`);
  if (has(/^(-k|--insecure|--no-check-certificate)$/))
    return claim('unusual', `Connects to ${where} without checking who answers.`);
  return has(/^(-u|--user|-H|--header|-b|--cookie|--oauth2-bearer|-n|--netrc)/)
    ? claim('sends', `Sends credentials or headers to ${where}.`)
    : undefined;
};

/** Programs that make, show and use keys. All of it is as grave as what leaks. */
const keys: Claims = ({ program, all, plain }) => {
  const file = optionValue(all, '-f');
  if (program === 'ssh-keygen') {
    const host = optionValue(all, '-R');
    if (host !== undefined) return claim('leaks', `Removes the keys of ${host} from the list of known hosts.`);
    const hasOther = all.some((word) => /^-[ABDFHIKLMQUYcegiklprsyz]/.test(word));
    return hasOther ? undefined : claim('leaks', `Makes a pair of keys${file === undefined ? '' : ` in ${file}`}.`);
  }
  if (program === 'openssl') {
    const source = optionValue(all, '-in') ?? 'what it gets as input';
    if (plain[0] !== 'enc') return undefined;
    return claim('leaks', all.includes('-d') ? `Decrypts ${source}.` : `Encrypts or encodes ${source}.`);
  }
  const done = gpgVerbs.find(([option]) => all.some((word) => option.test(word)));
  return done && claim('leaks', done[1]);
};

const gpgVerbs: readonly (readonly [RegExp, string])[] = [
  [/^--export-secret-(?:sub)?keys?$/, 'Exports secret keys of GnuPG.'],
  [/^--delete-secret(?:-and-public)?-keys?$/, 'Deletes secret keys of GnuPG.'],
  [/^--delete-keys?$/, 'Deletes public keys of GnuPG.'],
  [/^--(?:quick-|full-)?gen(?:erate)?-key$/, 'Makes a key of GnuPG.'],
  [/^--import$/, 'Imports keys into GnuPG.'],
  [/^(?:-d|--decrypt)$/, 'Decrypts with a key of GnuPG.'],
];

const nested: Claims = ({ all }) => {
  if (all.some((word) => /^-e(nc?|ncodedcommand)?$/i.test(word)))
    return claim('runs', 'Runs hidden code: the command is encoded.');
  return claim('unusual', 'Runs another shell with a command of its own.');
};

/** How PowerShell asks an address. */
const webRequest: Claims = ({ all, plain: [address] }) => {
  const sends = all.some((word) => /^-(infile|body|form)$/i.test(word));
  return sends ? claim('sends', `Sends data to ${address ?? 'another machine'}.`) : undefined;
};

export const accountClaims: Readonly<Record<string, Claims>> = {
  'python python3 py node deno bun tsx ts-node perl ruby php lua rscript osascript': interpreters,
  'env printenv': secretValues,
  'scp rsync ssh sftp ftp nc ncat netcat telnet socat': elsewhere,
  'curl wget http https xh': web,
  'gpg ssh-keygen openssl': keys,
  'powershell pwsh cmd': nested,
  'invoke-webrequest iwr invoke-restmethod irm': webRequest,
};
