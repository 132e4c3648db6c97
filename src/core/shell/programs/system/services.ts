import { claim, type Claims, joinNames } from '../../calls/claims';
import { each, type Family, type Judge } from '../../calls/manual';
import { flags, medium, optionalValues, values } from '../../calls/options';
import { refuse } from '../../effects/scope';
import { claimsOfRights } from '../files/changing';
import { judgeListsOnly } from '../shared/asks';
import { alwaysNeedsApproval, strictReadingManual } from '../shared/kinds';
import { printsNumber } from '../shared/printed';

const judgeNoAssignment: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => text.includes('='))) refuse(scope, whole, 'Changes the system.');
  return undefined;
};

const services: Claims = ({ program, plain: [verb, ...names] }) => {
  const [does, which] = program === 'service' ? [names[0], verb] : [verb, joinNames(names, '')];
  return does
    ? claim('changes', `Changes services of the system: ${does} ${which ?? ''}`.trimEnd().concat('.'))
    : undefined;
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
    ldconfig: { level: 'high', reason: 'Changes the system.', options: [flags('-p')] },
    systemctl: {
      level: 'high',
      reason: 'Changes services of the system.',
      options: [flags('--user --no-pager --version')],
      verbs: {
        ...each(
          `
          status is-active is-enabled is-failed list-units list-timers list-unit-files show cat
        `,
          {
            ...strictReadingManual,
            options: [flags('--no-pager --user --all -l --failed'), values('--type --state -n')],
          },
        ),
      },
    },
    sysctl: { level: 'low', operands: ['text'], options: [flags('-n -a')], judge: judgeNoAssignment },
    ip: {
      level: 'high',
      reason: 'Changes the network.',
      options: [flags('-4 -6 -br -j -o -brief')],
      verbs: {
        ...each('addr a address link route r neigh', {
          level: 'low',
          bare: { level: 'low', operands: [] },
          verbs: { ...each('show list ls', strictReadingManual) },
        }),
      },
    },
    ifconfig: { level: 'low', operands: ['text'], options: [flags('-a')] },
    ...each('chown chgrp setfacl chattr', alwaysNeedsApproval('Changes owners or rights.')),
    crontab: { ...alwaysNeedsApproval('Installs something that runs later.'), judge: judgeListsOnly },
    ...each('at batch', alwaysNeedsApproval('Installs something that runs later.')),
    ...each('tmux screen', { ...alwaysNeedsApproval('Runs programs in another terminal.'), judge: judgeListsOnly }),
    launchctl: { ...alwaysNeedsApproval('Changes services of the system.'), judge: judgeListsOnly },
    journalctl: {
      level: 'medium',
      reason: 'Reads the logs of the system.',
      operands: [],
      options: [
        values(`
          -u --unit -n --lines -p -o -t -g --grep --output --priority --identifier --since --until
        `),
        flags('-e -x -k -r -q --list-boots --disk-usage --reverse --no-pager --user'),
        optionalValues('-b --boot'),
        values('--user-unit'),
        medium(flags('-f --follow')),
      ],
    },
  },
  claims: {
    ...each('chown chgrp', claimsOfRights),
    ...each('systemctl service launchctl', services),
    ...each('crontab at batch', later),
    ...each('shutdown reboot halt poweroff', claimsOfShutdown),
    ...each('format diskpart', devices),
    ...each('reg schtasks', windows),
  },
  prints: { sysctl: printsNumber(/^-n (?:hw\.ncpu|hw\.logicalcpu|hw\.physicalcpu)$/) },
};
