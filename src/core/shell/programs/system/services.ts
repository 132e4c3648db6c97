import { claim, type Claims, joinNames } from '../../calls/claims';
import { eachNamed, type Family, type Judge } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  optionalValues,
  type Options,
  optionTable,
  readArguments,
  readLeadingOptions,
  values,
} from '../../calls/options';
import { note, refuse } from '../../effects/scope';
import { claimsOfRights } from '../files/changing';
import { judgeListsOnly } from '../shared/asks';
import { alwaysNeedsApproval, strictReadingManual } from '../shared/kinds';
import { printsNumber } from '../shared/printed';

const parameter = /^[A-Za-z][\w-]*(?:[./][\w@:*-]+)*$/;

/** A name is a path below /proc/sys, with dots or slashes. `a.//b` climbs to the folder above it. */
const judgeParameters: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => text.includes('='))) refuse(scope, whole, 'Changes the system.');
  for (const { kind, text, source } of words)
    if (!/^-./.test(text) && !text.includes('=') && !(kind === 'literal' && parameter.test(text)))
      refuse(scope, source, 'May read a file that is no parameter of the system.');
  return undefined;
};

/** Without a unit, it lists all of them. */
const judgeUnits: Judge = ({ words, scope, whole, manual }) => {
  const { options, operands } = readArguments(
    words,
    optionTable([...(manual.options ?? []), ...unitOptions]),
    'letters',
  );
  for (const { option, value } of options)
    if (
      option &&
      /^(?:-p|-P|--property)$/.test(option.name) &&
      (value?.kind !== 'literal' || /environ|credential/i.test(value.text))
    )
      refuse(scope, whole, 'Shows the environment of a service, which may contain secrets.');
  if (operands.length > 0 || options.some(({ option }) => option?.level !== 'low')) return undefined;
  note(scope, 'low', whole);
  return 'done';
};

const unitOptions: Options = [
  flags(`
    -a -l -q -r --all --full --quiet --recursive --failed --no-legend --plain --value --reverse --after --before
    --with-dependencies --show-types --wait --no-pager --user --system --no-ask-password --no-wall
  `),
  values('-t -p -P -n -o --type --state --property --lines --output --legend --timestamp'),
];

/** Values of options that no card may take for units. */
const unitValues =
  /^(?:-[sptnoP]|--(?:signal|type|state|property|lines|output|when|kill-whom|kill-who|what|preset-mode|job-mode|legend|timestamp))$/;

/** Only `-p` shows the cache. */
const judgeCache: Judge = ({ words, scope, whole }) => {
  if (words.length !== 1 || !/^(?:-p|--print-cache|-V|--version)$/.test(words[0]!.text)) return undefined;
  note(scope, 'low', whole);
  return 'done';
};

const services: Claims = ({ program, all, plain }) => {
  const [verb, ...names] = plain.filter((word) => !unitValues.test(all[all.indexOf(word) - 1] ?? ''));
  if (program === 'systemctl' && /^show/.test(verb ?? ''))
    return claim('leaks', 'Shows the environment of services, which may contain secrets.');
  if (program === 'systemctl' && /^(?:status|cat|is-|list-|get-|help$)/.test(verb ?? '')) return undefined;
  const [does, which] = program === 'service' ? [names[0], verb] : [verb, joinNames(names, '')];
  return does
    ? claim('changes', `Changes services of the system: ${does} ${which ?? ''}`.trimEnd().concat('.'))
    : undefined;
};

/** Objects of `ip` that a short form may name, and what shows them. Other commands of these change the network. */
const networkObjects: readonly (readonly [object: RegExp, shows: RegExp])[] = [
  [/^a(?:d(?:d(?:r(?:e(?:s(?:s)?)?)?)?)?)?$/, /^(?:s|sh|sho|show|l|ls|lst|li|lis|list)$/],
  [/^(?:r|ro|rou|rout|route)$/, /^(?:s|sh|sho|show|l|ls|lst|li|lis|list|g|ge|get)$/],
  [/^(?:n|ne|nei|neig|neigh|neighbou?r)$/, /^(?:s|sh|sho|show|l|ls|lst|li|lis|list|g|ge|get)$/],
  [/^(?:ru|rul|rule)$/, /^(?:s|sh|sho|show|l|ls|lst|li|lis|list)$/],
  [/^(?:m|ma|mad|madd|maddr|maddress)$/, /^(?:s|sh|sho|show|l|ls|lst|li|lis|list)$/],
  [/^(?:netc|netco|netcon|netconf)$/, /^(?:s|sh|sho|show|l|ls|lst|li|lis|list)$/],
  // Here, `s` means `set`.
  [/^(?:l|li|lin|link)$/, /^(?:sh|sho|show|l|ls|lst|li|lis|list)$/],
  [/^(?:st|sta|stat|stats)$/, /^(?:sh|sho|show)$/],
  [/^(?:tunt|tunta|tuntap)$/, /^(?:sh|sho|show|ls|lst|li|lis|list)$/],
  [/^(?:tunnel|addrlabel|nexthop|ntable|vrf|netns)$/, /^(?:show|list|lst|ls)$/],
];

const networkOptions = optionTable([
  flags(`
    -4 -6 -0 -B -M -br -brief -j -json -p -pretty -o -oneline -s -stats -statistics -d -details -h -human
    -human-readable -iec -r -resolve -t -ts -timestamp -tshort -N -Numeric -all -V -Version --version
  `),
  optionalValues('-c -color'),
  values('-f -family'),
]);

