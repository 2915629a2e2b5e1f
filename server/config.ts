import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { backupEnv, readBackup } from '#server/archive/backup-settings.ts'
import { withCountries } from '#server/llm/countries.ts'
import { readModelProviders } from '#server/llm/provider-settings.ts'
import { providerIds, readProviders } from './auth/provider-ids.ts'
import { isLoopback } from './http/client-ip.ts'
import { readLimits } from './http/limit-settings.ts'
import { readSearch, searchEnv } from './internet/search-settings.ts'
import { commaList, unlessEmpty } from './lib/env-fields.ts'
import { StartError } from './lib/errors.ts'
import { bepaidEnv, readBepaid } from './payments/bepaid-settings.ts'
import { readYookassa, yookassaEnv } from './payments/yookassa-settings.ts'
import { readS3, s3Env } from './storage/s3-settings.ts'

const optionalText = unlessEmpty(z.string().optional())
const optionalUrl = unlessEmpty(z.url().optional())

const seconds = (usual: number) =>
  z.coerce.number('нужно число секунд, например 60').int().min(1).max(86_400).default(usual)

const lowerCaseList = commaList.transform((parts) => parts.map((part) => part.toLowerCase()))
const domainList = lowerCaseList
  .transform((domains) => domains.map((domain) => domain.replace(/^@/, '')))
  .pipe(
    z.array(
      z.string().regex(/^[^\s@.]+(\.[^\s@.]+)*$/, 'нужны домены через запятую, например mail.example, tmp.example'),
    ),
  )

export const Env = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: z.coerce.number('нужен номер порта, например 3000').int().min(0).max(65535).default(3000),
  HOST: optionalText,
  APP_URL: optionalUrl,
  APP_NAME: z.string().min(1).default('Символ'),
  DATA_DIR: z.string().min(1).default('./data'),
  /** The country of the installation; data sent to models in other countries leaves it. */
  COUNTRY: z.preprocess(
    (value) => (typeof value === 'string' && value !== '' ? value.toUpperCase() : undefined),
    z
      .string()
      .regex(/^[A-Z]{2}$/, 'нужны две латинские буквы страны, например RU')
      .default('RU'),
  ),
  DATABASE_URL: optionalUrl,
  DATABASE_POOL_SIZE: unlessEmpty(
    z.coerce
      .number('нужно целое число соединений, например 8')
      .int('нужно целое число соединений, например 8')
      .min(2, 'нужно не меньше 2 соединений')
      .max(1000, 'нужно не больше 1000 соединений')
      .default(8),
  ),
  REDIS_URL: optionalUrl,
  REDIS_PREFIX: unlessEmpty(
    z
      .string()
      .regex(/^[\w:.-]{1,64}$/, 'нужны латинские буквы, цифры и знаки : . - _, не больше 64, например symbol:')
      .optional(),
  ),
  SMTP_URL: optionalUrl,
  MAIL_FROM: optionalText,
  AUTH_SECRET: unlessEmpty(
    z.string().min(32, 'нужно не меньше 32 знаков, например вывод openssl rand -hex 32').optional(),
  ),
  ADMIN_EMAILS: lowerCaseList.pipe(z.array(z.email('нужны адреса через запятую'))),
  /** Users who are admins whatever their role says. Ids are case-sensitive, unlike addresses. */
  ADMIN_USER_IDS: commaList.pipe(z.array(z.string().regex(/^[\w-]{1,64}$/, 'нужны id пользователей через запятую'))),
  /** Whether admins need a second factor, and how many days they have to add one. */
  ADMIN_SECOND_FACTOR: unlessEmpty(z.enum(['required', 'optional'], 'нужно required или optional').optional()),
  ADMIN_GRACE_DAYS: unlessEmpty(z.coerce.number('нужно число дней, например 7').int().min(0).max(90).default(7)),
  TRUSTED_PROVIDERS: lowerCaseList.pipe(
    z.array(z.enum(providerIds, `нужны имена сервисов через запятую: ${providerIds.join(', ')}`)),
  ),
  PAYPAL_ENVIRONMENT: unlessEmpty(z.enum(['sandbox', 'live'], 'нужно sandbox или live').default('sandbox')),
  /** Domains that get no starting symbols, or get them although they are in the list of disposable mailboxes. */
  GIFT_BLOCK_DOMAINS: domainList,
  GIFT_ALLOW_DOMAINS: domainList,
  START_SYMBOLS: z.coerce.number('нужно целое число').int().min(0).default(20_000),
  /** Symbols of files that are embedded free of charge per user and month. */
  EMBEDDING_FREE_SYMBOLS: z.coerce.number('нужно целое число').int().min(0).default(5_000_000),
  /** The model for requests that name none; if it does not exist, the first visible one. */
  DEFAULT_MODEL: z.string().min(1).default('gpt-4.1-mini'),
  /** Timeouts of a model: until its first token, between tokens, and for reasoning in total. */
  MODEL_FIRST_WORD_SECONDS: seconds(90),
  MODEL_SILENCE_SECONDS: seconds(60),
  MODEL_THINKING_SECONDS: seconds(600),
  ...bepaidEnv,
  ...yookassaEnv,
  ...s3Env,
  ...backupEnv,
  /** Takes over the files of another installation or of a moved database. */
  STORAGE_ADOPT: z.enum(['', '0', '1']).default('0'),
  /** Shows the demo model beside real ones. */
  DEMO_MODEL: z.enum(['', '0', '1']).default('0'),
  ...searchEnv,
  /** Browsers keep the layout and the files of the page for the next visit. */
  KEEP_PAGES: z.enum(['', '0', '1'], 'нужно 0 или 1').default('1'),
  SUPPORT_URL: optionalUrl,
  SUPPORT_EMAIL: unlessEmpty(z.email('нужен адрес, например help@example.ru').optional()),
  ANALYTICS_URL: optionalUrl,
  YANDEX_METRIKA_ID: optionalText,
  METRICS_TOKEN: optionalText,
  TRUST_PROXY: z.coerce.number('нужно число прокси перед сервером, например 1').int().min(0).max(10).default(0),
  /** How long running answers may take to finish after SIGTERM. */
  DRAIN_SECONDS: unlessEmpty(z.coerce.number('нужно число секунд, например 60').int().min(0).max(3600).optional()),
  /** Answers that one process writes at once. */
  MAX_RUNNING_ANSWERS: z.coerce.number('нужно целое число, например 500').int().min(1).max(10_000).default(500),
  /** Changes of limits: `sends=60/60, stored-prompts=5000`. */
  LIMITS: z.string().default(''),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  /** Pretends that another build is deployed; set by tests only. */
  BUILD_ID: optionalText,
})

