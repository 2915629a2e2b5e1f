import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { PageConfig, Welcome } from '#contract/page.ts'
import { screens } from '#contract/screens.ts'
import { testApp } from '#server/testing/app.ts'
import { testFolder } from '#server/testing/folder.ts'
import { noParts, writePage } from './page-html.ts'
import { loadSite } from './site.ts'

const folder = testFolder()
const code = 'console.log("страница")'

for (const name of ['web/assets', 'previous/assets']) mkdirSync(join(folder, name), { recursive: true })
const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
write('build.json', '{"id":"build-1"}')
write(
  'web/index.html',
  '<head><script>boot()</script><title>%APP_NAME%</title><!--styles--></head><!--shell--><script type="application/json" id="page-state"><!--page-state--></script>',
)
write(
  'page-parts.json',
  JSON.stringify({
    frame: ['/assets/frame-1.js', '/assets/frame-1.css'],
    admin: ['/assets/admin-1.js'],
    screens: {
      index: ['/assets/frame-1.js'],
      'auth-signin': ['/assets/signin-1.js'],
      prompts: ['/assets/prompts-1.js'],
    },
    offline: [],
    styles: { signin: 'h1{color:red}', framed: 'h1{color:green}', other: 'body{margin:0}' },
    shells: {
      'home-empty': '<h1>%APP_NAME%</h1><b>%EMAIL%</b>',
      'no-auth': '<h1>%APP_NAME%</h1>',
      signin: '<h1>%WELCOME%</h1><i>%EXAMPLE_A%</i>',
    },
  }),
)
write('web/assets/app-1.js', code)
write('web/assets/app-1.js.gz', gzipSync(code))
write('web/assets/app-1.js.br', 'brotli bytes')
write('web/manifest.webmanifest', '{}')
write('previous/assets/app-0.js', 'old')
const app = await testApp({
  deps: { site: loadSite(folder) },
  settings: { appName: '</script><b>Символ', buildId: 'build-1' },
})

const get = (path: string, headers: Record<string, string> = {}) => app.app.request(path, { headers })

