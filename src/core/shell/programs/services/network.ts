import { claim, type Claims, optionValue, requestMethod } from '../../calls/claims';
import { judgeRole } from '../../calls/judgeByManual';
import { type Call, eachNamed, type Family, type Judge } from '../../calls/manual';
import { flags, type GivenOption, high, optionTable, readArguments, takes, values } from '../../calls/options';
import { doubt, note, refuse, type Scope, touch } from '../../effects/scope';
import { literal, type Value } from '../../syntax/value';
import { isLocal, isTrustworthy } from '../../verdict/address';
import { alwaysNeedsApproval } from '../shared/kinds';
import { claimSocat, judgeSocat } from './socat';

/*
 * Programs that only test whether a machine answers, or resolve its name. A name in a query can carry data away, so only
 * common subdomains are allowed.
 */

const usualPart =
  /^(?:www|api|app|apps|cdn|static|assets|docs|dev|staging|test|mail|smtp|imap|ns\d?|dns\d?|auth|login|git|registry|m|db|web)$/;

function isPlainSite({ kind, text }: Value): boolean {
  const parts = text.toLowerCase().split('.');
  const hasCountry =
    parts.length > 2 && /^(?:co|com|org|ac|gov|net)$/.test(parts.at(-2)!) && parts.at(-1)!.length === 2;
  const inFront = parts.slice(0, hasCountry ? -3 : -2);
  const isShort = parts.every((part) => part.length <= 24) && inFront.length <= 2;
  return kind === 'literal' && isShort && inFront.every((part) => usualPart.test(part)) && isTrustworthy(text);
}

const isHere = ({ kind, text }: Value): boolean => kind === 'literal' && isLocal(text);

const queriesNetwork = 'Looks up a name on the network.';

const talks = 'Connects to another machine.';

const recordType = /^(?:a|aaaa|mx|txt|ns|cname|soa|srv|ptr|any|\+[a-z]+(?:=\d+)?)$/i;

/** Judges `ping -c 3 example.org`, `dig +short example.org`, `nc -z localhost 5432`. */
const judgeProbes: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  for (const { option, name: optionName, culprit } of options) {
    if (!option || option.level === 'high')
      doubt(scope, culprit, `Uses the unknown option ${optionName.slice(0, 60)} of "${name}".`);
  }
  const opens = /^(?:nc|ncat|netcat)$/.test(name);
  const onlyAsks = !opens || options.some(({ name: optionName }) => optionName === '-z');
  const further = opens ? /^\d{1,5}(?:-\d{1,5})?$/ : recordType;
  // `dig @127.0.0.1 NAME` asks only this machine.
  const server = name === 'dig' ? operands.find(({ text }) => text.startsWith('@')) : undefined;
  const asksHere = server !== undefined && isHere({ ...server, text: server.text.slice(1) });
  const hosts = operands.filter(
    (word) => (word.kind !== 'literal' || !further.test(word.text)) && !(asksHere && word === server),
  );
  const [host, ...more] = hosts;
  if (!onlyAsks || host === undefined || more.length > 0) refuse(scope, whole, talks);
  else if (isHere(host)) note(scope, 'low', whole);
  else if (!opens && isPlainSite(host)) note(scope, 'medium', whole, queriesNetwork);
  else refuse(scope, whole, talks);
  return 'done';
};

const tlsOptions = optionTable([
  flags('-showcerts -brief -quiet -tls1_2 -tls1_3 -verify_return_error -status -prexit'),
  values('-connect -servername -alpn -verify'),
]);

/**
 * Judges `openssl s_client -connect example.org:443 </dev/null`, which shows a server's certificate. Any input would be
 * sent to the server.
 */
export const judgeShowsCertificate: Judge = ({ words, scope, flow, whole }) => {
  const { options, operands } = readArguments(words, tlsOptions, 'words');
  const hosts = options
    .filter(({ name }) => /^-(?:connect|servername)$/.test(name))
    .flatMap(({ value }) => (value ? [{ ...value, text: value.text.replace(/:\d+$/, '') }] : []));
  const isKnown = operands.length === 0 && options.every(({ option }) => option !== undefined);
  const hasInput = flow.piped === true || flow.inputText !== undefined || (flow.input ?? []).length > 0;
  if (!isKnown || hasInput || hosts.length === 0 || !hosts.every((host) => isHere(host) || isPlainSite(host)))
    refuse(scope, whole, talks);
  else note(scope, 'medium', whole, queriesNetwork);
  return 'done';
};

