import { claim, listed, type Claims } from '../../calls/claims';

/** Options of `sudo` and its kin that take a word with them. */
const takesWord = /^(-[ugpCrtUDRThcs]|--(user|group|prompt|chdir|chroot|host|role|type|other-user))$/;

/** Runs another command with other rights: what that command does is worse for it. */
const asAnother: Claims = ({ all }, claimOf) => {
  let at = 0;
  let user = 'root';
  for (; at < all.length && (all[at]!.startsWith('-') || /^\w+=/.test(all[at]!)); at++) {
    if (/^(-u|--user)$/.test(all[at]!)) user = all[at + 1] ?? user;
    if (takesWord.test(all[at]!)) at++;
  }
  const command = all.slice(at);
  if (command.length === 0) return claim('machine', `Opens a shell with the rights of ${user}.`);
  const inner = claimOf(command);
  const written = command.join(' ');
  const shown = written.length > 80 ? `${written.slice(0, 80)}…` : written;
  return claim(inner?.harm === 'leaks' ? 'leaks' : 'destroys', `Runs "${shown}" with the rights of ${user}.`);
};

const ends: Claims = ({ program, plain, all }) => {
  const names = plain.filter((word) => !/^(9|15|\d|KILL|TERM|HUP|INT)$/.test(word) || program !== 'kill');
  if (program === 'kill' && names.length === 0 && all.every((word) => word.startsWith('-')))
    return claim('machine', 'Ends every process of this account.');
  return claim('changes', `Ends the ${names.length > 1 ? 'processes' : 'process'} ${listed(names, 'that it names')}.`);
};

const rights: Claims = ({ program, plain: [mode = '', ...files] }) => {
  const which = listed(files, 'files').replace(/^\.$/, 'everything in this folder');
  if (program === 'chown' || program === 'chgrp') return claim('changes', `Changes the owner of ${which}.`);
  if (/s/.test(mode.replace(/^[ugoa]*[+=-]/, '')) || /^[2467]\d{3}$/.test(mode))
    return claim('changes', `Lets whoever runs ${which} have the rights of its owner.`);
  if (/7$|[oa]?\+\w*w|[2367]$/.test(mode) && /^\d/.test(mode))
    return claim('changes', `Gives everybody the right to write to ${which}.`);
  return claim('unusual', `Changes the permissions of ${which}.`);
};

const disks: Claims = ({ program, all, plain, has }) => {
  const target = all.find((word) => word.startsWith('of='))?.slice(3) ?? plain.at(-1) ?? '';
  if (program === 'dd')
    return claim(target.startsWith('/dev/') ? 'machine' : 'destroys', `Overwrites ${target || 'what it is given'}.`);
  if (program === 'shred')
    return claim(
      'destroys',
      has(/^(-u|--remove)/)
        ? `Overwrites and deletes ${listed(plain, 'files')} for good.`
        : `Overwrites ${listed(plain, 'files')} for good.`,
    );
  if (program === 'mount' || program === 'umount') return claim('changes', 'Changes which disks are mounted.');
  return claim('machine', `Erases the disk ${target}.`);
};

const services: Claims = ({ program, plain: [verb, ...names] }) => {
  const [does, which] = program === 'service' ? [names[0], verb] : [verb, listed(names, '')];
  return does
    ? claim('changes', `Changes services of the system: ${does} ${which ?? ''}`.trimEnd().concat('.'))
    : undefined;
};

const later: Claims = ({ program, has }) => {
  if (program === 'crontab' && has(/^-r$/)) return claim('destroys', 'Deletes all scheduled commands of this account.');
  return claim('changes', 'Schedules commands that run later, by themselves.');
};

const shells: Claims = ({ program, all, plain }) => {
  switch (program) {
    case 'alias':
      return claim('changes', `Makes ${plain[0]?.split('=')[0] ?? 'a name'} mean another command.`);
    case 'export':
    case 'declare':
    case 'typeset':
    case 'readonly':
    case 'local': {
      const name = plain.find((word) => /^\w+/.test(word))?.split('=')[0];
      if (name && /^(PATH|LD_|DYLD_|NODE_OPTIONS|PYTHONPATH|BASH_ENV|ENV|PROMPT_COMMAND|GIT_)/.test(name))
        return claim(
          'changes',
          `Changes the shell for later commands: sets ${name}, which decides what programs run or load.`,
        );
      return claim(
        'unusual',
        `Sets the variable ${name ?? ''} for later commands.`.replace('variable  for', 'variables for'),
      );
    }
    case 'trap':
      return claim('unusual', 'Runs a command when the shell ends or is interrupted.');
    case 'exec':
      return plain.length > 0 && !/^[<>&\d]/.test(plain[0]!)
        ? claim('unusual', `Replaces the shell with ${plain[0]}.`)
        : all.length === 0
          ? claim('unusual', 'Redirects what later commands print or read.')
          : undefined;
    default:
      return undefined;
  }
};

const off: Claims = ({ program, has }) =>
  claim('machine', program === 'reboot' || has(/^(-r|--reboot)$/) ? 'Restarts the machine.' : 'Turns the machine off.');

const shellHistory: Claims = ({ has }) => {
  if (has(/^-c$/)) return claim('leaks', 'Deletes the command history of this shell.');
  return has(/^-d/) ? claim('leaks', 'Deletes lines of the command history of this shell.') : undefined;
};

/** `su - root -c 'ls'`: the user is the first word, and what runs is the value of an option. */
const asOther: Claims = (words) => {
  const { all } = words;
  const at = all.findIndex((word) => /^(-c|--command)$/.test(word));
  const command = at < 0 ? undefined : all[at + 1];
  const [user = 'root'] = all.filter((word, index) => !word.startsWith('-') && !takesWord.test(all[index - 1] ?? ''));
  if (command === undefined) return claim('machine', `Opens a shell with the rights of ${user}.`);
  const shown = command.length > 80 ? `${command.slice(0, 80)}…` : command;
  return claim('destroys', `Runs "${shown}" with the rights of ${user}.`);
};
const devices: Claims = ({ plain: [drive] }) => claim('machine', `Erases the drive ${drive ?? ''}.`);
const windows: Claims = ({ program, plain: [verb, what] }) => {
  if (program === 'reg')
    return claim(
      verb === 'delete' ? 'destroys' : 'changes',
      `${verb === 'delete' ? 'Deletes' : 'Changes'} ${what ?? 'settings'} in the registry of Windows.`,
    );
  return program === 'schtasks' ? claim('changes', 'Schedules commands that run later, by themselves.') : undefined;
};

export const systemClaims: Readonly<Record<string, Claims>> = {
  'sudo doas pkexec runuser': asAnother,
  su: asOther,
  history: shellHistory,
  'kill pkill killall xkill taskkill': ends,
  'chmod chown chgrp': rights,
  'dd shred wipefs fdisk parted mount umount mkfs mkfs.ext4 mkfs.xfs mke2fs': disks,
  'systemctl service launchctl': services,
  'crontab at batch': later,
  'alias export declare typeset readonly local trap exec': shells,
  'shutdown reboot halt poweroff': off,
  'format diskpart': devices,
  'reg schtasks': windows,
};
