import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { TEST_ROOT } from './llm/testing/fake-russian.ts'

const production = {
  NODE_ENV: 'production',
  APP_URL: 'https://chat.example.test',
  SMTP_URL: 'smtps://user:password@mail.example.test',
  AUTH_SECRET: 'x'.repeat(32),
  ADMIN_EMAILS: 'owner@example.test',
}

function complaint(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

test('without settings it is the try-out: loopback, embedded database, local mailbox', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    appUrl: 'http://localhost:3000',
    appName: 'Символ',
    startSymbols: 20_000,
    embeddingFreeSymbols: 5_000_000,
    defaultModel: 'gpt-4.1-mini',
    modelTimeouts: { firstTokenMs: 90_000, silenceMs: 60_000, thinkingMs: 600_000 },
    smtp: null,
    database: { folder: expect.stringMatching(/data\/database$/) },
  })
})

test('administrators need a second factor in production unless the settings say otherwise', () => {
  expect(readConfig({}).adminFactor).toEqual({ required: false, graceDays: 7 })
  expect(readConfig(production).adminFactor).toEqual({ required: true, graceDays: 7 })
  const other = { ADMIN_SECOND_FACTOR: 'optional', ADMIN_GRACE_DAYS: '3' }
  expect(readConfig({ ...production, ...other }).adminFactor).toEqual({ required: false, graceDays: 3 })
  expect(complaint({ ADMIN_SECOND_FACTOR: 'maybe' })).toContain('required или optional')
})

test('production names each missing setting: SMTP, secret, https address and admin', () => {
  const message = complaint({ NODE_ENV: 'production' })
  for (const name of ['SMTP_URL', 'AUTH_SECRET', 'APP_URL', 'ADMIN_EMAILS']) expect(message).toContain(name)
  expect(message).toContain('openssl rand -hex 32')
  expect(readConfig(production)).toMatchObject({
    production: true,
    host: '0.0.0.0',
    appUrl: 'https://chat.example.test',
  })
})

test('the try-out refuses to show its mailbox to a network', () => {
  expect(complaint({ HOST: '0.0.0.0' })).toContain('/dev/mail')
  expect(complaint({ HOST: '0.0.0.0', SMTP_URL: 'smtp://mail.example.test' })).toBe('')
})

test('the try-out refuses a public address, even behind a proxy', () => {
  const forgotten = { APP_URL: 'https://chat.example.test', HOST: '127.0.0.1', TRUST_PROXY: '1' }
  expect(complaint(forgotten)).toMatch(/APP_URL.*\/dev\/mail/)
  expect(complaint({ ...forgotten, SMTP_URL: 'smtp://mail.example.test' })).toBe('')
  for (const name of ['localhost:8080', '127.0.0.1', '[::1]:3000', 'chat.localhost'])
    expect(complaint({ APP_URL: `http://${name}` })).toBe('')
  for (const name of ['localhost.example.test', '127.0.0.1.example.test', 'notlocalhost', '10.0.0.1'])
    expect(complaint({ APP_URL: `http://${name}` })).toContain('APP_URL')
})

test('the first account is the admin only in the local try-out', () => {
  const first = (env: NodeJS.ProcessEnv) => readConfig(env).firstUserIsAdmin
  expect(first({})).toBe(true)
  expect(first({ ADMIN_EMAILS: 'owner@example.test' })).toBe(false)
  expect(first({ DATABASE_URL: 'postgres://u:p@db1/symbol' })).toBe(false)
  expect(first({ APP_URL: 'https://chat.example.test', SMTP_URL: 'smtp://mail.example.test' })).toBe(false)
  expect(first(production)).toBe(false)
})