const curlOptions = optionTable([
  flags(`
      -s -S -f -L -i -I -v -g -N -4 -6 -# -Z -O --silent --show-error --fail --fail-with-body
      --location --include --head --verbose --no-progress-meter --progress-bar --compressed
      --globoff --no-buffer --ipv4 --ipv6 --http1.1 --http2 --http3 --create-dirs --remote-name
      --retry-connrefused --retry-all-errors -k --insecure --tlsv1.2 --tlsv1.3 --version --help
    `),
  values(`
      -w -m -A -H -X -d -e -C -r --write-out --max-time --connect-timeout --retry --retry-delay
      --retry-max-time --user-agent --header --request --range --referer --max-redirs --data
      --data-raw --json
    `),
  takes('write', '-o --output --output-dir'),
  takes('url', '--url'),
  high(
    flags('-q -J --get --location-trusted --netrc --netrc-optional --next'),
    values(`
      -F -T -u -x -K -b -c -E -U --data-binary --data-ascii --data-urlencode --url-query --form
      --upload-file --user --proxy --preproxy --config --cookie --cookie-jar --cert --key
      --netrc-file --resolve --connect-to --unix-socket --abstract-unix-socket --interface
      --doh-url --dns-servers --trace --trace-ascii --stderr --dump-header --engine --libcurl
      --hsts --alt-svc --etag-save --oauth2-bearer
    `),
  ),
]);

/** A plain download from a literal address is medium, from this machine low. Anything that sends data is high. */
const judgeCurl: Judge = (one) => {
  const { options, operands } = readArguments(one.words, curlOptions, 'letters');
  const { scope, whole } = one;
  note(scope, 'low', whole);
  const addresses = [
    ...operands,
    ...options.filter(({ option }) => option?.role === 'url').flatMap(({ value }) => (value ? [value] : [])),
  ];
  const local = addresses.length > 0 && addresses.every(({ kind, text }) => kind !== 'unknown' && isLocal(text));
  for (const option of options) judgeCurlOption(option, local, one);
  for (const value of operands) judgeRole('url', value, scope, whole);
  if (options.some(({ option }) => option && /^(-O|--remote-name)$/.test(option.name)))
    for (const { text, source } of operands) touch(scope, 'writes', literal(downloaded(text), source));
  return 'done';
};

/** `local`: true if it connects to this machine only. */
function judgeCurlOption(given: GivenOption, local: boolean, { scope, whole }: Call): void {
  const { option, name, value, culprit } = given;
  if (!option || option.level === 'high')
    return refuse(
      scope,
      culprit,
      `Uses the option ${name}, which can send data, use credentials or turn off safety checks.`,
    );
  if (option.role === 'write' && value) return touch(scope, 'writes', value);
  if (option.role === 'url' && value) return judgeRole('url', value, scope, whole);
  if (value && (value.kind !== 'literal' || value.computed))
    return doubt(scope, culprit, 'Sends data that is only known when it runs.');
  const text = value?.text ?? '';
  switch (option.name) {
    case '-k':
    case '--insecure':
      // A server of this machine rarely has a certificate that others trust.
      return local ? undefined : refuse(scope, culprit, 'Connects without checking who answers.');
    case '-O':
    case '--remote-name':
      return note(scope, 'medium', culprit, 'Writes a file.');
    case '-X':
    case '--request':
      return judgeMethod(given, local, scope);
    case '-d':
    case '--data':
    case '--data-raw':
    case '--json':
      return local && !text.startsWith('@')
        ? note(scope, 'medium', culprit, 'Sends data to this machine.')
        : refuse(scope, culprit, 'Sends data.');
    case '-H':
    case '--header':
      return harmlessHeader.test(text)
        ? undefined
        : refuse(scope, culprit, 'Sends credentials or reads headers from a file.');
    case '-w':
    case '--write-out':
      return /^@|%output|%header|env/i.test(text) ? refuse(scope, culprit, 'Writes a file.') : undefined;
  }
}

const harmlessHeader = /^(accept|accept-language|content-type|user-agent|cache-control)\s*:/i;

function judgeMethod({ value, culprit }: GivenOption, local: boolean, scope: Scope): void {
  const method = value?.text;
  if (/^(GET|HEAD|OPTIONS)$/.test(method ?? '')) return;
  const isMild = local && method?.toUpperCase() !== 'DELETE';
  note(scope, isMild ? 'medium' : 'high', culprit, 'Sends a request that may change something.');
}

