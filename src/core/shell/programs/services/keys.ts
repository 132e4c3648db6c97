import { claim, type Claims, optionValue } from '../../calls/claims';
import { eachNamed, type Family } from '../../calls/manual';
import { flags, medium, takes, values } from '../../calls/options';
import { judgeKeysOnlyShown } from '../documents/media';
import { judgeShowsCertificate } from './network';

/** Programs that create, show and use keys. All of these count as leaks. */
const keys: Claims = ({ program, all, plain }) => {
  const file = optionValue(all, '-f');
  if (program === 'ssh-keygen') {
    const host = optionValue(all, '-R');
    if (host !== undefined) return claim('leaks', `Removes the keys of ${host} from the list of known hosts.`);
    const hasOther = all.some((word) => /^-[ABDFHIKLMQUYcegiklprsyz]/.test(word));
    return hasOther ? undefined : claim('leaks', `Creates a key pair${file === undefined ? '' : ` in ${file}`}.`);
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
  [/^--export-secret-(?:sub)?keys?$/, 'Exports secret keys from GnuPG.'],
  [/^--delete-secret(?:-and-public)?-keys?$/, 'Deletes secret keys from GnuPG.'],
  [/^--delete-keys?$/, 'Deletes public keys from GnuPG.'],
  [/^--(?:quick-|full-)?gen(?:erate)?-key$/, 'Creates a GnuPG key.'],
  [/^--import$/, 'Imports keys into GnuPG.'],
  [/^(?:-d|--decrypt)$/, 'Decrypts with a GnuPG key.'],
];

export const keysFamily: Family = {
  takesData: ['openssl'],
  programs: {
    openssl: {
      level: 'high',
      reason: 'Handles keys.',
      verbs: {
        version: { level: 'low', operands: [], options: [flags('-a -v')] },
        s_client: { level: 'high', reason: 'Connects to another machine.', judge: judgeShowsCertificate },
        ...eachNamed('ciphers list', {
          level: 'low',
          operands: { rest: 'text' },
          options: [flags('-v -V -s -tls1_3 -tls1_2 -commands')],
        }),
        // Prints the certificate of a file, and no key beside it.
        ...eachNamed('x509 req crl', {
          level: 'low',
          style: 'words',
          operands: [],
          options: [
            flags(`
              -noout -text -dates -subject -issuer -fingerprint -serial -enddate -startdate -modulus
              -pubkey -sha256 -sha1 -sha512 -email -purpose -hash -verify -subject_hash -issuer_hash -ocsp_uri -alias
              -ocspid -startdate -quiet
            `),
            values('-inform -outform -ext -checkend -nameopt -certopt'),
            takes('write', '-out'),
            takes('list', '-in'),
          ],
        }),
        verify: {
          level: 'low',
          style: 'words',
          operands: { rest: 'read' },
          options: [
            flags('-verbose -partial_chain -x509_strict'),
            values('-purpose'),
            takes('read', '-CAfile -untrusted'),
          ],
        },
        rand: {
          level: 'low',
          style: 'words',
          operands: ['text'],
          options: [flags('-hex -base64'), takes('write', '-out')],
        },
        base64: { level: 'low', style: 'words', operands: [], options: [flags('-d -e -A'), takes('read', '-in')] },
        dgst: {
          level: 'low',
          style: 'words',
          operands: { rest: 'search' },
          options: [
            flags(
              '-sha256 -sha1 -sha512 -sha384 -sha224 -sha3-256 -sha3-512 -md5 -blake2b512 -hex -r -c -binary -list',
            ),
            takes('read', '-verify -signature'),
            takes('write', '-out'),
          ],
        },
        ...eachNamed('sha256 sha1 sha512 md5', {
          level: 'low',
          style: 'words',
          operands: { rest: 'search' },
          options: [flags('-r -hex')],
        }),
      },
    },
    gpg: {
      level: 'high',
      reason: 'Handles keys.',
      style: 'words',
      options: [medium(flags('--verify --list-keys --version --fingerprint -k'))],
      judge: judgeKeysOnlyShown,
    },
    'ssh-keygen': {
      level: 'high',
      reason: 'Handles keys.',
      options: [values('-E'), takes('read', '-f'), medium(flags('-l'))],
      judge: judgeKeysOnlyShown,
    },
  },
  claims: {
    ...eachNamed('gpg ssh-keygen openssl', keys),
  },
};