test('a hashed file is served compressed, immutable and once', async () => {
  const br = await get('/assets/app-1.js', { 'accept-encoding': 'gzip, deflate, br' })
  expect(br.headers.get('content-encoding')).toBe('br')
  expect(br.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await br.text()).toBe('brotli bytes')
  const gzip = await get('/assets/app-1.js', { 'accept-encoding': 'gzip' })
  expect(gzip.headers.get('content-encoding')).toBe('gzip')
  expect(await (await get('/assets/app-1.js')).text()).toBe(code)
  const again = await get('/assets/app-1.js', { 'if-none-match': br.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test('the hashed files of the build before are still served', async () => {
  expect(await (await get('/assets/app-0.js')).text()).toBe('old')
})

test('a file that is not there answers 404, not the page', async () => {
  const response = await get('/assets/gone.js')
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toContain('json')
})

test('the page is never cached and holds the signed-in user, escaped', async () => {
  const stranger = await get('/auth/signin')
  expect(stranger.headers.get('cache-control')).toBe('no-store')
  const html = await stranger.text()
  expect(html).toContain('<title>&lt;/script&gt;&lt;b&gt;Символ</title>')
  expect(html.match(/<\/script>/g)).toHaveLength(2)
  expect(stateIn(html)).toMatchObject({ config: { buildId: 'build-1' }, user: null })

  const anna = await app.signIn()
  const own = await (await anna.fetch('/')).text()
  expect(stateIn(own)).toMatchObject({ user: { id: anna.user.id, role: 'user', impersonated: false } })
})

const addresses = Object.values(screens).flatMap(({ path }) =>
  ['7', 'gpt-4.1-mini', 'notes.js'].map((id) => path.replace(/:\w+|\*/, id)),
)

test.each([...new Set(addresses)])(
  '%s answers 200 with the page, with and without a session (S2.39)',
  async (address) => {
    const anna = await app.signIn()
    for (const response of [await get(address), await anna.fetch(address)]) {
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain('text/html')
    }
  },
)

test('another spelling of an address is led to the address (S10.1420)', async () => {
  const anna = await app.signIn()
  for (const [spelling, address] of [
    ['/admin//plans', '/admin/plans'],
    ['/threads/?message=5', '/threads?message=5'],
    ['/%61dmin/plans', '/admin/plans'],
  ] as const) {
    const answer = await anna.fetch(spelling)
    expect([answer.status, answer.headers.get('location')]).toEqual([308, address])
  }
  expect((await anna.fetch('/nowhere//')).status).toBe(404)
})

test.each(['/no/such/place', '/nope.html', '/help.txt.html', '/v1.2'])(
  'the unknown address %s answers 404 with the page (S2.81)',
  async (address) => {
    const unknown = await get(address)
    expect(unknown.status).toBe(404)
    expect(unknown.headers.get('content-type')).toContain('text/html')
  },
)

test('the build id is served at /builds/latest.json (S4.10)', async () => {
  expect(await (await get('/builds/latest.json')).json()).toEqual({ id: 'build-1' })
})

test('the page names the files of what it will show this person (S10.400)', async () => {
  const anna = await app.signIn()
  const named = async (page: Response | Promise<Response>) =>
    [...(await (await page).text()).matchAll(/<link (data-file\S*).*? href="(.*?)">/g)].map(([, ...link]) => link)
  const frame = [
    ['data-file', '/assets/frame-1.js'],
    ['data-file="style"', '/assets/frame-1.css'],
  ]
  const signIn = [['data-file', '/assets/signin-1.js']]
  expect(await named(anna.fetch('/'))).toEqual(frame)
  expect(await named(anna.fetch('/prompts'))).toEqual([...frame, ['data-file', '/assets/prompts-1.js']])
  expect(await named(anna.fetch('/admin/users'))).toEqual(frame)
  expect(await named(anna.fetch('/no/such/place'))).toEqual(frame)
  expect(await named(get('/'))).toEqual(signIn)
  expect(await named(get('/admin/users'))).toEqual(signIn)
  expect(await named(get('/no/such/place'))).toEqual([])
})

test('the page brings its layout with names filled in and escaped (S10.402)', async () => {
  const anna = await app.signIn()
  const shellIn = async (page: Response | Promise<Response>) =>
    /<div id="shell">.*<\/div>/.exec(await (await page).text())?.[0]
  const name = '<h1>&lt;/script&gt;&lt;b&gt;Символ</h1>'
  expect(await shellIn(anna.fetch('/'))).toBe(`<div id="shell">${name}<b>${anna.user.email}</b></div>`)
  expect(await shellIn(get('/auth/signin?mode=password'))).toBe(`<div id="shell">${name}</div>`)
  expect(await shellIn(get('/no/such/place'))).toBeUndefined()
})

test('the page has its layout’s styles and may run its script (S10.725)', async () => {
  const anna = await app.signIn()
  const stylesIn = async (page: Response | Promise<Response>) =>
    /<style>(.*)<\/style>/.exec(await (await page).text())?.[1]
  expect(await stylesIn(anna.fetch('/'))).toBe('h1{color:green}')
  expect(await stylesIn(get('/auth/signin'))).toBe('h1{color:red}')
  expect(await stylesIn(get('/no/such/place'))).toBe('body{margin:0}')
  const hash = createHash('sha256').update('boot()').digest('base64')
  expect((await get('/')).headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}';`)
})

test('a stranger gets the sign-in layout wherever the page leads there', async () => {
  const shellAt = async (path: string) => /<div id="shell">.*<\/div>/.exec(await (await get(path)).text())?.[0]
  const { welcome } = stateIn(await (await get('/auth/signin')).text()) as { welcome: Welcome }
  const drawn = `<div id="shell"><h1>${welcome.text}</h1><i>${welcome.examples[0]}</i></div>`
  for (const path of ['/auth/signin', '/', '/threads?from=x']) expect(await shellAt(path)).toBe(drawn)
})

test('the sign-in layout repeats its row for each provider, escaped', () => {
  const parts = {
    ...noParts,
    shells: { 'signin-social': '<ul><li>1</li></ul><ul><li class="a"><b>%SOCIAL%</b></li></ul>' },
  }
  const config: PageConfig = {
    ...{ appName: 'Символ', buildId: 'build-1', supportUrl: null, mailboxUrl: null, openHelp: [] },
    socialProviders: ['VK ID', '<Яндекс>'].map((name) => ({ id: name, name })),
    analytics: { url: null, yandexMetrikaId: null },
  }
  const content = {
    files: [],
    shell: { layout: 'signin', isSocial: true, asks: false } as const,
    state: { config, user: null },
  }
  expect(writePage('<!--shell-->', parts, content)).toBe(
    '<div id="shell"><ul><li>1</li></ul><ul><li class="a"><b>VK ID</b></li><li class="a"><b>&lt;Яндекс&gt;</b></li></ul></div>',
  )
})

test('the layout asks only about documents that are published (S10.1437)', () => {
  const boxes = '<label data-document="offer">1</label><label data-document="personal-data">2</label>'
  const config: PageConfig = {
    ...{ appName: 'Символ', buildId: 'build-1', supportUrl: null, mailboxUrl: null, openHelp: [], socialProviders: [] },
    analytics: { url: null, yandexMetrikaId: null },
  }
  const state = { config, user: null, documents: ['offer'] }
  const content = { files: [], shell: { layout: 'signin', isSocial: false, asks: true } as const, state }
  expect(writePage('<!--shell-->', { ...noParts, shells: { 'signin-asks': boxes } }, content)).toBe(
    '<div id="shell"><label data-document="offer">1</label></div>',
  )
})

test('links of the sign-in page work before the scripts run (S10.671)', () => {
  const links = '<a href="/help/account/terms">1</a><a href="/help/account/privacy">2</a>'
  const config: PageConfig = {
    ...{ appName: 'Символ', buildId: 'build-1', supportUrl: null, mailboxUrl: null, openHelp: [], socialProviders: [] },
    analytics: { url: null, yandexMetrikaId: null },
  }
  const state = { config, user: null, documents: ['offer'] }
  const content = { files: [], shell: { layout: 'signin', isSocial: false, asks: false } as const, state }
  expect(writePage('<!--shell-->', { ...noParts, shells: { signin: links } }, content)).toBe(
    '<div id="shell"><a href="/legal/offer">1</a><a href="/help/account/privacy">2</a></div>',
  )
})

function stateIn(html: string): unknown {
  const json = /id="page-state">(.*?)<\/script>/.exec(html)?.[1]
  return JSON.parse(json ?? 'null')
}

const forged = {
  host: 'evil.example',
  forwarded: 'for=1.2.3.4;host=evil.example;proto=http',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  'x-forwarded-port': '81',
  'x-forwarded-prefix': '/evil.example',
  'x-original-url': '/admin/evil.example',
  'x-rewrite-url': '/admin/evil.example',
  'x-http-method-override': 'POST',
  'accept-language': 'evil.example',
  referer: 'https://evil.example/',
  'user-agent': 'evil.example',
}

test('cacheable answers depend on nothing outside the cache key (S10.547)', async () => {
  const addresses = [
    '/',
    '/auth/signin',
    '/prompts',
    '/nowhere',
    '/assets/app-1.js',
    '/assets/missing.js',
    '/worker.js',
  ]
  for (const path of [...addresses, '/api/openapi.json', '/api/docs', '/api/page', '/error?error=x', '/api/nowhere']) {
    const read = async (headers: Record<string, string>) => {
      const answer = await app.app.request(path, { headers, redirect: 'manual' })
      const { 'x-request-id': _, 'set-cookie': __, ...others } = Object.fromEntries(answer.headers)
      return { path, status: answer.status, headers: others, text: await answer.text() }
    }
    const plain = await read({})
    expect(await read(forged)).toEqual(plain)
    for (const [name, value] of Object.entries(forged)) expect(await read({ [name]: value })).toEqual(plain)
  }
})

test('only files of the site may be cached, never other answers (S10.547)', async () => {
  const stored = ['/assets/app-1.js', '/manifest.webmanifest', '/worker.js']
  for (const path of stored) expect((await app.app.request(path)).headers.get('cache-control')).not.toBe('no-store')
  const others = [
    '/',
    '/nowhere',
    '/assets/missing.js',
    '/missing.css',
    '/error',
    '/metrics',
    '/dev/mail',
    '/api/nowhere',
  ]
  for (const path of others) {
    const answer = await app.app.request(path)
    expect({ path, cache: answer.headers.get('cache-control') }).toEqual({ path, cache: 'no-store' })
  }
})
