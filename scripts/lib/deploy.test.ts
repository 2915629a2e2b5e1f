import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { Env, readConfig } from '#server/config.ts'
import { namesByPattern } from '#server/config-reference.ts'
import { serverFlags } from './server-flags.mjs'
import { SHIPPED_NODE } from './shipped-node.mjs'

/** The files for containers, read as data: what they promise operators and what they must agree on. */

interface Service {
  image?: string
  build?: unknown
  user?: string
  profiles: string[]
  read_only?: boolean
  cap_drop?: string[]
  command?: string[]
  environment?: Record<string, string>
  env_file?: unknown
  network_mode?: string
  volumes?: string[]
  tmpfs?: string[]
  stop_grace_period?: string
  healthcheck?: { test?: string[]; disable?: boolean }
  deploy?: { replicas: string; resources?: { limits: { memory: string } } }
  depends_on?: Record<string, { condition: string }>
}

interface Container {
  image: string
  ports: { name: string }[]
  args?: string[]
  envFrom: Record<string, { name: string }>[]
  securityContext: Record<string, unknown>
  volumeMounts: { mountPath: string }[]
  resources: { requests: object; limits: { memory: string } }
  readinessProbe?: { httpGet: { path: string } }
  livenessProbe?: { httpGet: { path: string } }
  lifecycle?: { preStop: { exec: { command: string[] } } }
}

interface Pod {
  securityContext: Record<string, unknown>
  automountServiceAccountToken: boolean
  terminationGracePeriodSeconds?: number
  containers: [Container]
}

interface Manifest {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: {
    template?: { metadata: { labels: object; annotations?: object }; spec: Pod }
    selector?: { matchLabels: object }
    podMetricsEndpoints?: {
      port: string
      path: string
      authorization: { credentials: { name: string; key: string } }
    }[]
    jobTemplate?: { spec: { template: { spec: Pod } } }
    strategy?: { rollingUpdate: object }
    replicas?: number
  }
}

const read = (path: string) => readFileSync(path, 'utf8')
const dockerfile = read('Dockerfile')
const compose = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
const service = (name: string) => compose.services[name] as Service
const ours = Object.entries(compose.services).filter(([, { build }]) => build)
const folder = 'deploy/kubernetes'
const manifests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml') && !name.endsWith('kustomization.yaml'))
  .flatMap((name) => parseAllDocuments(read(`${folder}/${name}`)).map((document) => document.toJS() as Manifest))
const manifest = (kind: string) => manifests.find((found) => found.kind === kind) as Manifest
const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec ?? [])

/** Read by compose.yaml and its scripts, not by the server. */
const COMPOSE_SETTINGS = [
  ...['APP_HOST', 'POSTGRES_PASSWORD', 'STORAGE_PASSWORD', 'SYMBOL_VERSION', 'SYMBOL_REPLICAS'],
  ...['PREVIOUS_IMAGE', 'FFMPEG', 'POPPLER', 'BACKUP_HOUR'],
]
const known = [...Object.keys(Env.shape), ...namesByPattern.openai]
const example = [...read('deploy/.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)

test('the image runs without rights, under an init, with a health check (S10.260)', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  expect(last).toMatch(/^USER 10001:10001$/m)
  expect(last).not.toMatch(/^USER (root|0)/m)
  expect(last).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m)
  expect(last).toMatch(/^CMD \["sh", "-c", "exec node .*dist\/server\.js"\]$/m)
  expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m)
  expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/api\/health\/ready/m)
  expect(last).toMatch(/^VOLUME \/data$/m)
})

test('the image is built from the lockfile and has only production files (S10.260)', () => {
  expect(dockerfile).toMatch(/^COPY package\.json package-lock\.json \.npmrc \.\/$/m)
  expect(dockerfile).toMatch(/^RUN npm install --no-save /m)
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  for (const [, copied] of last.matchAll(/^COPY (.+)$/gm)) expect(copied).toMatch(/^--from=build /)
})

test('no image uses the tag «latest»', () => {
  const named = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, name = '']) => name)
  const images = Object.values(compose.services).flatMap(({ image, build }) => (build || !image ? [] : [image]))
  expect(named).toHaveLength(2)
  for (const name of [...named, ...images]) expect(name).toMatch(/^[\w/.-]+:(?!latest$)[\w.-]+$/)
})

