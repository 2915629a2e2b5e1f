import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageConfig } from '#contract/page.ts'
import { htmlPlaceholders } from '#contract/shell.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'
import { offlinePages } from './offline-pages.ts'
import { noParts } from './page-html.ts'

const config: PageConfig = {
  ...{ appName: 'Символ', buildId: 'build-1', socialProviders: [], supportUrl: null, mailboxUrl: null },
  ...{ openHelp: [], analytics: { url: null, yandexMetrikaId: null } },
}
const layout = (name: string) =>
  `<h1>${name} ${htmlPlaceholders.appName} ${htmlPlaceholders.firstName}</h1><b>${htmlPlaceholders.email}</b>`
const shells = Object.fromEntries(
  ['home', 'thread', 'frame', 'home-named', 'home-admin'].map((name) => [name, layout(name)]),
)
const site = {
  buildId: 'build-1',
  html: `<head><script src="/boot.js?__BUILD_ID__"></script><link href="/assets/main-1.css"></head><!--shell--><script id="page-state"><!--page-state--></script>`,
  files: new Map(),
  parts: { ...noParts, shells, screens: { index: ['/assets/home-1.js'] }, offline: ['/assets/toaster-1.js'] },
  worker: { keeps: true, script: 'work()' },
}
let app: TestApp
let anna: SignedIn
beforeAll(async () => {
  app = await startTestApp({ deps: { site, page: config } })
  anna = await app.signIn()
})
afterAll(() => app.close())

interface Stored {
  version: string
  pages: Record<string, string>
  files: string[]
}
const readStored = (script: string) => JSON.parse(/^const STORED=(.*);\n/.exec(script)?.[1] ?? '') as Stored | null

test('the worker may work for the whole site and names what is stored (S10.440)', async () => {
  const worker = await app.app.request('/worker.js')
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  expect(worker.headers.get('content-type')).toContain('text/javascript')
  expect(worker.headers.get('content-security-policy')).toContain("worker-src 'self'")
  const script = await worker.text()
  expect(script).toContain('work()')
  const stored = readStored(script)
  expect(Object.keys(stored?.pages ?? {})).toEqual(['home', 'thread', 'frame'])
  expect(stored?.files).toEqual([
    '/boot.js?build-1',
    ...['/assets/main-1.css', '/assets/home-1.js', '/assets/toaster-1.js'],
  ])
})

test('a stored page has no data of its caller and the headers of a page (S10.441)', async () => {
  const stored = readStored(await (await app.app.request('/worker.js')).text())
  for (const [name, address] of Object.entries(stored?.pages ?? {})) {
    const page = await anna.fetch(address)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.headers.getSetCookie()).toEqual([])
    const html = await page.text()
    expect(html).toContain(`<h1>${name} Символ </h1><b></b>`)
    expect(html).not.toContain(anna.user.email)
    const json = /id="page-state">(.*?)<\/script>/.exec(html)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual({ config, user: null, offline: true })
  }
  expect((await anna.fetch('/offline/another-version/home')).status).toBe(404)
})

test('other settings, another layout or other files are another version (S10.443)', () => {
  const versionOf = (change: Partial<typeof site>, settings: Partial<PageConfig> = {}) => {
    const files = offlinePages({ ...site, ...change }, { ...config, ...settings })
    return readStored(String(files.get('/worker.js')?.raw))?.version
  }
  const own = versionOf({})
  expect(versionOf({})).toBe(own)
  expect(versionOf({}, { appName: 'Другой' })).not.toBe(own)
  expect(versionOf({}, { buildId: 'build-2' })).not.toBe(own)
  expect(versionOf({ parts: { ...site.parts, offline: ['/assets/toaster-2.js'] } })).not.toBe(own)
  expect(versionOf({ parts: { ...site.parts, shells: { ...shells, frame: '<h1>Новый</h1>' } } })).not.toBe(own)
})

test('switched off, the worker has nothing to store, so it removes itself (S10.443)', () => {
  const files = offlinePages({ ...site, worker: { keeps: false, script: 'work()' } }, config)
  expect(String(files.get('/worker.js')?.raw)).toBe('const STORED=null;\nwork()')
  expect(files.size).toBe(1)
})
