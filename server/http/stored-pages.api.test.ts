import { expect, test } from 'vitest'
import { authAdminApi } from '#contract/auth-admin.ts'
import type { PageConfig } from '#contract/page.ts'
import { htmlPlaceholders, STATE_START } from '#contract/shell.ts'
import { type SignedIn, startTestApp, testApp } from '#server/testing/app.ts'
import { noParts } from './page-html.ts'
import { storePages } from './stored-pages.ts'

const config: PageConfig = {
  ...{
    appName: 'Символ',
    buildId: 'build-1',
    socialProviders: [],
    supportUrl: '/help/account/support',
    mailboxUrl: null,
  },
  ...{ openHelp: [], webSearch: null, country: 'RU', analytics: { url: null, yandexMetrikaId: null } },
}
const layout = (name: string) =>
  `<h1>${name} ${htmlPlaceholders.appName} ${htmlPlaceholders.firstName}</h1><b>${htmlPlaceholders.email}</b>`
const shells = Object.fromEntries(
  ['home', 'thread', 'frame'].flatMap((name) =>
    ['', '-named', '-admin', '-named-admin', '-empty', '-named-empty', '-admin-empty', '-named-admin-empty'].map(
      (kind) => [name + kind, layout(name + kind)],
    ),
  ),
)
const site = {
  buildId: 'build-1',
  html: `<head><script>boot()</script><link href="/assets/main-1.css"></head><!--shell-->${STATE_START}<!--page-state--></script>`,
  files: new Map(),
  parts: { ...noParts, shells, screens: { index: ['/assets/home-1.js'] }, offline: ['/assets/toaster-1.js'] },
  worker: { keeps: true, script: 'work()' },
}
const app = await testApp({ deps: { site }, settings: { buildId: 'build-1' } })
const anna = await app.signIn()

const stored = async () => {
  const script = await (await app.app.request('/worker.js')).text()
  return JSON.parse(/^const STORED=(.*);\n/.exec(script)?.[1] ?? 'null') as {
    version: string
    folder: string
    build: string
    files: string[]
  }
}

test('the worker is always fetched anew and names what is stored (S10.440)', async () => {
  const worker = await app.app.request('/worker.js')
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  expect(worker.headers.get('content-type')).toContain('text/javascript')
  expect(worker.headers.get('content-security-policy')).toContain("worker-src 'self'")
  expect(await worker.text()).toContain('work()')
  const { files, folder, build } = await stored()
  expect(build).toBe('build-1')
  expect(files).toEqual([
    ...['home', 'home-admin', 'thread', 'thread-admin', 'frame', 'frame-admin'].map((name) => `${folder}/${name}`),
    expect.stringMatching(/^\/reload-fresh\.js\?/),
    ...['/assets/main-1.css', '/assets/toaster-1.js', '/assets/home-1.js'],
  ])
})

test('a stored page has no user’s data and a page’s headers (S10.441)', async () => {
  const { folder } = await stored()
  for (const name of ['home', 'thread-admin', 'frame']) {
    const page = await anna.fetch(`${folder}/${name}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.headers.getSetCookie()).toEqual([])
    const html = await page.text()
    expect(html).toContain(`<h1>${name} Символ </h1><b></b>`)
    expect(html).not.toContain(anna.user.email)
    expect(JSON.parse(html.split(STATE_START)[1]?.split('</script>')[0] ?? '')).toEqual({
      ...{ config, user: null, offline: true },
    })
  }
  expect((await anna.fetch('/stored/another-version/home')).status).toBe(404)
})

test('only the user’s own pages name their stored layout (S10.442)', async () => {
  const { version } = await stored()
  const shellAt = async (person: Pick<SignedIn, 'fetch'>, path: string) =>
    (await person.fetch(path)).headers.get('x-shell')
  expect(await shellAt(anna, '/')).toBe(`${version}/home`)
  expect(await shellAt(anna, '/threads/7')).toBe(`${version}/thread`)
  expect(await shellAt(anna, '/prompts')).toBe(`${version}/frame`)
  const owner = await app.signIn('owner@example.test')
  expect(await shellAt(owner, '/')).toBe(`${version}/home-admin`)
  for (const path of ['/admin/users', '/shared/7', '/legal/offer', '/no/such/place'])
    expect([path, await shellAt(owner, path)]).toEqual([path, null])
  const stranger = { fetch: async (path: string) => app.app.request(path) }
  for (const path of ['/', '/threads/7', '/auth/signin', '/prompts']) expect(await shellAt(stranger, path)).toBeNull()
  await owner.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
  expect(await shellAt(owner, '/')).toBeNull()
})

test('other settings, another layout or another worker are another version (S10.443)', () => {
  const versionOf = (change: Partial<typeof site>, settings: Partial<PageConfig> = {}) =>
    storePages({ ...site, ...change }, { ...config, ...settings }).nameOf({
      layout: 'frame',
      isNamed: true,
      isAdmin: false,
    })
  const own = versionOf({})
  expect(versionOf({})).toBe(own)
  expect(versionOf({}, { appName: 'Другой' })).not.toBe(own)
  expect(versionOf({}, { buildId: 'build-2' })).not.toBe(own)
  expect(versionOf({ worker: { keeps: true, script: 'other()' } })).not.toBe(own)
  expect(versionOf({ parts: { ...site.parts, shells: { ...shells, frame: '<h1>Новый</h1>' } } })).not.toBe(own)
})

test('a switched-off worker removes itself, and pages name no layout (S10.443)', async () => {
  const off = await startTestApp({
    deps: { site: { ...site, worker: { keeps: false, script: 'leave()' } } },
  })
  expect(await (await off.app.request('/worker.js')).text()).toBe('leave()')
  expect((await (await off.signIn()).fetch('/')).headers.get('x-shell')).toBeNull()
  await off.close()
})
