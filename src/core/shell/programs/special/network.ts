import { flags, high, takes, values } from '../../calls/options';
import { isLocal } from '../../verdict/address';
import { optionTable, readArguments, type GivenOption } from '../../calls/options';
import { doubt, note, refuse, touch } from '../../effects/scope';
import { judgeRole } from '../../calls/judgeByManual';
import { literal } from '../../syntax/value';
import type { Call, Judge } from '../../calls/manual';

const curlOptions = optionTable([
  flags(`
      -s -S -f -L -i -I -v -g -N -4 -6 -# -Z -O --silent --show-error --fail --fail-with-body
      --location --include --head --verbose --no-progress-meter --progress-bar --compressed
      --globoff --no-buffer --ipv4 --ipv6 --http1.1 --http2 --http3 --create-dirs --remote-name
      --retry-connrefused --retry-all-errors --tlsv1.2 --tlsv1.3 --version --help
    `),
  values(`
      -w -m -A -H -X -d -e -C -r --write-out --max-time --connect-timeout --retry --retry-delay
      --retry-max-time --user-agent --header --request --range --referer --max-redirs --data
      --data-raw --json
    `),
  takes('write', '-o --output --output-dir'),
  takes('url', '--url'),
  high(
    flags('-q -k -J --get --insecure --location-trusted --netrc --netrc-optional --next'),
    values(`
      -F -T -u -x -K -b -c -E -U --data-binary --data-ascii --data-urlencode --url-query --form
      --upload-file --user --proxy --preproxy --config --cookie --cookie-jar --cert --key
      --netrc-file --resolve --connect-to --unix-socket --abstract-unix-socket --interface
      --doh-url --dns-servers --trace --trace-ascii --stderr --dump-header --engine --libcurl
      --hsts --alt-svc --etag-save --oauth2-bearer
    `),
  ),
]);

/** A plain download of a written-down address is medium, from this machine low; anything that sends is high. */
export const judgeCurl: Judge = (one) => {
  const { options, operands } = readArguments(one.words, curlOptions, 'letters', false);
  const { scope, whole } = one;
  note(scope, 'low', whole);
  const addresses = [
    ...operands,
    ...options.filter(({ option }) => option?.role === 'url').flatMap(({ value }) => (value ? [value] : [])),
  ];
  const local = addresses.length > 0 && addresses.every(({ kind, text }) => kind !== 'unknown' && isLocal(text));
  for (const given of options) judgeCurlOption(given, local, one);
  for (const value of operands) judgeRole('url', value, scope, whole);
  if (options.some(({ option }) => option && /^(-O|--remote-name)$/.test(option.name)))
    for (const { text, source } of operands) touch(scope, 'writes', literal(downloaded(text), source));
  return 'done';
};

function judgeCurlOption({ option, name, value, culprit }: GivenOption, local: boolean, { scope, whole }: Call): void {
  if (!option || option.level === 'high')
    return refuse(scope, culprit, `The option ${name} can send data, use credentials or switch safety off.`);
  if (option.role === 'write' && value) return touch(scope, 'writes', value);
  if (option.role === 'url' && value) return judgeRole('url', value, scope, whole);
  if (/^(-O|--remote-name)$/.test(option.name)) return note(scope, 'medium', culprit, 'It writes a file.');
  if (value && (value.kind !== 'literal' || value.computed))
    return doubt(scope, culprit, 'What it sends is only known when it runs.');
  if (/^(-X|--request)$/.test(option.name))
    return /^(GET|HEAD|OPTIONS)$/.test(value?.text ?? '')
      ? undefined
      : local && value?.text.toUpperCase() !== 'DELETE'
        ? note(scope, 'medium', culprit, 'It sends a request that may change something.')
        : refuse(scope, culprit, 'It sends a request that may change something.');
  if (/^(-d|--data|--data-raw|--json)$/.test(option.name))
    return local && !/^@/.test(value?.text ?? '')
      ? note(scope, 'medium', culprit, 'It sends data to this machine.')
      : refuse(scope, culprit, 'It sends data.');
  if (
    /^(-H|--header)$/.test(option.name) &&
    !/^(accept|accept-language|content-type|user-agent|cache-control)\s*:/i.test(value?.text ?? '')
  )
    return refuse(scope, culprit, 'It sends credentials or reads headers from a file.');
  if (/^(-w|--write-out)$/.test(option.name) && /^@|%output|%header|env/i.test(value?.text ?? ''))
    return refuse(scope, culprit, 'It writes a file.');
}

/** The file that an address is kept in where none is named. */
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

export const judgeWget: Judge = ({ words, scope, whole }) => {
  const { options, operands } = readArguments(words, wgetOptions, 'letters', false);
  note(scope, 'low', whole);
  for (const { option, name, value, culprit } of options) {
    if (!option || option.level === 'high')
      refuse(scope, culprit, `The option ${name} can send data, run programs or switch safety off.`);
    else if (value && option.role === 'write') touch(scope, 'writes', value);
  }
  for (const value of operands) judgeRole('url', value, scope, whole);
  if (!options.some(({ option }) => option && /^(-O|--output-document|--spider|--version|--help)$/.test(option.name)))
    for (const { text, source } of operands) touch(scope, 'writes', literal(downloaded(text), source));
  return 'done';
};