export type Config = ReturnType<typeof readConfig>

/** Invalid settings with their fixes; the process prints them and exits with 1. */
export class ConfigError extends StartError {
  override name = 'ConfigError'
}

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const parsed = Env.safeParse(env)
  const providers = readProviders(env)
  const models = withCountries(env, readModelProviders(env))
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map(nameIssue)),
    ...providers.problems,
    ...models.problems,
  ]
  if (!parsed.success) throw new ConfigError(explain(problems))

  const e = parsed.data
  const production = e.NODE_ENV === 'production'
  const { problems: bepaidProblems, ...bepaid } = readBepaid(e, production)
  const { problems: yookassaProblems, ...yookassa } = readYookassa(e, production)
  const payments = { ...bepaid, ...yookassa }
  const s3 = readS3(e)
  const backup = readBackup(e, s3.settings)
  const limits = readLimits(e.LIMITS)
  const search = readSearch(e)
  problems.push(
    ...bepaidProblems,
    ...yookassaProblems,
    ...s3.problems,
    ...backup.problems,
    ...limits.problems,
    ...search.problems,
  )
  const host = e.HOST ?? (production ? '0.0.0.0' : '127.0.0.1')
  const appUrl = new URL(e.APP_URL ?? `http://localhost:${e.PORT}`)
  const smtp = e.SMTP_URL
    ? { url: e.SMTP_URL, from: e.MAIL_FROM ?? `${e.APP_NAME} <noreply@${appUrl.hostname}>` }
    : null

  const namesAdmins = e.ADMIN_EMAILS.length + e.ADMIN_USER_IDS.length > 0

  if (production) {
    if (!smtp)
      problems.push(
        'SMTP_URL: в production письма должны уходить по-настоящему, например smtps://user:password@mail.example.ru',
      )
    if (!e.AUTH_SECRET)
      problems.push('AUTH_SECRET: в production нужен свой секрет, например вывод openssl rand -hex 32')
    if (appUrl.protocol !== 'https:')
      problems.push('APP_URL: в production нужен адрес с https, например https://chat.example.ru')
    if (!namesAdmins)
      problems.push(
        'ADMIN_EMAILS: в production нужен адрес администратора, например owner@example.ru: иначе им стал бы первый, кто вошёл',
      )
  } else if (!smtp && !isLoopback(appUrl.hostname)) {
    problems.push(
      `APP_URL: пока письма складываются в открытый ящик /dev/mail, сервер отвечает только на своей машине, а задано ${appUrl.origin}. Задайте SMTP_URL и NODE_ENV=production или уберите APP_URL`,
    )
  } else if (!smtp && !isLoopback(host)) {
    problems.push(
      `HOST: пока письма складываются в открытый ящик /dev/mail, сервер слушает только 127.0.0.1, а задано ${host}. Задайте SMTP_URL или уберите HOST`,
    )
  }
  if (problems.length > 0) throw new ConfigError(explain(problems))

  const dataDir = resolve(e.DATA_DIR)
  return {
    production,
    port: e.PORT,
    host,
    appUrl: appUrl.origin,
    appName: e.APP_NAME,
    dataDir,
    country: e.COUNTRY,
    database: e.DATABASE_URL ? { url: e.DATABASE_URL } : { folder: join(dataDir, 'database') },
    databasePoolSize: e.DATABASE_POOL_SIZE,
    redisUrl: e.REDIS_URL ?? null,
    drainSeconds: e.DRAIN_SECONDS ?? (production ? 60 : 5),
    maxRunningAnswers: e.MAX_RUNNING_ANSWERS,
    redisPrefix:
      e.REDIS_PREFIX ?? ownPrefix(appUrl.origin, e.DATABASE_URL ? new URL(e.DATABASE_URL).pathname : dataDir),
    /** Null stores files in the data folder. */
    s3: s3.settings,
    backup: backup.settings,
    adoptsStorage: e.STORAGE_ADOPT === '1',
    smtp,
    authSecret: e.AUTH_SECRET ?? null,
    adminEmails: e.ADMIN_EMAILS,
    adminUserIds: e.ADMIN_USER_IDS,
    /** On a public server the first visitor must not become the admin. */
    firstUserIsAdmin: !production && !namesAdmins && !e.DATABASE_URL && isLoopback(appUrl.hostname),
    adminFactor: {
      required: (e.ADMIN_SECOND_FACTOR ?? (production ? 'required' : 'optional')) === 'required',
      graceDays: e.ADMIN_GRACE_DAYS,
    },
    startSymbols: e.START_SYMBOLS,
    giftDomains: { blocked: e.GIFT_BLOCK_DOMAINS, allowed: e.GIFT_ALLOW_DOMAINS },
    embeddingFreeSymbols: e.EMBEDDING_FREE_SYMBOLS,
    socialProviders: providers.configured.map((keys) =>
      keys.id === 'paypal' ? { ...keys, environment: e.PAYPAL_ENVIRONMENT } : keys,
    ),
    trustedProviders: e.TRUSTED_PROVIDERS,
    modelProviders: models.configured,
    modelTimeouts: {
      firstTokenMs: e.MODEL_FIRST_WORD_SECONDS * 1000,
      silenceMs: e.MODEL_SILENCE_SECONDS * 1000,
      thinkingMs: e.MODEL_THINKING_SECONDS * 1000,
    },
    defaultModel: e.DEFAULT_MODEL,
    wantsDemo: e.DEMO_MODEL === '1',
    /** Without an engine, the demo has one of its own. */
    search: { engine: search.settings, price: search.price, cost: search.cost },
    payments,
    keepsPages: e.KEEP_PAGES !== '0',
    supportUrl: e.SUPPORT_URL ?? SUPPORT_PAGE,
    namesSupport: Boolean(e.SUPPORT_URL ?? e.SUPPORT_EMAIL),
    /** Null when the settings name no address that a person reads. */
    supportEmail: e.SUPPORT_EMAIL ?? addressIn(e.MAIL_FROM),
    analytics: { url: e.ANALYTICS_URL ?? null, yandexMetrikaId: e.YANDEX_METRIKA_ID ?? null },
    metricsToken: e.METRICS_TOKEN ?? null,
    trustedProxies: e.TRUST_PROXY,
    limits: limits.settings,
    /** Outside production the terminal shows only the greeting and problems. */
    logLevel: e.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    buildId: e.BUILD_ID ?? null,
    /** Where programs such as pdftoppm and ffmpeg are found; they get nothing else of the environment. */
    programPath: env.PATH,
  }
}

const SUPPORT_PAGE = '/help/account/support'

/** «Символ <help@example.ru>» → «help@example.ru». */
function addressIn(from: string | undefined): string | null {
  const address = (/<([^<>]+)>\s*$/.exec(from ?? '')?.[1] ?? from ?? '').trim()
  return z.email().safeParse(address).success ? address : null
}

/**
 * Separates installations on one Redis by their address and database. Only the database's name counts, because
 * instances may use different hosts, ports and users.
 */
function ownPrefix(appUrl: string, databaseName: string): string {
  return `symbol:${createHash('sha256').update(`${appUrl} ${databaseName}`).digest('hex').slice(0, 10)}:`
}

function nameIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`
}

function explain(problems: string[]): string {
  return `Настройки неверны, сервер не запущен:\n${problems.map((problem) => `  • ${problem}`).join('\n')}`
}
