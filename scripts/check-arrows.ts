import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { circlesIn } from './lib/circles.ts'
import { filesIn } from './lib/files.mjs'

/** The arrows of docs/architecture.md, as a check. Types count too: the linter's own check of cycles leaves them out. */

interface Import {
  from: string
  to: string
}

interface Rule {
  why: string
  breaks: (link: Import) => boolean
}

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const featureOf = (path: string) => /^(?:server|web)\/features\/([^/]+)\//.exec(path)?.[1]
const webFeatures = 'web/features/index.ts'
const isScreen = (path: string) => /^web\/features\/[^/]+\/screens\//.test(path)
const isOfOtherFeature = (from: string, to: string) =>
  from !== webFeatures && isIn('web/features')(to) && featureOf(from) !== featureOf(to)
const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.includes('/testing/')
const isPackage = (path: string) => !/^(contract|server|web|scripts|e2e|bench|drill)\//.test(path)

const lowerLayers = [
  'db',
  'llm',
  'email',
  'storage',
  'payments',
  'realtime',
  'http',
  'auth',
  'lib',
  'jobs',
  'instances',
  'files',
  'audio',
  'internet',
].map((name) => `server/${name}`)

const rules: Rule[] = [
  {
    why: 'contract imports zod and itself, and only its Markdown a parser',
    breaks: ({ from, to }) =>
      isIn('contract')(from) &&
      !isIn('contract')(to) &&
      !/^zod(\/|$)/.test(to) &&
      !(isIn('contract/markdown')(from) && /^(?:mdast|micromark)/.test(to)),
  },
  {
    why: 'web and server meet only in contract',
    breaks: ({ from, to }) => (isIn('web')(from) && isIn('server')(to)) || (isIn('server')(from) && isIn('web')(to)),
  },
  {
    why: 'web/ui and web/lib know no feature and no app',
    breaks: ({ from, to }) => /^web\/(ui|lib)\//.test(from) && /^web\/(features|app)\//.test(to),
  },
  {
    why: 'a web feature takes only queries.ts of another feature, unless in its screens, and nothing of the app',
    breaks: ({ from, to }) =>
      isIn('web/features')(from) &&
      (isIn('web/app')(to) || (isOfOtherFeature(from, to) && !isScreen(from) && !to.endsWith('/queries.ts'))),
  },
  {
    why: 'features know screens only by their own manifest',
    breaks: ({ from, to }) =>
      isIn('web/features')(from) &&
      isScreen(to) &&
      (isOfOtherFeature(from, to) || !(isScreen(from) || from.endsWith('/feature.ts'))),
  },
  {
    why: 'only the list of features takes manifests, and the sign-in page the one of auth',
    breaks: ({ from, to }) =>
      /^web\/features\/[^/]+\/feature\.ts$/.test(to) && from !== webFeatures && from !== 'web/app/screen-parts.ts',
  },
  {
    why: 'routes.ts imports no table and no drizzle',
    breaks: ({ from, to }) =>
      from.endsWith('/routes.ts') && (/^server\/db\/(tables|schema)/.test(to) || to === 'drizzle-orm'),
  },
  {
    why: 'only feature.ts of the same folder mounts routes, and app.ts those of the sign-in',
    breaks: ({ from, to }) =>
      to.endsWith('/routes.ts') &&
      from !== to.replace(/routes\.ts$/, 'feature.ts') &&
      !(from === 'server/app.ts' && to === 'server/auth/routes.ts'),
  },
  {
    why: 'a manifest is imported by the list, other manifests and what opens the server',
    breaks: ({ from, to }) =>
      /^server\/features\/[^/]+\/feature\.ts$/.test(to) &&
      !/^server\/(?:features\/(?:index|[^/]+\/feature)|app|server)\.ts$/.test(from),
  },
  {
    why: 'the ground floor knows no feature',
    breaks: ({ from, to }) => lowerLayers.some((folder) => isIn(folder)(from)) && isIn('server/features')(to),
  },
  {
    why: 'server/lib has no domain words to import',
    breaks: ({ from, to }) => isIn('server/lib')(from) && isIn('server')(to) && !isIn('server/lib')(to),
  },
  {
    why: 'the product does not know what builds, tries and measures it',
    breaks: ({ from, to }) => /^(contract|server|web)\//.test(from) && /^(scripts|e2e|bench|drill)\//.test(to),
  },
  {
    why: 'test tools stay in tests',
    breaks: ({ from, to }) => to.includes('/testing/') && !isIn('bench')(from),
  },
  {
    why: 'the page checks with zod/mini: zod itself is three times as heavy',
    breaks: ({ from, to }) => /^(web|contract)\//.test(from) && to === 'zod',
  },
  {
    why: 'a part of the chat imports only itself and parts below it',
    breaks: ({ from, to }) => isUpInChat(from, to),
  },
]

const all = ['contract', 'server', 'web', 'scripts', 'drill', 'bench']
  .flatMap(filesIn)
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
const arrows = new Map(all.map((from) => [from, importsOf(from)]))
const files = all.filter((path) => !isTest(path))
const violations = files.flatMap((from) =>
  arrowsOf(from).flatMap((to) =>
    rules.filter((rule) => rule.breaks({ from, to })).map((rule) => `${from} → ${to}: ${rule.why}`),
  ),
)
const missing = files.flatMap((from) =>
  arrowsOf(from)
    .filter((to) => !isPackage(to) && !existsSync(to))
    .map((to) => `${from} → ${to}: no such file`),
)
const circles = circlesIn(arrows).map((circle) => `${[...circle, circle[0]].join(' → ')}: a circle`)
const problems = [...violations, ...missing, ...circles]
for (const line of problems) console.error(line)
process.exit(problems.length > 0 ? 1 : 0)

function arrowsOf(file: string): string[] {
  return arrows.get(file) ?? []
}

/** Also `import('…')`, in values and in types. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?<!\.)(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, specifier = '']) => resolve(file, specifier))
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier
}

function isUpInChat(from: string, to: string): boolean {
  const fromBottomToTop = [
    ...['state', 'queries.ts', 'floating.tsx', 'answers', 'masking', 'composer', 'sending', 'pending-question'],
    ...['citations', 'messages', 'summaries', 'home', 'thread', 'sample', 'try-out', 'screens', 'feature.ts'],
  ]
  const rank = (path: string) => fromBottomToTop.indexOf(path.split('/')[3] ?? '')
  return [from, to].every(isIn('web/features/chat')) && (rank(to) < 0 || rank(to) > rank(from))
}