test.each([
  [{ PORT: 'порт' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL'],
  [{ DATABASE_POOL_SIZE: 'много' }, 'DATABASE_POOL_SIZE'],
  [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE'],
  [{ DATABASE_POOL_SIZE: '2.5' }, 'DATABASE_POOL_SIZE'],
  [{ AUTH_SECRET: 'short' }, 'AUTH_SECRET'],
  [{ ADMIN_EMAILS: 'owner@example.test, no-address' }, 'ADMIN_EMAILS'],
  [{ TRUSTED_PROVIDERS: 'vk, myspace' }, 'TRUSTED_PROVIDERS'],
  [{ ADMIN_USER_IDS: 'one two' }, 'ADMIN_USER_IDS'],
  [{ PAYPAL_ENVIRONMENT: 'production' }, 'PAYPAL_ENVIRONMENT'],
  [{ SUPPORT_EMAIL: 'support' }, 'SUPPORT_EMAIL'],
  [{ START_SYMBOLS: '-1' }, 'START_SYMBOLS'],
  [{ GIFT_BLOCK_DOMAINS: 'farm.test, some one' }, 'GIFT_BLOCK_DOMAINS'],
  [{ GIFT_ALLOW_DOMAINS: 'a@b@c' }, 'GIFT_ALLOW_DOMAINS'],
  [{ EMBEDDING_FREE_SYMBOLS: 'много' }, 'EMBEDDING_FREE_SYMBOLS'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY'],
  [{ MODEL_FIRST_WORD_SECONDS: '0' }, 'MODEL_FIRST_WORD_SECONDS'],
  [{ MODEL_SILENCE_SECONDS: 'долго' }, 'MODEL_SILENCE_SECONDS'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ VK_CLIENT_ID: 'id' }, 'VK_CLIENT_SECRET'],
])('a wrong setting is named: %j', (env, name) => {
  expect(complaint(env)).toContain(name)
})

test('installations share a Redis without mixing; instances of an installation share keys', () => {
  const prefix = (env: NodeJS.ProcessEnv) => readConfig({ SMTP_URL: 'smtp://mail.example.test', ...env }).redisPrefix
  const one = { APP_URL: 'https://a.example.test', DATABASE_URL: 'postgres://u:p@db1/symbol' }
  expect(prefix(one)).toMatch(/^symbol:[0-9a-f]{10}:$/)
  expect(prefix({ ...one, DATABASE_URL: 'postgres://v:q@10.0.0.7:6432/symbol?sslmode=require' })).toBe(prefix(one))
  expect(prefix({ ...one, APP_URL: 'https://b.example.test' })).not.toBe(prefix(one))
  expect(prefix({ ...one, DATABASE_URL: 'postgres://u:p@db1/staging' })).not.toBe(prefix(one))
  expect(prefix({ ...one, REDIS_PREFIX: 'mine:' })).toBe('mine:')
  expect(complaint({ REDIS_PREFIX: 'с пробелом' })).toContain('REDIS_PREFIX')
})

test('a social provider is on when both of its keys are set', () => {
  const { socialProviders } = readConfig({ YANDEX_CLIENT_ID: 'id', YANDEX_CLIENT_SECRET: 'secret' })
  expect(socialProviders).toEqual([{ id: 'yandex', clientId: 'id', clientSecret: 'secret' }])
})

test('no provider is trusted with addresses unless it is named', () => {
  expect(readConfig({}).trustedProviders).toEqual([])
  expect(readConfig({ TRUSTED_PROVIDERS: 'yandex, VK' }).trustedProviders).toEqual(['yandex', 'vk'])
})

test('admins named by exact id replace the rule of the first visitor', () => {
  expect(readConfig({})).toMatchObject({ adminUserIds: [], firstUserIsAdmin: true })
  const named = readConfig({ ADMIN_USER_IDS: ' Abc-1, 0192a5c4 ,' })
  expect(named).toMatchObject({ adminUserIds: ['Abc-1', '0192a5c4'], firstUserIsAdmin: false })
  const { ADMIN_EMAILS: _, ...rest } = production
  expect(readConfig({ ...rest, ADMIN_USER_IDS: 'abc' }).adminUserIds).toEqual(['abc'])
})

test('PayPal is the sandbox unless it is set to live', () => {
  const keys = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret' }
  expect(readConfig(keys).socialProviders).toMatchObject([{ id: 'paypal', environment: 'sandbox' }])
  const live = readConfig({ ...keys, PAYPAL_ENVIRONMENT: 'live' })
  expect(live.socialProviders).toMatchObject([{ id: 'paypal', environment: 'live' }])
})

test('support is our page with MAIL_FROM unless the settings name another place (S10.176)', () => {
  expect(readConfig({})).toMatchObject({ supportUrl: '/help/account/support', supportEmail: null })
  const from = { MAIL_FROM: 'Символ <help@example.test>' }
  expect(readConfig(from).supportEmail).toBe('help@example.test')
  expect(readConfig({ MAIL_FROM: 'help@example.test' }).supportEmail).toBe('help@example.test')
  const other = readConfig({ ...from, SUPPORT_EMAIL: 'other@example.test' })
  expect([other.supportEmail, other.namesSupport]).toEqual(['other@example.test', true])
  expect(readConfig(from).namesSupport).toBe(false)
  expect(readConfig({ SUPPORT_URL: 'https://t.me/e' })).toMatchObject({ supportUrl: 'https://t.me/e' })
})

test('browsers keep the page for the next visit unless switched off (S10.443)', () => {
  expect(readConfig({}).keepsPages).toBe(true)
  expect(readConfig({ KEEP_PAGES: '' }).keepsPages).toBe(true)
  expect(readConfig({ KEEP_PAGES: '0' }).keepsPages).toBe(false)
})

test('connections to Postgres: twenty unless another number is set', () => {
  expect(readConfig({}).databasePoolSize).toBe(8)
  expect(readConfig({ DATABASE_POOL_SIZE: '' }).databasePoolSize).toBe(8)
  expect(readConfig({ DATABASE_POOL_SIZE: '50' }).databasePoolSize).toBe(50)
})

test('empty settings count as unset, so a copied example file works', () => {
  expect(readConfig({ SMTP_URL: '', DATABASE_URL: '', AUTH_SECRET: '', HOST: '' }).smtp).toBeNull()
})

test('model providers need a key, an address or both, by their kind', () => {
  const { modelProviders } = readConfig({
    OPENAI_API_KEY: 'a',
    PROVIDER_OPENROUTER_API_KEY: 'b',
    PROVIDER_OPENROUTER_BASE_URL: 'https://openrouter.example.test/api/v1',
    PROVIDER_MY_OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1',
  })
  expect(modelProviders).toEqual([
    { name: 'openai', kind: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'a', country: 'US' },
    {
      name: 'openrouter',
      kind: 'openai',
      baseUrl: 'https://openrouter.example.test/api/v1',
      apiKey: 'b',
      country: null,
    },
    { name: 'my_ollama', kind: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', apiKey: null, country: null },
  ])
  expect(complaint({ PROVIDER_X_API_KEY: 'c' })).toContain('PROVIDER_X_BASE_URL')
})

test('a provider’s country comes from settings or its address (S10.330)', () => {
  const { modelProviders, country } = readConfig({
    OPENAI_API_KEY: 'a',
    OPENAI_COUNTRY: 'nl',
    PROVIDER_OWN_BASE_URL: 'http://127.0.0.1:11434/v1',
    PROVIDER_OWN_COUNTRY: 'RU',
    PROVIDER_GIGA_KIND: 'gigachat',
    PROVIDER_GIGA_API_KEY: 'd',
    PROVIDER_CLAUDE_KIND: 'anthropic',
    PROVIDER_CLAUDE_API_KEY: 'e',
  })
  expect(modelProviders.map(({ name, country: code }) => [name, code])).toEqual([
    ['openai', 'NL'],
    ['own', 'RU'],
    ['giga', 'RU'],
    ['claude', 'US'],
  ])
  expect(country).toBe('RU')
  expect(readConfig({ COUNTRY: 'by' }).country).toBe('BY')
  expect(complaint({ COUNTRY: 'Россия' })).toContain('COUNTRY: нужны две латинские буквы')
  expect(complaint({ OPENAI_API_KEY: 'a', OPENAI_COUNTRY: 'USA' })).toContain(
    'OPENAI_COUNTRY: нужны две латинские буквы',
  )
})

test('a model provider of a known kind needs only its key (S10.290)', () => {
  const { modelProviders } = readConfig({
    PROVIDER_CLAUDE_KIND: 'anthropic',
    PROVIDER_CLAUDE_API_KEY: 'a',
    PROVIDER_GEMINI_KIND: 'gemini',
    PROVIDER_GEMINI_API_KEY: 'b',
    PROVIDER_GEMINI_THINKING: 'off',
    PROVIDER_YANDEX_KIND: 'yandex',
    PROVIDER_YANDEX_API_KEY: 'c',
    PROVIDER_YANDEX_PROJECT: 'b1g',
    PROVIDER_GIGA_CHAT_KIND: 'gigachat',
    PROVIDER_GIGA_CHAT_API_KEY: 'd',
    PROVIDER_GIGA_CHAT_SCOPE: 'GIGACHAT_API_B2B',
    PROVIDER_GIGA_CHAT_CA: TEST_ROOT,
    PROVIDER_TUNNEL_BASE_URL: 'https://gateway.example.test/v1',
    PROVIDER_TUNNEL_API_KEY: 'e',
    PROVIDER_TUNNEL_AUTH: 'raw',
    PROVIDER_TUNNEL_HEADERS: 'X-Title: Symbol; X-Mode : fast ;',
    PROVIDER_TUNNEL_THINKING: 'openrouter',
  })
  expect(modelProviders).toMatchObject([
    { name: 'claude', kind: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', apiKey: 'a' },
    {
      name: 'gemini',
      kind: 'gemini',
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      thinking: 'off',
    },
    { name: 'yandex', kind: 'yandex', baseUrl: 'https://ai.api.cloud.yandex.net/v1', project: 'b1g' },
    {
      name: 'giga_chat',
      kind: 'gigachat',
      baseUrl: 'https://gigachat.devices.sberbank.ru/api/v1',
      scope: 'GIGACHAT_API_B2B',
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
    },
    { name: 'tunnel', auth: 'raw', headers: { 'x-title': 'Symbol', 'x-mode': 'fast' }, thinking: 'openrouter' },
  ])
})

test('a root certificate may be a binary file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'symbol-config-'))
  const file = join(folder, 'root.cer')
  writeFileSync(file, new X509Certificate(readFileSync(TEST_ROOT)).raw)
  const [provider] = readConfig({ PROVIDER_MY_BASE_URL: 'https://a.test', PROVIDER_MY_CA: file }).modelProviders
  expect(provider?.ca).toContain('BEGIN CERTIFICATE')
  rmSync(folder, { recursive: true })
})

test.each([
  [{ KIND: 'claude', API_KEY: 'a', BASE_URL: 'https://a.test' }, 'KIND: нужно openai, yandex'],
  [{ KIND: 'anthropic' }, 'API_KEY: нужен ключ'],
  [{ KIND: 'yandex', API_KEY: 'a' }, 'PROJECT: нужен идентификатор каталога'],
  [{ KIND: 'gemini', API_KEY: 'a', BASE_URL: 'gemini' }, 'BASE_URL: нужен адрес'],
  [{ KIND: 'gemini', API_KEY: 'a', BASE_URL: 'ftp://a.test' }, 'BASE_URL: нужен адрес'],
  [{ KIND: 'anthropic', API_KEY: 'a', THINKING: 'effort' }, 'THINKING: у этого вида можно только off'],
  [{ BASE_URL: 'https://a.test', THINKING: 'deep' }, 'THINKING: нужно effort, openrouter'],
  [{ BASE_URL: 'https://a.test', AUTH: 'basic' }, 'AUTH: нужно bearer, api-key или raw'],
  [{ BASE_URL: 'https://a.test', SCOPE: 'X' }, 'SCOPE: нужно только для KIND=gigachat'],
  [{ KIND: 'gigachat', API_KEY: 'a', TOKEN_URL: 'oauth' }, 'TOKEN_URL: нужен адрес'],
  [{ BASE_URL: 'https://a.test', HEADERS: 'X-Title' }, 'HEADERS: нужны заголовки'],
  [{ BASE_URL: 'https://a.test', HEADERS: 'Content-Length: 5' }, 'HEADERS: нужны заголовки'],
  [{ BASE_URL: 'https://a.test', CA: '/no/such/file.pem' }, 'CA: нужен файл с корневым сертификатом'],
  [{ BASE_URL: 'https://a.test', CA: 'package.json' }, 'CA: нужен файл с корневым сертификатом'],
])('a wrong setting of a model provider is named: %j (S10.298)', (settings, sentence) => {
  const env = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`PROVIDER_MY_${key}`, value]))
  expect(complaint(env)).toContain(`PROVIDER_MY_${sentence}`)
})

test('payment needs shop and key together; dangerous settings are named', () => {
  expect(readConfig({}).payments).toMatchObject({ bepaid: null, fakeBepaid: false, yookassa: null })
  expect(readConfig({ BEPAID_SHOP_ID: '361', BEPAID_SECRET_KEY: 'key', BEPAID_TEST: '1' }).payments.bepaid).toEqual({
    shopId: '361',
    secretKey: 'key',
    publicKey: null,
    apiUrl: 'https://api.bepaid.by',
    checkoutUrl: 'https://checkout.bepaid.by',
    gatewayUrl: 'https://gateway.bepaid.by',
    methods: ['credit_card'],
    test: true,
  })
  const methods = (BEPAID_METHODS: string) =>
    readConfig({ BEPAID_SHOP_ID: '361', BEPAID_SECRET_KEY: 'key', BEPAID_METHODS }).payments.bepaid?.methods
  expect(methods('credit_card, erip')).toEqual(['credit_card', 'erip'])
  expect(methods('all')).toBeNull()
  expect(complaint({ BEPAID_METHODS: 'Карта' })).toContain('BEPAID_METHODS')
  expect(complaint({ BEPAID_SHOP_ID: '361' })).toContain('BEPAID_SECRET_KEY')
  expect(complaint({ BEPAID_SECRET_KEY: 'key' })).toContain('BEPAID_SHOP_ID')
  expect(complaint({ BEPAID_PUBLIC_KEY: 'not a key' })).toContain('BEPAID_PUBLIC_KEY')
  expect(complaint({ BEPAID_API_URL: 'api' })).toContain('BEPAID_API_URL')
  expect(complaint({ BEPAID_TEST: 'maybe' })).toContain('BEPAID_TEST')
})

test('the fake gateway and test cards are for trying out only (S10.53, S10.80)', () => {
  expect(readConfig({ BEPAID_STAND_IN: '1' }).payments.fakeBepaid).toBe(true)
  expect(complaint({ ...production, BEPAID_STAND_IN: '1' })).toContain('BEPAID_STAND_IN')
  expect(complaint({ ...production, BEPAID_TEST: '1' })).toContain('BEPAID_TEST')
  expect(complaint({ BEPAID_STAND_IN: '1', BEPAID_SHOP_ID: '1', BEPAID_SECRET_KEY: 'k' })).toContain('BEPAID_STAND_IN')
})

test('files go to S3 when all five settings are right', () => {
  const s3 = {
    S3_ENDPOINT: 'https://storage.example.test',
    S3_REGION: 'ru-central1',
    S3_BUCKET: 'symbol-files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  expect(readConfig({}).s3).toBeNull()
  expect(readConfig(Object.fromEntries(Object.keys(s3).map((name) => [name, '']))).s3).toBeNull()
  expect(readConfig(s3).s3).toEqual({
    endpoint: 'https://storage.example.test',
    region: 'ru-central1',
    bucket: 'symbol-files',
    prefix: '',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  })
  for (const name of Object.keys(s3)) {
    const message = complaint({ ...s3, [name]: '' })
    expect(message).toContain(`${name}: для файлов в S3 нужны все пять`)
    expect(message.match(/•/g)).toHaveLength(1)
  }
  expect(complaint({ ...s3, S3_ENDPOINT: 'storage.example.test' })).toContain('S3_ENDPOINT: нужен адрес')
  expect(complaint({ ...s3, S3_ENDPOINT: 'ftp://storage.example.test' })).toContain('S3_ENDPOINT: нужен адрес')
  expect(readConfig({ ...s3, S3_PREFIX: '/staging/files/' }).s3?.prefix).toBe('staging/files')
  expect(complaint({ ...s3, S3_PREFIX: 'a/../b' })).toContain('S3_PREFIX: нужна папка в корзине')
  expect(complaint({ S3_PREFIX: 'symbol' })).toContain('S3_BUCKET: для файлов в S3 нужны все пять')
  expect(complaint({ ...s3, S3_BUCKET: 'Мои файлы' })).toContain('S3_BUCKET: нужно имя корзины')
})

test('domains for and against the starting gift are read as typed', () => {
  const { giftDomains } = readConfig({ GIFT_BLOCK_DOMAINS: ' Farm.test, @spam.test,', GIFT_ALLOW_DOMAINS: '' })
  expect(giftDomains).toEqual({ blocked: ['farm.test', 'spam.test'], allowed: [] })
})

test('limits are changed by a single setting, and wrong limits are explained', () => {
  const { limits } = readConfig({ LIMITS: 'sends=60/30, heavy = 5/3600; stored-prompts=5000' })
  expect(limits.rows.sends).toMatchObject({ points: 60, seconds: 30, per: 'user' })
  expect(limits.rows.heavy).toMatchObject({ points: 5, seconds: 3600 })
  expect(limits.rows.money).toMatchObject({ points: 30, seconds: 600 })
  expect(limits.totals).toMatchObject({ 'stored-prompts': 5000, 'open-sockets': 20 })
  const unknown = complaint({ LIMITS: 'messages=60/60' })
  expect(unknown).toContain('LIMITS: ограничения «messages» нет. Есть: api, public')
  expect(unknown).toContain('stored-prompts')
  for (const wrong of [
    'sends=0/60',
    'sends=60',
    'sends=60/0',
    'sends=-1/60',
    'sends=60/60/60',
    'sends=many/60',
    'sends',
  ])
    expect(complaint({ LIMITS: wrong })).toContain('LIMITS: sends задаётся')
  for (const wrong of ['stored-prompts=0', 'stored-prompts=5/60', 'stored-prompts'])
    expect(complaint({ LIMITS: wrong })).toContain('LIMITS: stored-prompts задаётся целым числом от 1')
  expect(complaint({ LIMITS: '__proto__=1/1' })).toContain('нет. Есть')
})

test('a search engine needs what it is asked with (S10.310)', () => {
  const search = (env: NodeJS.ProcessEnv) => readConfig({ ...env, DATA_DIR: '/tmp/symbol' }).search
  expect(search({})).toEqual({ engine: null, price: 1500, cost: null })
  const paid = { SEARCH_PRICE: '0', SEARCH_COST: '480.5 RUB' }
  expect(search({ SEARCH_ENGINE: 'brave', SEARCH_API_KEY: 'key', ...paid })).toEqual({
    engine: { engine: 'brave', baseUrl: 'https://api.search.brave.com', apiKey: 'key', folder: null },
    price: 0,
    cost: { amount: 480.5, currency: 'RUB' },
  })
  expect(() => search({ SEARCH_COST: '480' })).toThrow('SEARCH_COST: нужны цена')
  expect(search({ SEARCH_ENGINE: 'searxng', SEARCH_BASE_URL: 'http://localhost:8080' }).engine).toMatchObject({
    baseUrl: 'http://localhost:8080',
    apiKey: null,
  })
  expect(() => search({ SEARCH_ENGINE: 'yandex', SEARCH_API_KEY: 'key' })).toThrow('SEARCH_FOLDER')
  expect(() => search({ SEARCH_ENGINE: 'tavily' })).toThrow('SEARCH_API_KEY')
  expect(() => search({ SEARCH_ENGINE: 'searxng' })).toThrow('SEARCH_BASE_URL')
  expect(() => search({ SEARCH_ENGINE: 'google' })).toThrow('SEARCH_ENGINE: нужно одно из')
  expect(() => search({ SEARCH_API_KEY: 'key' })).toThrow('SEARCH_ENGINE')
})