/** Judges `ip addr show`, also in its short forms, such as `ip -br a`. */
const judgeNetwork: Judge = ({ words, scope, whole }) => {
  const { options, rest } = readLeadingOptions(words, networkOptions, 'words');
  const [object, command] = rest.map(({ kind, text }) => (kind === 'literal' ? text : '?'));
  const isHelp = rest.length <= 2 && /^(?:h|he|hel|help)$/.test(rest.at(-1)?.text ?? '');
  const isVersion = rest.length === 0 && options.length === 1 && /version$|^-V$/i.test(options[0]!.name);
  const shows = networkObjects.some(
    ([names, verbs]) => object !== undefined && names.test(object) && (command === undefined || verbs.test(command)),
  );
  // An abbreviation may mean `-batch FILE`.
  const areKnown =
    options.every(({ option, name }) => option !== undefined && option.name === name.replace(/^--(?!version)/, '-')) &&
    rest.every(({ kind }) => kind !== 'unknown');
  if (!areKnown || !(shows || isHelp || isVersion)) return undefined;
  note(scope, 'low', whole);
  return 'done';
};

const later: Claims = ({ program, has }) => {
  if (program === 'crontab' && has(/^-r$/)) return claim('destroys', 'Deletes all scheduled commands of this account.');
  return claim('changes', 'Schedules commands to run later.');
};

const claimsOfShutdown: Claims = ({ program, has }) =>
  claim('machine', program === 'reboot' || has(/^(-r|--reboot)$/) ? 'Restarts the machine.' : 'Turns the machine off.');

const devices: Claims = ({ plain: [drive] }) => claim('machine', `Erases the drive ${drive ?? ''}.`);

const windows: Claims = ({ program, plain: [verb, what] }) => {
  if (program === 'reg')
    return claim(
      verb === 'delete' ? 'destroys' : 'changes',
      `${verb === 'delete' ? 'Deletes' : 'Changes'} ${what ?? 'settings'} in the registry of Windows.`,
    );
  return program === 'schtasks' ? claim('changes', 'Schedules commands to run later.') : undefined;
};

export const servicesFamily: Family = {
  programs: {
    ldconfig: { level: 'high', reason: 'Changes the system.', judge: judgeCache },
    systemctl: {
      level: 'high',
      reason: 'Changes services of the system.',
      judge: judgeUnits,
      options: [flags('--version --help -h'), ...unitOptions],
      verbs: {
        ...eachNamed(
          `
          status is-active is-enabled is-failed is-system-running list-units list-timers list-unit-files
          list-automounts list-dependencies list-jobs list-machines list-paths list-sockets get-default
          whoami show cat help
        `,
          { ...strictReadingManual, options: unitOptions },
        ),
      },
    },
    sysctl: {
      level: 'low',
      others: 'high',
      options: [
        flags(
          '-n -a -A -X -N -e -b -q -h -V --values --all --names --ignore --binary --quiet --deprecated --help --version',
        ),
        values('-r --pattern'),
        high(flags('-w --write -p --load -f --system')),
      ],
      judge: judgeParameters,
    },
    ip: { level: 'high', reason: 'Changes the network.', judge: judgeNetwork },
    ifconfig: { level: 'low', operands: ['text'], options: [flags('-a')] },
    ...eachNamed('chown chgrp setfacl chattr', alwaysNeedsApproval('Changes owners or rights.')),
    crontab: { ...alwaysNeedsApproval('Installs something that runs later.'), judge: judgeListsOnly },
    ...eachNamed('at batch', { ...alwaysNeedsApproval('Installs something that runs later.'), judge: judgeListsOnly }),
    ...eachNamed('tmux screen', {
      ...alwaysNeedsApproval('Runs programs in another terminal.'),
      judge: judgeListsOnly,
    }),
    launchctl: { ...alwaysNeedsApproval('Changes services of the system.'), judge: judgeListsOnly },
    journalctl: {
      level: 'medium',
      reason: 'Reads the logs of the system.',
      operands: { rest: 'text' },
      options: [
        values(`
          -u -n -p -o -t -g -S -U -T -c -F --unit --grep --output --priority --identifier --exclude-identifier --since
          --until --facility --field --output-fields --cursor --after-cursor --user-unit --invocation
        `),
        // `-b -1` and `-n 20`: numbers of boots and lines.
        flags(`
          -# -e -x -k -r -q -a -l -m -N -h --list-boots --disk-usage --reverse --no-pager --user --system --all --full
          --no-full --merge --utc --no-hostname --no-tail --catalog --pager-end --dmesg --quiet --header
          --fields --show-cursor --truncate-newline --list-invocations --list-catalog --version --help
        `),
        optionalValues('-b --boot --lines --case-sensitive'),
        medium(flags('-f --follow')),
      ],
    },
  },
  claims: {
    ...eachNamed('chown chgrp', claimsOfRights),
    ...eachNamed('systemctl service launchctl', services),
    ...eachNamed('crontab at batch', later),
    ...eachNamed('shutdown reboot halt poweroff', claimsOfShutdown),
    ...eachNamed('format diskpart', devices),
    ...eachNamed('reg schtasks', windows),
  },
  prints: { sysctl: printsNumber(/^-n (?:hw\.ncpu|hw\.logicalcpu|hw\.physicalcpu)$/) },
};
