import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Program, proxies, startProxy, wrapNginx } from './proxies.ts';

/** The configurations of docs/scaling.md that send the requests of a project to the same machine. */

const page = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8');
const projects = Array.from({ length: 60 }, (_, n) => `shop-${n}`);

/** Stand for services: each says its number. */
let machines: Server[];
let ports: number[];
before(async () => {
  machines = [0, 1, 2].map((number) =>
    createServer((request, response) => {
      request.resume();
      request.on('end', () => response.end(String(number)));
    }),
  );
  for (const machine of machines) await once(machine.listen(0, '127.0.0.1'), 'listening');
  ports = machines.map((machine) => (machine.address() as AddressInfo).port);
});
after(() => {
  for (const machine of machines) machine.close();
});

/** What the page has in a language, with other addresses. */
function configurationOf(language: string, port: number): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  assert.notEqual(text, '');
  return ports
    .reduce((placed, each, at) => placed.replace(`10.0.0.${at + 1}:8080`, `127.0.0.1:${each}`), text)
    .replace('listen 80', `listen 127.0.0.1:${port}`)
    .replace('bind :80', `bind 127.0.0.1:${port}`);
}

const programs: Readonly<Record<string, Program>> = {
  nginx: {
    ...proxies['nginx with its defaults']!,
    configuration: (port, _, folder) => wrapNginx(folder, configurationOf('nginx', port)),
  },
  HAProxy: { ...proxies.HAProxy!, configuration: (port) => configurationOf('haproxy', port) },
};

/** The machine that each project is sent to, by reads and by writes. */
async function placesOf(port: number): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  for (const project of projects) {
    const url = `http://127.0.0.1:${port}/${project}/resource`;
    const answers = await Promise.all([
      fetch(`${url}/key=a%2Fb?expand=category`),
      fetch(`${url}/searchApiPattern?text.en=shoe`),
      fetch(url, { method: 'POST', body: '{}' }),
    ]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const found = new Set(await Promise.all(answers.map((answer) => answer.text())));
    assert.equal(found.size, 1, `${project}: ${[...found].join()}`);
    places.set(project, [...found][0]!);
  }
  return places;
}

for (const [name, program] of Object.entries(programs)) {
  test(`${name}: each project has one machine, each machine some projects; those of a machine that is gone go to the others`, {
    skip: program.file === undefined && `${name} is not here`,
  }, async () => {
    const proxy = await startProxy(program, 0);
    try {
      const places = await placesOf(proxy.port);
      for (const number of ['0', '1', '2']) {
        assert.ok([...places.values()].filter((each) => each === number).length >= 5, `machine ${number}`);
      }
      machines[1]!.closeAllConnections();
      await new Promise((closed) => machines[1]!.close(closed));
      // Until the proxy has noticed.
      for (let looks = 0; looks < 100; looks += 1) {
        const answers = await Promise.all(
          projects.map((each) => fetch(`http://127.0.0.1:${proxy.port}/${each}/resource`)),
        );
        for (const answer of answers) await answer.arrayBuffer();
        if (answers.every(({ status }) => status === 200)) break;
        await pause(100);
      }
      const left = await placesOf(proxy.port);
      for (const [project, place] of places) {
        if (place === '1') assert.notEqual(left.get(project), '1');
        else assert.equal(left.get(project), place, project);
      }
    } finally {
      await proxy.stop();
      if (!machines[1]!.listening) await once(machines[1]!.listen(ports[1], '127.0.0.1'), 'listening');
    }
  });
}
