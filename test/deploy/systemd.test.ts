import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exitConfig } from '../../src/cli/command.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { findTool } from '../optional-tools.ts';
import { allocatorVariables, packageVersion, readText, settingNames } from './deployment-files.ts';

/** deploy/systemd, as far as it can be tried without a systemd that runs. */
const unit = readText('deploy/systemd/grs.service');
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
const analyze = findTool('systemd-analyze');
/** Reads units without a systemd that runs since version 250. */
const release =
  analyze && Number(/^systemd (\d+)/.exec(spawnSync(analyze, ['--version'], { encoding: 'utf8' }).stdout)?.[1]);
const skip = release !== undefined && Number(release) >= 250 ? false : 'systemd-analyze 250 or newer is not here';
if (skip) console.log(`test/deploy/systemd: two tests are skipped: ${skip}`);

test('systemd: settings that exist, the folder that it may write to, and the package of this version', () => {
  const settings = valuesOf('Environment').flatMap((value) => value.split(' ').map((each) => each.split('=')));
  assert.deepEqual(
    settings.filter(([name]) => !settingNames.has(name!)),
    allocatorVariables,
  );
  const [folder] = valuesOf('WorkingDirectory');
  assert.equal(folder, `/var/lib/${valuesOf('StateDirectory')[0]}`);
  assert.deepEqual(settings, [['DATA_DIR', folder], ...allocatorVariables]);
  assert.ok(unit.includes(`generic-resource-service-${packageVersion}.tgz`));
});

test('systemd: it waits until the requests in flight are completed, and does not restart what is set wrongly', () => {
  assert.ok(Number(valuesOf('TimeoutStopSec')[0]) * 1000 > parseConfig({}).drainTimeoutMs + 2000);
  assert.deepEqual(valuesOf('RestartPreventExitStatus'), [String(exitConfig)]);
  assert.deepEqual(valuesOf('KillMode'), ['mixed']);
});

test('systemd: the unit is one, and a name that systemd does not know is found', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'grs-systemd-'));
  try {
    const verify = (text: string) => {
      const file = join(folder, 'grs.service');
      writeFileSync(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
      const { stdout, stderr } = spawnSync(analyze!, ['verify', file], { encoding: 'utf8' });
      return `${stdout}${stderr}`.split('\n').filter((line) => line.includes('grs.service'));
    };
    assert.deepEqual(verify(unit), []);
    assert.match(verify(unit.replace('ProtectClock', 'ProtectClocks')).join('\n'), /ProtectClocks/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('systemd: its exposure is at most 2 of 10', { skip }, () => {
  const { stdout } = spawnSync(analyze!, ['security', '--offline=true', 'deploy/systemd/grs.service'], {
    encoding: 'utf8',
    cwd: new URL('../..', import.meta.url),
  });
  const [, exposure] = /exposure level for grs\.service: ([\d.]+)/.exec(stdout) ?? [];
  assert.ok(Number(exposure) <= 2, stdout);
});