/** Returns the name of the file that a download is saved to by default. */
const downloaded = (address: string): string =>
  address
    .replace(/[?#].*/s, '')
    .split('/')
    .at(-1) || 'download';

const wgetOptions = optionTable([
  flags(`
      -q -v -nv -c -N -S -4 -6 --quiet --verbose --no-verbose --continue --timestamping
      --server-response --spider --show-progress --version --help --https-only
    `),
  values('-T -t --timeout --tries --progress --max-redirect'),
  takes('write', '-O -P --output-document --directory-prefix'),
  high(
    flags('--no-check-certificate --recursive --mirror'),
    values(`
      --use-askpass --execute --input-file --config --post-data --post-file --body-data
      --body-file --header --proxy-user --user --password --load-cookies --save-cookies --method
      --output-file --append-output
    `),
  ),
]);

const judgeWget: Judge = ({ words, scope, whole }) => {
  const { options, operands } = readArguments(words, wgetOptions, 'letters');
  note(scope, 'low', whole);
  for (const { option, name, value, culprit } of options) {
    if (!option || option.level === 'high')
      refuse(scope, culprit, `Uses the option ${name}, which can send data, run programs or turn off safety checks.`);
    else if (value && option.role === 'write') touch(scope, 'writes', value);
  }
  for (const value of operands) judgeRole('url', value, scope, whole);
  if (!options.some(({ option }) => option && /^(-O|--output-document|--spider|--version|--help)$/.test(option.name)))
    for (const { text, source } of operands) touch(scope, 'writes', literal(downloaded(text), source));
  return 'done';
};

/** Programs that talk to another machine. */
export const elsewhere: Claims = ({ program, plain, has }) => {
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
      if (/^n/.test(program) && has(/^(-l|--listen)$/)) {
        const port = plain.findLast((word) => /^\d+$/.test(word));
        const where = port === undefined ? '' : ` at port ${port}`;
        return claim('sends', `Lets other machines connect${where} and sends them its input.`);
      }
      return claim('sends', `Opens a connection to another machine${host ? `, ${host}` : ''}, and sends its input.`);
    default:
      return claim('sends', `Connects to another machine${host ? `, ${host}` : ''}.`);
  }
};

/** Claims about what is sent, and where. */
const web: Claims = (words) => {
  const { all, plain, has } = words;
  const address =
    all.find((word) => /^https?:\/\//.test(word)) ??
    plain.find((word) => /^[\w-]+(\.[\w-]+)+(\/|$)/.test(word)) ??
    'another machine';
  const where = address.replace(/[?#].*/s, '');
  const socket = optionValue(all, '--unix-socket') ?? optionValue(all, '--abstract-unix-socket');
  if (socket !== undefined && /docker|podman|containerd|crio/i.test(socket))
    return claim('machine', `Controls the container service at ${socket}, which can change this whole machine.`);
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
    return claim('sends', file === '-' ? `Sends its input to ${where}.` : `Sends the file ${file} to ${where}.`);
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

/** Web requests of PowerShell. */
const webRequest: Claims = ({ all, plain: [address] }) => {
  const sends = all.some((word) => /^-(infile|body|form)$/i.test(word));
  return sends ? claim('sends', `Sends data to ${address ?? 'another machine'}.`) : undefined;
};

export const networkFamily: Family = {
  takesData: ['curl', 'wget'],
  programs: {
    ...eachNamed('ping ping6', {
      level: 'high',
      judge: judgeProbes,
      options: [flags('-4 -6 -n -q -v -D -O'), values('-c -W -i -w -s -t')],
    }),
    ...eachNamed('dig host nslookup', {
      level: 'high',
      judge: judgeProbes,
      options: [flags('-4 -6 -x'), values('-t -p')],
    }),
    ...eachNamed('nc ncat netcat', {
      level: 'high',
      judge: judgeProbes,
      options: [flags('-z -v -n -4 -6 -u'), values('-w')],
    }),
    ...eachNamed('http https xh xhs httpie', {
      level: 'high',
      reason: 'Connects to another machine.',
      options: [
        flags(`
          -h -b -v --headers --body --verbose --json -j --follow -F --check-status --ignore-stdin
          --version
        `),
        values('-p --print --pretty --timeout'),
      ],
      verbs: {
        ...eachNamed('GET HEAD OPTIONS', {
          level: 'low',
          operands: ['url'],
          others: 'high',
          options: [flags('-h -b -v --headers --body --check-status --ignore-stdin'), values('--pretty')],
        }),
      },
      bare: { level: 'low', operands: ['url'], others: 'high' },
    }),
    socat: { level: 'high', reason: 'Connects to another machine.', judge: judgeSocat },
    curl: { level: 'medium', judge: judgeCurl },
    wget: { level: 'medium', judge: judgeWget },
    ...eachNamed(
      'ssh scp sftp ftp telnet traceroute whois mail sendmail',
      alwaysNeedsApproval('Connects to another machine.'),
    ),
    ...eachNamed(
      `
      bw op pass gopass lpass dashlane dcli keepassxc-cli keyring secret-tool security vault bao
      chamber doppler infisical sops age rage aws-vault saml2aws keytool certutil nmcli wg ssh-add
      pinentry berglas teller envchain mysql_config_editor rbw akeyless conjur credstash summon ejson ykman oathtool
      nordpass pass-cli kwallet-query kwalletcli gnome-keyring cmdkey
    `,
      alwaysNeedsApproval('Handles secrets.'),
    ),
  },
  claims: {
    ...eachNamed('scp ssh sftp ftp nc ncat netcat telnet', elsewhere),
    socat: claimSocat,
    ...eachNamed('curl wget http https xh', web),
    ...eachNamed('invoke-webrequest iwr invoke-restmethod irm', webRequest),
  },
};
