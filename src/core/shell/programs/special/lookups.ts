import { flags, values } from '../../calls/options';
import { isLocal, trustworthy } from '../../verdict/address';
import { optionTable, readArguments } from '../../calls/options';
import { doubt, note, refuse } from '../../effects/scope';
import type { Value } from '../../syntax/value';
import type { Judge } from '../../calls/manual';

/*
 * Programs that only see whether a machine answers, or what its name stands for. A name that is asked for can carry data away, so the
 * name of a site may have no part but the usual ones in front.
 */

const usualPart =
  /^(?:www|api|app|apps|cdn|static|assets|docs|dev|staging|test|mail|smtp|imap|ns\d?|dns\d?|auth|login|git|registry|m|db|web)$/;

function isPlainSite({ kind, text }: Value): boolean {
  const parts = text.toLowerCase().split('.');
  const hasCountry =
    parts.length > 2 && /^(?:co|com|org|ac|gov|net)$/.test(parts.at(-2)!) && parts.at(-1)!.length === 2;
  const inFront = parts.slice(0, hasCountry ? -3 : -2);
  const isShort = parts.every((part) => part.length <= 24) && inFront.length <= 2;
  return kind === 'literal' && isShort && inFront.every((part) => usualPart.test(part)) && trustworthy(text);
}

const isHere = ({ kind, text }: Value): boolean => kind === 'literal' && isLocal(text);

const asksNetwork = 'It asks the network about a name.';
const talks = 'It talks to another machine.';
const recordType = /^(?:a|aaaa|mx|txt|ns|cname|soa|srv|ptr|any|\+[a-z]+(?:=\d+)?)$/i;

/** `ping -c 3 example.org`, `dig +short example.org`, `nc -z localhost 5432`. */
export const judgeProbes: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters', false);
  for (const { option, name: given, culprit } of options) {
    if (!option || option.level === 'high')
      doubt(scope, culprit, `What the option ${given.slice(0, 60)} of "${name}" does is not known.`);
  }
  const opens = /^(?:nc|ncat|netcat)$/.test(name);
  const onlyAsks = !opens || options.some(({ name: given }) => given === '-z');
  const further = opens ? /^\d{1,5}(?:-\d{1,5})?$/ : recordType;
  const hosts = operands.filter(({ kind, text }) => kind !== 'literal' || !further.test(text));
  const [host, ...more] = hosts;
  if (!onlyAsks || host === undefined || more.length > 0) refuse(scope, whole, talks);
  else if (isHere(host)) note(scope, 'low', whole);
  else if (!opens && isPlainSite(host)) note(scope, 'medium', whole, asksNetwork);
  else refuse(scope, whole, talks);
  return 'done';
};

const tlsOptions = optionTable([
  flags('-showcerts -brief -quiet -tls1_2 -tls1_3 -verify_return_error -status -prexit'),
  values('-connect -servername -alpn -verify'),
]);

/** `openssl s_client -connect example.org:443 </dev/null`: shows the certificate of a server. What it gets as input would be sent. */
export const judgeShowsCertificate: Judge = ({ words, scope, flow, whole }) => {
  const { options, operands } = readArguments(words, tlsOptions, 'words', false);
  const hosts = options
    .filter(({ name }) => /^-(?:connect|servername)$/.test(name))
    .flatMap(({ value }) => (value ? [{ ...value, text: value.text.replace(/:\d+$/, '') }] : []));
  const isKnown = operands.length === 0 && options.every(({ option }) => option !== undefined);
  const hasInput = flow.piped === true || flow.given !== undefined || (flow.input ?? []).length > 0;
  if (!isKnown || hasInput || hosts.length === 0 || !hosts.every((host) => isHere(host) || isPlainSite(host)))
    refuse(scope, whole, talks);
  else note(scope, 'medium', whole, asksNetwork);
  return 'done';
};
