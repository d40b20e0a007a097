import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/parse.ts';
import {
  imageEnvironment,
  imageInstructions,
  isSecret,
  manifestFiles,
  packageVersion,
  readYaml,
  settingNames,
} from './deployment-files.ts';
import { typeErrors } from './kubernetes-types.ts';

/** deploy/kubernetes, as far as it can be tried without a cluster: types, and that the files agree with each other. */
const read = (name: string) => readYaml(`deploy/kubernetes/${name}.yaml`);
const isManifest = (file: string) => file !== 'kustomization.yaml';
const deployment = read('deployment');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const config = read('configmap');
const secret = read('secret.example');
const labels = deployment.spec.template.metadata.labels;

test('kubernetes: every manifest has the types of its API, and a field that is unknown, missing or wrong is found', () => {
  const manifests = manifestFiles.filter(isManifest).map((file) => readYaml(`deploy/kubernetes/${file}`));
  assert.ok(manifests.length >= 8);
  assert.equal(typeErrors(manifests), '');
  const change = (edit: (copy: typeof deployment) => void) => {
    const copy = structuredClone(deployment);
    edit(copy);
    return typeErrors([copy]);
  };
  assert.match(
    change((copy) => Object.assign(copy.spec.template.spec, { securityContexts: {} })),
    /securityContexts/,
  );
  assert.match(
    change((copy) => delete copy.spec.selector),
    /'selector' is missing/,
  );
  assert.match(
    change((copy) => Object.assign(copy.spec.template.spec.containers[0], { image: 7 })),
    /not assignable/,
  );
});

test('kubernetes: kustomization.yaml has every manifest but the example of a secret', () => {
  const expected = manifestFiles.filter((file) => isManifest(file) && file !== 'secret.example.yaml');
  const { resources, namespace } = read('kustomization');
  assert.deepEqual(resources.toSorted(), expected);
  assert.equal(read('namespace').metadata.name, namespace);
});

test('kubernetes: ConfigMap and Secret have settings that exist, values that a start takes, and no secret in the open', () => {
  assert.deepEqual(
    Object.keys(config.data).filter((name) => !settingNames.has(name) || isSecret(name)),
    [],
  );
  const files = mkdtempSync(join(tmpdir(), 'grs-kubernetes-'));
  try {
    // As the Secret is mounted: a file for each key.
    for (const [name, value] of Object.entries(secret.stringData)) writeFileSync(join(files, name), String(value));
    const { mountPath } = container.volumeMounts.find(({ name }: { name: string }) => name === 'secrets');
    const named = Object.entries(config.data as Record<string, string>);
    const parsed = parseConfig(
      Object.fromEntries(named.map(([name, value]) => [name, value.replace(mountPath, files)])),
    );
    assert.equal(parsed.host, '0.0.0.0');
    assert.ok(parsed.issuer?.startsWith('https://'));
    assert.equal(parsed.databaseUrl, secret.stringData.DATABASE_URL);
    assert.equal(parsed.adminClientSecret, secret.stringData.ADMIN_CLIENT_SECRET);
    const read = named.filter(([, value]) => value.startsWith(`${mountPath}/`)).map(([name]) => name);
    assert.deepEqual(
      read.toSorted(),
      Object.keys(secret.stringData)
        .map((name) => `${name}_FILE`)
        .toSorted(),
    );
  } finally {
    rmSync(files, { recursive: true });
  }
  const names = container.envFrom.map((from: Record<string, { name: string }>) => Object.values(from)[0]?.name);
  assert.deepEqual(names, [config.metadata.name]);
  const mounted = pod.volumes.find(({ name }: { name: string }) => name === 'secrets').secret;
  assert.deepEqual(mounted, { secretName: secret.metadata.name, defaultMode: 0o440 });
});

test('kubernetes: ports agree from the setting to the Service, and probes request paths that the service has', () => {
  const [port] = container.ports;
  assert.equal(String(port.containerPort), config.data.PORT);
  assert.equal(String(port.containerPort), imageInstructions('EXPOSE')[0]);
  assert.equal(read('service').spec.ports[0].targetPort, port.name);
  assert.equal(read('network-policy').spec.ingress[0].ports[0].port, port.name);
  const paths = { startupProbe: '/health/live', livenessProbe: '/health/live', readinessProbe: '/health/ready' };
  for (const [probe, path] of Object.entries(paths)) {
    assert.deepEqual(container[probe].httpGet, { path, port: port.name }, probe);
  }
});

test('kubernetes: everything selects the pods of the Deployment, which is the one that is scaled', () => {
  const selectors = {
    deployment: deployment.spec.selector.matchLabels,
    service: read('service').spec.selector,
    budget: read('pod-disruption-budget').spec.selector.matchLabels,
    policy: read('network-policy').spec.podSelector.matchLabels,
    spread: pod.topologySpreadConstraints[0].labelSelector.matchLabels,
  };
  for (const [name, selector] of Object.entries(selectors)) assert.deepEqual(selector, labels, name);
  const scaler = read('horizontal-pod-autoscaler').spec;
  const { apiVersion, kind, metadata } = deployment;
  assert.deepEqual(scaler.scaleTargetRef, { apiVersion, kind, name: metadata.name });
  assert.ok(scaler.minReplicas >= 2 && scaler.minReplicas < scaler.maxReplicas);
  assert.equal(deployment.spec.replicas, undefined);
});

test('kubernetes: the pod is not root, has no rights, and writes only to its volumes', () => {
  const [user, group] = (imageInstructions('USER')[0] ?? '').split(':').map(Number);
  const { runAsNonRoot, runAsUser, runAsGroup, fsGroup, seccompProfile } = pod.securityContext;
  assert.deepEqual([runAsNonRoot, runAsUser, runAsGroup, fsGroup], [true, user, group, group]);
  assert.equal(seccompProfile.type, 'RuntimeDefault');
  const rights = container.securityContext;
  assert.deepEqual([rights.allowPrivilegeEscalation, rights.readOnlyRootFilesystem], [false, true]);
  assert.deepEqual(rights.capabilities, { drop: ['ALL'] });
  assert.equal(pod.automountServiceAccountToken, false);
  const mounts = container.volumeMounts as { readonly name: string; readonly mountPath: string }[];
  assert.deepEqual(
    mounts.map(({ mountPath }) => mountPath).toSorted(),
    [config.data.DATA_DIR, `${config.data.DATA_DIR}/images`, '/run/secrets/grs', '/tmp'].toSorted(),
  );
  assert.equal(config.data.DATA_DIR, imageEnvironment().get('DATA_DIR'));
  assert.deepEqual(
    mounts.map(({ name }) => name),
    pod.volumes.map(({ name }: { name: string }) => name),
  );
  const claims = pod.volumes.find(({ name }: { name: string }) => name === 'images');
  assert.equal(claims.persistentVolumeClaim.claimName, read('persistent-volume-claim').metadata.name);
});

test('kubernetes: the image is that of this version, and a pod has time to complete the requests in flight', () => {
  assert.equal(container.image, `generic-resource-service:${packageVersion}`);
  assert.ok(!('DRAIN_TIMEOUT_MS' in config.data));
  const drainSeconds = parseConfig({}).drainTimeoutMs / 1000;
  assert.ok(pod.terminationGracePeriodSeconds > container.lifecycle.preStop.sleep.seconds + drainSeconds + 2);
  assert.ok(container.resources.requests.memory !== undefined && container.resources.limits.memory !== undefined);
});