test('settings named for containers are settings of the server (S10.261)', () => {
  const inCompose = ours.flatMap(([, { environment = {} }]) => Object.keys(environment))
  const inCluster = manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }))
  expect(inCluster.length).toBeGreaterThan(10)
  for (const name of inCluster) expect(known, name).toContain(name)
  for (const name of [...inCompose, ...example]) expect([...known, ...COMPOSE_SETTINGS], name).toContain(name)
  const used = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  for (const name of used) expect(example, name).toContain(name)
})

test('the server accepts the settings of both examples (S10.261)', () => {
  const filled = { AUTH_SECRET: 'x'.repeat(32), ADMIN_EMAILS: 'a@example.test', SMTP_URL: 'smtp://mail.example.test' }
  const ofCompose = Object.entries(service('app').environment ?? {}).map(([name, value]) => [
    name,
    String(value)
      .replace(/\$\{APP_HOST:-\}/, 'chat.example.test')
      .replace(/\$\{\w+:-(.*?)\}/, (_, usual) => usual || 'secret'),
  ])
  const composed = readConfig({ ...filled, ...Object.fromEntries(ofCompose) })
  const clustered = readConfig({
    ...{ ...manifest('ConfigMap').data, ...manifest('Secret').stringData },
    ...{ ...filled, S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  })
  for (const config of [composed, clustered]) {
    expect(config).toMatchObject({ production: true, trustedProxies: 1, drainSeconds: 60 })
    expect(config.s3).not.toBeNull()
    expect(config.redisUrl).not.toBeNull()
    expect(config.database.url).toBeDefined()
    expect(config.backup.to).not.toBeNull()
  }
})

test('our services share settings, have no rights and a read-only root (S10.260)', () => {
  expect(ours.map(([name]) => name)).toEqual(['try', 'migrate', 'app', 'buckets', 'backup'])
  for (const [name, { read_only, cap_drop, user, volumes = [], tmpfs = [] }] of ours) {
    expect({ name, read_only, cap_drop, user }).toEqual({ name, read_only: true, cap_drop: ['ALL'], user: undefined })
    expect([...tmpfs, ...volumes.map((volume) => volume.split(':')[1])], name).toContain('/tmp')
  }
  const { environment, env_file } = service('app')
  for (const name of ['migrate', 'buckets', 'backup']) {
    expect(service(name).environment, name).toMatchObject(environment ?? {})
    expect(service(name).env_file, name).toEqual(env_file)
  }
})

test('«try» is a single service that other machines cannot reach (S10.262)', () => {
  const named = Object.entries(compose.services).filter(([, { profiles }]) => profiles.includes('try'))
  expect(named.map(([name]) => name)).toEqual(['try'])
  expect(service('try')).toMatchObject({ network_mode: 'host', volumes: ['try-data:/data'] })
  const config = readConfig(service('try').environment)
  expect(config).toMatchObject({ production: false, host: '127.0.0.1' })
})

test('instances start after migrations and buckets, and have time to finish answers (S10.262, S10.263)', () => {
  const { depends_on, stop_grace_period, deploy, environment } = service('app')
  expect(depends_on).toMatchObject({
    migrate: { condition: 'service_completed_successfully' },
    buckets: { condition: 'service_completed_successfully' },
  })
  expect(service('migrate').command).toEqual(['node', 'dist/migrate.js'])
  expect(deploy?.replicas).toBe(`\${SYMBOL_REPLICAS:-2}`)
  const drain = Number(environment?.DRAIN_SECONDS)
  expect(Number.parseInt(stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(drain + 10)
  expect(Number.parseInt(service('proxy').stop_grace_period ?? '', 10)).toBeGreaterThan(drain + 10)
})

test('pods have no rights, a read-only root, limits and shared settings (S10.260)', () => {
  expect(pods).toHaveLength(3)
  for (const { securityContext, automountServiceAccountToken, containers } of pods) {
    const [{ envFrom, volumeMounts, resources, securityContext: own }] = containers
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(automountServiceAccountToken).toBe(false)
    expect(own).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(envFrom).toEqual([{ configMapRef: { name: 'symbol' } }, { secretRef: { name: 'symbol' } }])
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp'])
    expect(resources).toMatchObject({
      requests: { memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    })
  }
})

test('a rolling update keeps all instances and lets answers finish (S10.263)', () => {
  const { spec } = manifest('Deployment')
  const [pod] = pods.filter(({ containers: [{ readinessProbe }] }) => readinessProbe)
  const { readinessProbe, livenessProbe, lifecycle } = pod?.containers[0] ?? {}
  expect(spec.strategy?.rollingUpdate).toMatchObject({ maxUnavailable: 0 })
  expect(spec.replicas).toBeGreaterThan(1)
  expect(readinessProbe?.httpGet.path).toBe('/api/health/ready')
  expect(livenessProbe?.httpGet.path).toBe('/api/health')
  const [, pause] = lifecycle?.preStop.exec.command ?? []
  const drain = Number(manifest('ConfigMap').data?.DRAIN_SECONDS)
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 10 + Number(pause))
  expect(manifest('PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: 1 })
})

test('Prometheus in a cluster reads metrics with the secret token (S10.545)', () => {
  const { metadata, spec } = manifest('Deployment').spec.template ?? {}
  // An annotation has no token, and /metrics needs one.
  expect(metadata?.annotations).toBeUndefined()
  const monitor = manifest('PodMonitor').spec
  expect(monitor.selector?.matchLabels).toEqual(metadata?.labels)
  const [endpoint] = monitor.podMetricsEndpoints ?? []
  expect(endpoint).toMatchObject({ path: '/metrics', authorization: { type: 'Bearer' } })
  expect(spec?.containers[0].ports.map(({ name }) => name)).toContain(endpoint?.port)
  const { name = '', key = '' } = endpoint?.authorization.credentials ?? {}
  expect(name).toBe(manifest('Secret').metadata.name)
  expect(Object.keys(manifest('Secret').stringData ?? {})).toContain(key)
  expect(read('docs/operations/monitoring.md')).toContain('deploy/kubernetes/monitoring')
})

test('migrations and backups are the commands of the image', () => {
  const build = read('scripts/build.mjs')
  const commands = pods.flatMap(({ containers: [{ args }] }) => (args ? [args] : []))
  expect(commands).toEqual([
    ['node', 'dist/archive.js', 'backup'],
    ['node', 'dist/migrate.js'],
  ])
  expect(read('deploy/backup-daily.sh')).toContain('node dist/archive.js backup')
  for (const entry of ['migrate', 'archive']) expect(build).toMatch(new RegExp(`^ {4}${entry}: `, 'm'))
})

test('every proxy passes large files, streams at once and waits long (S10.264, S10.542)', () => {
  const caddy = read('deploy/Caddyfile')
  expect(caddy).toMatch(/max_size 25MB/)
  expect(caddy).toMatch(/flush_interval -1/)
  expect(caddy).toMatch(/read_timeout 300s/)
  const nginx = read('deploy/nginx.conf')
  expect(nginx).toMatch(/client_max_body_size 25m;/)
  expect(nginx).toMatch(/proxy_buffering off;/)
  expect(nginx).toMatch(/proxy_read_timeout 300s;/)
  expect(nginx).not.toMatch(/proxy_next_upstream [^;]*(http_50|non_idempotent)/)
  expect(nginx).toMatch(/keepalive_timeout 60s;/)
  const annotation = (name: string) => manifest('Ingress').metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`]
  expect(annotation('proxy-body-size')).toBe('25m')
  expect(annotation('proxy-buffering')).toBe('off')
  expect(annotation('proxy-read-timeout')).toBe('300')
  expect(annotation('proxy-next-upstream')).toBe('error timeout')
})

test('the image has the Node version of the tests', () => {
  const [, image] = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  expect(image).toBe(SHIPPED_NODE.split('.')[0])
})

test('image, npm start and the service ask for their flags first (S10.1201)', () => {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? []
  expect(JSON.parse(command)).toEqual(['sh', '-c', 'exec node $(node dist/server-flags.js) dist/server.js'])
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(scripts.start).toBe('exec node $(node scripts/server-flags.mjs) scripts/start.mjs')
  expect(readFileSync('docs/operations/first-day.md', 'utf8')).toContain(
    "ExecStart=/bin/sh -c 'exec node $(node scripts/server-flags.mjs) scripts/start.mjs'",
  )
  expect(service('app').command).toBeUndefined()
})

test('the memory of the containers has a heap above 600 MiB (S10.1201)', () => {
  const server = manifest('Deployment').spec.template?.spec.containers[0]
  const { memory } = service('app').deploy?.resources?.limits ?? { memory: '' }
  for (const limit of [server?.resources.limits.memory ?? '', memory]) {
    const mib = Number.parseInt(limit, 10) * 1024
    const [, flag] = serverFlags({ limit: mib * 2 ** 20, isEmbedded: false })
    expect(limit).toMatch(/^\d+(Gi|g)$/)
    expect(Number(flag?.split('=')[1])).toBeGreaterThan(600)
  }
})
