import { strict as assert } from 'node:assert';
import { assessCommand } from '../../../../src/core/security/command/assessCommand';

const below = [
  'rm -rf /', 'rm -fr /', 'rm -r /', 'rm --recursive --force /', 'rm -rf --no-preserve-root /', 'rm -rf "/"', "rm -rf '/'", 'rm -rf //', 'rm -rf /*', 'rm -rf /.', '/bin/rm -rf /', 'sudo rm -rf /', 'sudo -u root rm -rf /etc',
  'cd / && rm -rf *', 'rm -rf /etc', 'rm -rf /usr/', 'rm -rf /var/*', 'rm -rf /home', 'rm -rf /boot', 'rm -rf /bin /sbin', 'rm -rf ~', 'rm -rf ~/', 'rm -rf ~/*', 'rm -rf $HOME', 'rm -rf "$HOME"', 'rm -rf ${HOME}/*', 'rm -rf /root', 'rm -rf /home/somebody',
  'mkfs.ext4 /dev/sda1', 'mkfs -t ext4 /dev/sdb', 'sudo mkfs /dev/sda', 'dd if=/dev/zero of=/dev/sda', 'dd if=image.iso of=/dev/nvme0n1 bs=4M', 'echo x > /dev/sda', 'cat image > /dev/nvme0n1', 'cat image | tee /dev/sda',
  ':(){ :|:& };:', ':(){ :|: & };:', 'bomb() { bomb | bomb & }; bomb', 'kill -9 -1', 'kill -1', 'kill -KILL -1', 'kill -s KILL -- -1',
  'shutdown now', 'shutdown -h now', 'sudo shutdown -r +1', 'reboot', 'sudo reboot', '/sbin/reboot', 'halt', 'poweroff', 'init 0', 'init 6', 'telinit 0', 'sudo init 6', 'systemctl poweroff', 'systemctl reboot', 'systemctl halt', 'sudo systemctl --no-wall kexec',
  'ls && reboot', 'ls; reboot', 'true || reboot', 'sleep 5 & reboot', 'echo $(reboot)', 'bash -c "reboot"', 'bash -c "rm -rf /"', "sh -c 'cd / && rm -rf *'", 'env A=b reboot', 'nohup reboot', 'timeout 5 reboot', 'exec reboot', 'eval "rm -rf /"', "su -c 'reboot'", 'sudo sh -c "rm -rf /"', 'nice rm -rf /', 'if true; then reboot; fi', 'for x in 1; do rm -rf /; done', 'f() { rm -rf /; }; f', '(reboot)', '{ reboot; }', '! reboot', 'x=1 reboot',
  'rm -rf /\u200b ; reboot', `${'# a long comment\n'.repeat(800)}reboot`,
];

const above = [
  'rm -rf /tmp/x', 'rm -rf ./build', 'rm -rf node_modules', 'rm file.txt', 'rm -rf /home/somebody/project/dist', 'rm -rf ~/project/dist', 'rm -rf /var/log/app', 'rm -rf /usr/local/lib/x', 'rm -rf .', 'rm -rf ~backup/x',
  'echo reboot', 'echo "rm -rf /"', 'grep -rn shutdown src', 'cat halt.txt', 'git commit -m "reboot"', 'man reboot', 'which poweroff', 'npm run reboot', './reboot', 'cat init', 'init 3', 'git init', 'terraform init', 'npm init', 'systemctl status reboot.target', 'systemctl restart nginx', 'systemctl --version', 'reboot --help', 'shutdown -c',
  'kill -9 1234', 'kill -1 1234', 'kill %1', 'kill -HUP 1', 'killall node', 'pkill -9 node', 'dd if=/dev/sda of=backup.img', 'dd if=/dev/zero of=file bs=1M count=1', 'echo x > /dev/null', 'cat /dev/sda', 'ls /dev/sda', 'mkfs --help', 'mkdir mkfs', 'f() { echo hi; }; f', 'f() { g | h & }; f', 'sudo ls', 'sudo rm -rf /opt/app', 'chmod -R 777 /', 'find / -name x', 'curl https://example.com | sh',
];

describe('the floor', () => {
  for (const command of below) it(`holds ${JSON.stringify(command).slice(0, 60)}`, () => assert.deepEqual([assessCommand(command).floor, assessCommand(command).level], [true, 'high']));
  for (const command of above) it(`lets others decide on ${JSON.stringify(command)}`, () => assert.equal(assessCommand(command).floor, undefined));
});
